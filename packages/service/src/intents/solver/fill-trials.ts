import { EVM_NATIVE_TOKEN } from '../../chains/evm/address.ts'
import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import type { Instant } from '../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import { type Backoff, backoffMs } from '../../lib/backoff.ts'
import { createConditionTimer } from '../../lib/condition-timer.ts'
import type { Log } from '../../lib/log.ts'
import { createLru } from '../../lib/lru.ts'
import { signedGasLimit } from '../../transactions/signer.ts'
import { fillCall } from '../settlers/settler-contract.ts'

/** Where an order is filled on an EVM chain. */
type Destination = {
  readonly evm: Pick<EvmChain, 'callAgreed' | 'head'>
  readonly settler: string
  /** The account that is repaid if the order names another filler. */
  readonly repayTo?: string | undefined
}

/** The result of running a fill without sending it. */
export type FillTrial = {
  /** Whether the fill succeeds; undefined if unknown. */
  readonly isPayable: boolean | undefined
  /** The gas for its execution that the fill was tried with, and is to be signed with. */
  readonly gasLimit: bigint
}

/** Tries fills before they are signed. */
export type FillTrials = {
  /**
   * Runs a fill at the newest blocks of a quorum of endpoints. A fill that reverts must do so for some seconds, because
   * an allowance or a balance may be a block behind. Never rejects.
   */
  readonly attempt: (orderId: OrderId, order: IntentOrder, destination: Destination) => Promise<FillTrial>
  /** Remembers that a signed fill reverted, after which native value for its recipient waits. */
  readonly reverted: (orderId: OrderId, order: Pick<IntentOrder, 'recipient'>) => void
  /** Drops what is remembered of other orders. */
  readonly keep: (isKept: (orderId: OrderId) => boolean) => void
}

type Deps = { readonly account: string; readonly steady: () => Instant; readonly log: Log }

/** Gas for a fill at either settler that transfers a token. */
export const FILL_GAS = 400_000n
/**
 * Gas for a fill with native value. The recipient may burn all that it gets, also one without code when the fill is tried: a
 * delegation by EIP-7702 may be mined before the fill is.
 */
const NATIVE_FILL_GAS = 150_000n
const GRACE_MS = 5_000
const PAUSE: Backoff = { firstMs: 60_000, maximumMs: 86_400_000 }
const MAX_RECIPIENTS = 20_000

/** Recipients whose fills reverted wait: a minute after the first revert, twice as long after each further one. */
const createPauses = (steady: () => Instant) => {
  const pauses = createLru<string, { readonly failures: number; readonly until: Instant }>(MAX_RECIPIENTS)
  const noted = createLru<OrderId, true>(MAX_RECIPIENTS)
  return {
    note: (orderId: OrderId, { recipient }: Pick<IntentOrder, 'recipient'>): void => {
      if (noted.get(orderId) === true) return
      noted.set(orderId, true)
      const failures = (pauses.get(recipient)?.failures ?? 0) + 1
      pauses.set(recipient, { failures, until: steady() + backoffMs(PAUSE, failures) })
    },
    isPaused: (recipient: string): boolean =>
      (pauses.get(recipient)?.until ?? Number.NEGATIVE_INFINITY) > steady(),
  }
}

/** Creates the trials of a solver's account. */
export const createFillTrials = ({ account, steady, log }: Deps): FillTrials => {
  const pauses = createPauses(steady)
  const revertedSince = createConditionTimer<OrderId>(steady)

  const run = async (order: IntentOrder, { evm, settler, repayTo }: Destination): Promise<FillTrial> => {
    const isNative = order.outputToken === EVM_NATIVE_TOKEN
    const gasLimit = isNative ? NATIVE_FILL_GAS : FILL_GAS
    if (isNative && pauses.isPaused(order.recipient)) return { isPayable: false, gasLimit }
    const { data, value } = fillCall(order, repayTo)
    const gas = signedGasLimit({ gasLimit, data }, evm.head())
    const call = { from: account, to: settler, data, value, gas, mayRevert: true } as const
    const [result] = await evm.callAgreed([call], {})
    return { isPayable: result !== undefined, gasLimit }
  }

  return {
    attempt: async (orderId, order, destination) => {
      try {
        const { isPayable, gasLimit } = await run(order, destination)
        const revertedMs = revertedSince.heldMs(orderId, isPayable === false)
        return { isPayable: isPayable === false && revertedMs < GRACE_MS ? undefined : isPayable, gasLimit }
      } catch (error) {
        log('warn', 'fill_trial_failed', { chainId: order.destinationChain, orderId, error })
        return { isPayable: undefined, gasLimit: FILL_GAS }
      }
    },
    reverted: pauses.note,
    keep: revertedSince.keep,
  }
}
