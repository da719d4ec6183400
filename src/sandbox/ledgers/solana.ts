import { isAddress } from '@solana/kit'
import { RfqError } from '../../core/error.ts'
import type { Log } from '../../core/log.ts'
import type { NetworkToken } from '../../core/network.ts'
import { FIRST_SLOT } from '../solana/blocks.ts'
import { startSolanaLedger } from '../solana/index.ts'
import { solanaKey } from '../solana/keys.ts'
import type { LedgerKey, SandboxLedger } from './sandbox-ledger.ts'

type Options = { readonly log: Log; readonly now: () => number; readonly solverCount: number }

/** Fast enough to watch a transfer, slow enough to see each of its states. */
const SLOT_MS = 200
const FINALIZED_AFTER_SLOTS = 8
const FINALITY_SECONDS = 2
/** Solana counts in 64 bits. */
const MAX_UNITS = (1n << 64n) - 1n
const USD_PRICES: Readonly<Record<string, string>> = { SOL: '150', USDC: '1', T22: '2' }
const OPERATOR_WHOLE_SOL = 10_000n
const OPERATOR_WHOLE_TOKENS = 1_000_000n

/** The Solana ledger with the operator's vault and the solvers' accounts, all funded. */
export const startSandboxSolana = async ({ log, now, solverCount }: Options): Promise<SandboxLedger> => {
  const ledger = await startSolanaLedger({
    log,
    now,
    slotMs: SLOT_MS,
    finalizedAfterSlots: FINALIZED_AFTER_SLOTS,
  })
  const { chainId } = ledger
  const keyOf = (name: string): LedgerKey => {
    const { address, privateKey } = solanaKey(name)
    return { address, privateKey }
  }
  const vault = keyOf('vault')
  const solvers = Array.from({ length: solverCount }, (_, index) => keyOf(`solver ${index}`))
  const fund = ({ address }: LedgerKey): readonly Promise<void>[] =>
    ledger.tokens.map((token) => {
      const whole = token.program === null ? OPERATOR_WHOLE_SOL : OPERATOR_WHOLE_TOKENS
      return ledger.faucet(token.address, address, whole * 10n ** BigInt(token.decimals))
    })
  await Promise.all([vault, ...solvers].flatMap(fund))
  return {
    chain: {
      chainId,
      chainLabel: 'Sandbox Solana',
      chainType: 'solana',
      nativeToken: { symbol: 'SOL', decimals: 9 },
      finality: 'finalized',
      attested: { settler: vault.address, finalitySeconds: FINALITY_SECONDS },
    },
    rpcUrl: ledger.rpcUrl,
    firstBlock: FIRST_SLOT,
    subscriptionsUrl: ledger.subscriptionsUrl,
    tokens: ledger.tokens.map(
      ({ address, symbol, name, decimals, program }): NetworkToken => ({
        chainId,
        address,
        symbol,
        name,
        decimals,
        verified: true,
        resetsAllowance: false,
        intent: true,
        usdPrice: USD_PRICES[symbol],
        ...(program !== null && symbol === 'T22' ? { splProgram: 'token-2022' } : {}),
      }),
    ),
    accounts: ledger.accounts,
    vault,
    solvers,
    faucet: async (token, address, amount) => {
      if (!ledger.tokens.some((known) => known.address === token))
        throw new RfqError('UNSUPPORTED_TOKEN', `${token} is no token of ${chainId}`, { chainId, token })
      if (!isAddress(address) || amount > MAX_UNITS)
        throw new RfqError('INVALID_REQUEST', 'address: expected base58 of 32 bytes; amount: below 2^64', {
          field: isAddress(address) ? 'amount' : 'address',
        })
      await ledger.faucet(token, address, amount)
    },
    fork: (depth) => void ledger.fork(depth),
    stop: ledger.stop,
  }
}
