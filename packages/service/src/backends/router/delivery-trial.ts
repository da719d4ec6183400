import { uintAt } from '../../chains/evm/abi-words.ts'
import type { EvmCall, EvmChain, EvmResult } from '../../chains/evm/evm-chain.ts'
import type { Instant } from '../../core/instant.ts'
import { createLru } from '../../lib/lru.ts'
import {
  type DeliveredMessage,
  executeMessageData,
  isApprovedData,
} from '../../protocols/axelar/gateway-approval.ts'
import type { BoundTransfer } from './binding.ts'
import { type ExpressOrder, giveBackData, NOBODY, transferPayload } from './express-contract.ts'

/** A transfer on its destination: what was sent, and in which command of the gateway it arrives. */
type Arriving = {
  readonly bound: BoundTransfer
  readonly amount: bigint
  readonly commandId: string
}

/** What the destination says of a message: whether its gateway has approved it, and whether its delivery succeeds now. */
export type DeliveryTrial = 'not_approved' | 'deliverable' | 'undeliverable'

/** Several times what a delivery takes; a recipient that burns more is not paid. */
const TRIAL_GAS = 3_000_000n
/** Gas limit of giving a transfer back: it took at most 260,000 in tests. */
export const GIVE_BACK_GAS = 450_000n

/** The transfer's message as its destination's gateway approves it. */
export const arrivingMessage = ({ bound, amount, commandId }: Arriving): DeliveredMessage => {
  const { order, router, sourceChain, sourceChainId, destinationSymbol } = bound
  return {
    commandId,
    sourceChain,
    sourceAddress: router,
    contract: router,
    payload: transferPayload(order, { sourceChain, sourceChainId, sender: order.refundAddress, amount }),
    token: { symbol: destinationSymbol, amount },
  }
}

/** An account that may execute the delivery at any time. */
const delivererOf = ({ keeper, executor, recipient }: ExpressOrder): string =>
  [keeper, executor].find((account) => account !== NOBODY) ?? recipient

const trialCalls = (arriving: Arriving): readonly EvmCall[] => {
  const { order, destinationGateway, router } = arriving.bound
  const message = arrivingMessage(arriving)
  return [
    { to: destinationGateway, data: isApprovedData(message) },
    {
      from: delivererOf(order),
      to: router,
      data: executeMessageData(message),
      gas: TRIAL_GAS,
      mayRevert: true,
    },
  ]
}

const judge = ([approved, delivery]: readonly EvmResult[]): DeliveryTrial => {
  if (approved === undefined || uintAt(approved, 0) !== 1n) return 'not_approved'
  return delivery === undefined ? 'undeliverable' : 'deliverable'
}

/** Runs the delivery of a transfer at the newest block of one endpoint, without sending it. Rejects if it cannot be read. */
export const tryDelivery = async (
  chain: Pick<EvmChain, 'callMany'>,
  arriving: Arriving,
): Promise<DeliveryTrial> => judge(await chain.callMany(trialCalls(arriving)))

/** The call that gives a transfer back, and what its caller pays for the way, in wei. */
type GiveBack = { readonly caller: string; readonly value: bigint }

/**
 * Whether a quorum of endpoints agree that a transfer's message is approved, that its delivery fails, and that the caller can
 * give it back. Rejects without a quorum.
 */
export const mayGiveBack = async (
  chain: Pick<EvmChain, 'callAgreed'>,
  arriving: Arriving,
  { caller, value }: GiveBack,
): Promise<boolean> => {
  const giveBack: EvmCall = {
    from: caller,
    to: arriving.bound.router,
    data: giveBackData(arrivingMessage(arriving)),
    value,
    gas: GIVE_BACK_GAS,
    mayRevert: true,
  }
  const results = await chain.callAgreed([...trialCalls(arriving), giveBack], {})
  return judge(results) === 'undeliverable' && results[2] !== undefined
}

const MOST_FAILING = 10_000

/** Measures for how long the trials of a transfer have failed, without one that succeeded in between. */
export type FailingDeliveries = {
  readonly note: (transferId: string, trial: DeliveryTrial) => void
  /** Milliseconds; 0 for a delivery whose last trial did not fail. */
  readonly failingMs: (transferId: string) => number
}

/** Starts without any; a restart begins every measurement again. */
export const createFailingDeliveries = (now: () => Instant): FailingDeliveries => {
  const since = createLru<string, Instant>(MOST_FAILING)
  return {
    note: (transferId, trial) => {
      if (trial !== 'undeliverable') since.delete(transferId)
      else if (since.get(transferId) === undefined) since.set(transferId, now())
    },
    failingMs: (transferId) => {
      const first = since.get(transferId)
      return first === undefined ? 0 : now() - first
    },
  }
}
