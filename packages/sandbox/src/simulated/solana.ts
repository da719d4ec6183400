import { RfqError } from '@openrfq/sdk'
import { isAddress } from '@solana/kit'
import type { Log } from 'openrfq/lib/log'
import { FIRST_SLOT, MAX_BLOCKHASH_AGE } from '../solana/blocks.ts'
import { startSolanaNode } from '../solana/index.ts'
import { solanaKey } from '../solana/keys.ts'
import { type SimulatedChain, type SimulatedKey, simulatedToken } from './simulated-chain.ts'

type Options = {
  readonly log: Log
  readonly now: () => number
  readonly solverCount: number
  readonly solanaPort?: number | undefined
}

/** Slot time in milliseconds. A blockhash lasts 150 slots, so a payment expires well before an order of the sandbox. */
const SLOT_MS = 100
/** Slots until finality, enough to observe confirmed but unfinalized payments. */
const FINALIZED_AFTER_SLOTS = 16
const FINALITY_SECONDS = 2
/** The largest amount; Solana amounts have 64 bits. */
const MAX_UNITS = (1n << 64n) - 1n
const USD_PRICES: Readonly<Record<string, string>> = { SOL: '150', USDC: '1', T22: '2' }

const keyOf = (name: string): SimulatedKey => {
  const { address, privateKey } = solanaKey(name)
  return { address, privateKey }
}

/** Starts Solana with the escrow program, and funded accounts for the keeper and the solvers. */
export const startSandboxSolana = async ({
  log,
  now,
  solverCount,
  solanaPort: port,
}: Options): Promise<SimulatedChain> => {
  const keeper = keyOf('keeper')
  const solvers = Array.from({ length: solverCount }, (_, index) => keyOf(`solver ${index}`))
  const simulatedChain = await startSolanaNode({
    log,
    now,
    slotMs: SLOT_MS,
    finalizedAfterSlots: FINALIZED_AFTER_SLOTS,
    ...(port === undefined ? {} : { port }),
    wallets: [keeper, ...solvers].map(({ address }) => address),
  })
  const { chainId } = simulatedChain
  return {
    chain: {
      chainId,
      chainLabel: 'Sandbox Solana',
      chainType: 'solana',
      nativeToken: { symbol: 'SOL', decimals: 9 },
      finality: 'finalized',
      attested: { settler: simulatedChain.escrowProgram, finalitySeconds: FINALITY_SECONDS },
    },
    rpcUrl: simulatedChain.rpcUrl,
    firstBlock: FIRST_SLOT,
    subscriptionsUrl: simulatedChain.subscriptionsUrl,
    tokens: simulatedChain.tokens.map((token) => ({
      ...simulatedToken(chainId, token, USD_PRICES[token.symbol]),
      ...(token.program !== null && token.symbol === 'T22' ? { splProgram: 'token-2022' } : {}),
    })),
    axelar: undefined,
    accounts: simulatedChain.accounts,
    vault: undefined,
    cosigner: undefined,
    keeper,
    solvers,
    faucet: async (token, address, amount) => {
      if (!simulatedChain.tokens.some((known) => known.address === token))
        throw new RfqError('UNSUPPORTED_TOKEN', `${token} is no token of ${chainId}`, { chainId, token })
      if (!isAddress(address))
        throw new RfqError('INVALID_REQUEST', 'address: expected base58 of 32 bytes', { field: 'address' })
      if (amount > MAX_UNITS)
        throw new RfqError('INVALID_REQUEST', 'amount: expected less than 2^64', { field: 'amount' })
      await simulatedChain.faucet(token, address, amount)
    },
    fork: (depth) => void simulatedChain.fork(depth),
    dropNext: simulatedChain.dropNext,
    holdNext: undefined,
    includePending: () => simulatedChain.advance(1),
    catchUp: () => simulatedChain.advance(MAX_BLOCKHASH_AGE + 1),
    stop: simulatedChain.stop,
  }
}
