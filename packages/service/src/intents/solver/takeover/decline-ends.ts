import type { ChainId } from '@openrfq/sdk'
import type { EvmBlock, EvmChain, EvmHead, EvmResult } from '../../../chains/evm/evm-chain.ts'
import { rpcErrorCode } from '../../../chains/rpc/rpc-error.ts'
import type { IntentOrder, OrderId } from '../../../core/intent-order.ts'
import type { Log } from '../../../lib/log.ts'
import { readStatus, statusCall } from '../../settlers/order-status.ts'
import { assetKey, type SolverAsset } from '../assets.ts'
import type { Settlement } from '../config.ts'
import { isDeepEnough } from '../confirmation.ts'

/** An origin of orders. */
type Origin = {
  readonly evm: Pick<EvmChain, 'head' | 'finalBlock' | 'blocks' | 'callAgreed'>
  readonly settler: string
}

type Deps = {
  readonly chains: ReadonlyMap<ChainId, Origin>
  /** By `assetKey`. */
  readonly assets: ReadonlyMap<string, Pick<SolverAsset, 'price'>>
  readonly settlement: Pick<Settlement, 'confirmations'>
  readonly log: Log
}

type Seen = { readonly orderId: OrderId; readonly order: IntentOrder }

/** Whether the solvers of orders can still decline them, which refunds the depositor. */
export type DeclineEnds = {
  /** Reads what is not known of the orders yet. Never rejects. */
  readonly look: (orders: readonly Seen[]) => Promise<void>
  /**
   * The block on which a quorum of the origin's endpoints call the order open, whose own time is past `exclusiveUntil`, and
   * that is final or as deep as the solver asks of a deposit of this worth. Undefined before it is known.
   */
  readonly blockOf: (orderId: OrderId) => PassedBlock | undefined
  /** Drops what is remembered of other orders. */
  readonly keep: (isKept: (orderId: OrderId) => boolean) => void
}

type PassedBlock = { readonly blockNumber: bigint; readonly timestampSeconds: number }

/** The first block past `exclusiveUntil` that was seen; `passed` once it is deep and the order open on it. */
type Passing = { readonly number: bigint; readonly passed: PassedBlock | undefined }

/** Creates the reader. */
export const createDeclineEnds = ({ chains, assets, settlement, log }: Deps): DeclineEnds => {
  const passings = new Map<OrderId, Passing>()

  const isDeep = (order: IntentOrder, number: bigint, head: EvmHead): boolean =>
    isDeepEnough(settlement, {
      isFinal: head.finalNumber >= number,
      depthBlocks: head.number - number,
      amount: order.inputAmount,
      token: assets.get(assetKey(order.originChain, order.inputToken))?.price,
    })

  /** The block, agreed if it is final; otherwise a quorum must have it for its word on the order to count. */
  const blockAt = async ({ evm }: Origin, number: bigint, head: EvmHead): Promise<EvmBlock | undefined> =>
    head.finalNumber >= number ? evm.finalBlock(number) : (await evm.blocks([number]))[0]

  const isOpenOn = async ({ evm, settler }: Origin, orderId: OrderId, after: EvmBlock): Promise<boolean> => {
    const isReached = ([result]: readonly EvmResult[]): boolean => readStatus('intent', result) === 'open'
    const call = statusCall({ settler }, orderId)
    return isReached(await evm.callAgreed([call], { after, isReached }))
  }

  const lookAt = async ({ orderId, order }: Seen): Promise<void> => {
    const origin = chains.get(order.originChain)
    const head = origin?.evm.head()
    const until = order.proven?.exclusiveUntil
    const known = passings.get(orderId)
    if (origin === undefined || head === undefined || until === undefined || known?.passed !== undefined)
      return
    if (head.timestampSeconds <= until) return
    const { number } = known ?? { number: head.number }
    passings.set(orderId, { number, passed: undefined })
    if (!isDeep(order, number, head)) return
    const block = await blockAt(origin, number, head)
    // The block that was seen has left the chain.
    if (block === undefined || block.timestampSeconds <= until) passings.delete(orderId)
    else if (await isOpenOn(origin, orderId, block)) {
      const passed = { blockNumber: number, timestampSeconds: block.timestampSeconds }
      passings.set(orderId, { number, passed })
    }
  }

  return {
    look: async (orders) => {
      await Promise.all(
        orders.map(async (one) => {
          try {
            await lookAt(one)
          } catch (error) {
            const { orderId, order } = one
            if (rpcErrorCode(error) === 'NODE_BEHIND' || rpcErrorCode(error) === 'NO_AGREEMENT') return
            log('warn', 'order_read_failed', { chainId: order.originChain, orderId, error })
          }
        }),
      )
    },
    blockOf: (orderId) => passings.get(orderId)?.passed,
    keep: (isKept) => {
      for (const orderId of passings.keys()) if (!isKept(orderId)) passings.delete(orderId)
    },
  }
}
