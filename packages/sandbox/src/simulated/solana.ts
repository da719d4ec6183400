import { RfqError } from '@openrfq/sdk'
import { isAddress } from '@solana/kit'
import type { Log } from 'openrfq/lib/log'
import { FIRST_SLOT } from '../solana/blocks.ts'
import { AXELAR_NAME, startSolanaNode } from '../solana/index.ts'
import { solanaKey } from '../solana/keys.ts'
import { type SimulatedChain, type SimulatedKey, simulatedToken } from './simulated-chain.ts'

type Options = {
  readonly log: Log
  readonly now: () => number
  readonly solverCount: number
  readonly solanaPort?: number | undefined
}

/** As on the network, so that a blockhash lives as long as there: 150 slots, a minute. */
const SLOT_MS = 400
/** Slots until finality, fewer than on the network; enough to observe confirmed but unfinalized payments. */
const FINALIZED_AFTER_SLOTS = 4
const FINALITY_SECONDS = 2
/** Gas that the relayer charges for. */
const EXECUTE_GAS_LIMIT = 700_000
/** The hub's limit for Solana. */
const MAX_UINT_BITS = 64
/** The largest amount; Solana amounts have 64 bits. */
const MAX_UNITS = (1n << 64n) - 1n
const USD_PRICES: Readonly<Record<string, string>> = { SOL: '150', USDC: '1', T22: '2', HBR: '1.25' }

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
      tokenReceiver: {
        name: AXELAR_NAME,
        gateway: simulatedChain.axelar.gateway,
        its: simulatedChain.axelar.its,
        gasService: simulatedChain.axelar.gasService,
        finalitySeconds: FINALITY_SECONDS,
        executeGasLimit: EXECUTE_GAS_LIMIT,
        maxUintBits: MAX_UINT_BITS,
      },
    },
    rpcUrl: simulatedChain.rpcUrl,
    firstBlock: FIRST_SLOT,
    subscriptionsUrl: simulatedChain.subscriptionsUrl,
    tokens: simulatedChain.tokens.map((token) => ({
      ...simulatedToken(chainId, token, USD_PRICES[token.symbol]),
      ...(token.program !== null && token.symbol === 'T22' ? { splProgram: 'token-2022' } : {}),
      intent: token.symbol !== simulatedChain.axelar.symbol,
    })),
    axelar: simulatedChain.axelar,
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
    catchUp: simulatedChain.catchUp,
    stop: simulatedChain.stop,
  }
}
