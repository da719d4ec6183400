import type { ChainId } from '@openrfq/sdk'
import type { EvmChain, EvmResult } from '../../chains/evm/evm-chain.ts'
import { rpcErrorCode } from '../../chains/rpc/rpc-error.ts'
import type { Instant } from '../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { Log } from '../../lib/log.ts'
import { createFactCheck, type Fact } from '../../transactions/fact-check.ts'
import { type OrderStatus, readStatus, type SettlerContract, statusCall } from '../settlers/order-status.ts'

/** A settler of either kind, with its chain. */
export type AskedSettler = SettlerContract & {
  readonly chainId: ChainId
  readonly evm: Pick<EvmChain, 'callMany' | 'callAgreed' | 'callStatements' | 'head'>
}

type AskedStatus = {
  readonly settler: AskedSettler
  readonly orderId: OrderId
  readonly status: OrderStatus
  /** What rests on the status, as in `fill:<order id>`. */
  readonly key: string
  /** A block that an endpoint must have reached; absent, the head. */
  readonly after?: { readonly blockNumber: bigint; readonly timestampSeconds: number } | undefined
}

/** Whether a quorum of endpoints gives an order's status, and none that has reached the block gives another; never rejects. */
export type StatusCheck = (asked: AskedStatus) => Promise<boolean>

type Deps = { readonly now: () => Instant; readonly log: Log }

/** Creates the check. */
export const createStatusCheck = ({ now, log }: Deps): StatusCheck => {
  const factCheck = createFactCheck({ now, log })
  return async ({ settler: asked, orderId, status, key, after: block }) => {
    const { chainId, evm } = asked
    const call = statusCall(asked, orderId)
    const isGiven = (result: EvmResult): boolean => readStatus(asked.kind, result) === status
    const number = block?.blockNumber ?? evm.head()?.number
    const after =
      number === undefined
        ? undefined
        : { number, ...(block && { timestampSeconds: block.timestampSeconds }) }
    const text = `the status of order ${orderId} is ${status}`
    const question = { about: text, call, confirms: isGiven }
    const fact: Fact = {
      chainId,
      text,
      ask: () => evm.callStatements(after === undefined ? question : { ...question, after }),
    }
    try {
      await evm.callAgreed([call], { isReached: ([result]) => isGiven(result) })
      return await factCheck.allows(key, [fact])
    } catch (error) {
      if (rpcErrorCode(error) !== 'NODE_BEHIND') log('warn', 'order_read_failed', { chainId, orderId, error })
      return false
    }
  }
}

/**
 * Creates a check before a decline, which refunds the depositor: whether a quorum of endpoints of the destination says that
 * the order is not filled, and none says otherwise. A destination without a settler here passes.
 */
export const createDeclineCheck = (chains: ReadonlyMap<ChainId, AskedSettler>, deps: Deps) => {
  const isGiven = createStatusCheck(deps)
  return async (
    orderId: OrderId,
    { destinationChain }: Pick<IntentOrder, 'destinationChain'>,
  ): Promise<boolean> => {
    const settler = chains.get(destinationChain)
    if (settler === undefined) return true
    if (settler.evm.head() === undefined) return false
    return isGiven({ settler, orderId, status: 'none', key: `decline:${orderId}` })
  }
}
