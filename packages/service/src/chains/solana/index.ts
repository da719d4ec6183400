import { type ChainId, solanaChainIdOf } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import type { NetworkChain } from '../../core/network.ts'
import { inTime } from '../../lib/in-time.ts'
import type { Log } from '../../lib/log.ts'
import type { PaymentChain } from '../payment-chain.ts'
import type { RpcProof } from '../rpc/rpc-members.ts'
import { createRpcPool } from '../rpc/rpc-pool.ts'
import { createAccountReader } from './account-reader.ts'
import { SOLANA_NATIVE_TOKEN } from './address.ts'
import { createAgreedBlockhash } from './agreed-blockhash.ts'
import { createBalanceReader } from './balance-reader.ts'
import { createCallFinder } from './call-finder.ts'
import { createEventReader } from './event-reader.ts'
import { parseExactJson } from './exact-json.ts'
import { createHeadPoller, type HeadPoller } from './head-poller.ts'
import { createInstructionSigner } from './instruction-signer.ts'
import { DEFAULT_SOLANA_LIMITS, type SolanaLimits } from './limits.ts'
import { paymentFeeAt } from './payment-fee.ts'
import { createPaymentReader, createTimeReader } from './payment-reader.ts'
import { createBroadcast, createOutcome } from './payout-follower.ts'
import { createPayoutSigner } from './payout-signer.ts'
import type { SolanaMint } from './programs.ts'
import { createRecipientChecks } from './recipient-check.ts'
import { parseSolanaSecret } from './secret-key.ts'
import { DEFAULT_SOLANA_TIMING, type SolanaTiming } from './timing.ts'
import { createUnitPrices, type UnitPrices } from './unit-prices.ts'

/** Dependencies of a live chain: endpoints, the catalogue's mints, clock and log. */
type SolanaChainDeps = {
  readonly chainId: ChainId
  readonly rpcUrls: readonly string[]
  readonly rpcHeaders?: NetworkChain['rpcHeaders']
  /** Only these tokens are read and paid. */
  readonly mints: readonly SolanaMint[]
  readonly maximumClockLeadSeconds?: number | undefined
  readonly now: () => Instant
  readonly wallTime?: () => Instant
  readonly log: Log
  readonly timing?: Partial<SolanaTiming>
  readonly limits?: Partial<SolanaLimits>
}

const proofOf = (chainId: ChainId): RpcProof => ({
  call: { method: 'getGenesisHash', params: [] },
  nameIn: (result) => (typeof result === 'string' ? solanaChainIdOf(result) : undefined),
  expected: chainId,
})

/** A quote waits no longer for a fee. */
const FEE_DEADLINE_MS = 600

const createFeeReader =
  ({ head }: HeadPoller, unitPrices: UnitPrices): PaymentChain['paymentFeeFor'] =>
  async (accounts) => {
    const price = await inTime(unitPrices.priceOf(accounts.toSorted(), 0), FEE_DEADLINE_MS)
    const [plain, own] = [head()?.paymentFee ?? 0n, price === undefined ? 0n : paymentFeeAt(price)]
    return plain < own ? own : plain
  }

/** Payments name a blockhash and no sequence number, so many can be in flight. */
const MAXIMUM_PAYOUTS = 32

/**
 * Creates a live Solana chain, read over JSON-RPC from the first endpoint that answers and proves the chain by its
 * genesis hash. Source: Solana RPC.
 */
export const createSolanaChain = (deps: SolanaChainDeps): PaymentChain => {
  const { chainId, now } = deps
  const mints = deps.mints.filter(({ address }) => address !== SOLANA_NATIVE_TOKEN)
  const timing: SolanaTiming = { ...DEFAULT_SOLANA_TIMING, ...deps.timing }
  const limits: SolanaLimits = { ...DEFAULT_SOLANA_LIMITS, ...deps.limits }
  const pool = createRpcPool({
    ...deps,
    proof: proofOf(chainId),
    parseJson: parseExactJson,
    asideMs: timing.asideMs,
    hurryMs: timing.hurryMs,
  })
  const unitPrices = createUnitPrices({ pool, timing, now })
  const head = createHeadPoller({ chainId, pool, unitPrices, timing, now })
  const reading = { pool, mints, deadlineMs: timing.readMs }
  const signing = { head, unitPrices, pickBlockhash: createAgreedBlockhash(reading) }
  return {
    chainId,
    chainType: 'solana',
    head: head.head,
    ...createPaymentReader({ chainId, pool, mints, limits, timing, now }),
    timeOf: createTimeReader(reading),
    signingMarks: undefined,
    ...createRecipientChecks({ ...reading, now, rememberMs: timing.recipientMs }),
    ...createBalanceReader(reading),
    paymentFeeFor: createFeeReader(head, unitPrices),
    accountOf: (secret) => parseSolanaSecret(secret).address,
    maximumPayouts: MAXIMUM_PAYOUTS,
    sign: createPayoutSigner({ ...signing, mints }),
    broadcast: createBroadcast(reading),
    outcome: createOutcome(reading),
    balancesToClaim: undefined,
    programs: {
      ...createAccountReader(reading),
      findCalls: createCallFinder({ pool, deadlineMs: timing.paymentsMs, limits }),
      eventsIn: createEventReader({ pool, deadlineMs: timing.paymentsMs }),
      signInstructions: createInstructionSigner(signing),
    },
    counts: pool.counts,
    faults: pool.faults,
    isAheadOfClock: pool.isAheadOfClock,
    start: head.start,
    stop: async () => {
      const stopped = head.stop()
      pool.close()
      await stopped
    },
  }
}
