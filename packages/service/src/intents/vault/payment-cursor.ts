import type { PaymentChain, PaymentChainHead } from '../../chains/payment-chain.ts'
import { RpcError } from '../../chains/rpc/rpc-error.ts'
import type { ChainCursor, Store } from '../../store/store.ts'

/** A block up to which payments are read, and its time in seconds; undefined before the first read. */
export type Reached = { readonly number: bigint; readonly seconds: number | undefined }

/** The stored form; the block's time distinguishes it from a block of another chain. */
export const cursorOf = ({ number, seconds }: Reached): ChainCursor => ({
  blockNumber: number,
  blockHash: seconds === undefined ? '' : String(seconds),
})

type Deps = {
  readonly chain: Pick<PaymentChain, 'chainId' | 'head' | 'timeOf'>
  /** Where reading continues by the operator's decision although history is lost; undefined otherwise. */
  readonly readAfter: bigint | undefined
  readonly store: Pick<Store, 'findCursor'>
}

/**
 * The block to continue from: the stored cursor, or the newest final block without one. Rejects if the chain cannot be
 * read or was started anew.
 */
export const findStart = async ({ chain, readAfter, store }: Deps): Promise<Reached> => {
  const head = chain.head()
  if (head === undefined) throw new RpcError('NO_HEAD', `${chain.chainId} cannot be read`)
  const cursor = await store.findCursor(chain.chainId)
  if (cursor === undefined) return { number: head.finalNumber, seconds: await chain.timeOf(head.finalNumber) }
  if (readAfter !== undefined && readAfter > cursor.blockNumber)
    return { number: readAfter, seconds: undefined }
  const reached = { number: cursor.blockNumber, seconds: Number(cursor.blockHash) || undefined }
  if (!(await isKnown(chain, reached, head)))
    throw new RpcError(
      'WRONG_CHAIN',
      `${chain.chainId} was started anew: it has another block ${reached.number} than the one read before`,
    )
  return reached
}

/** Whether the chain has the block, or nodes that are behind may still have it. */
const isKnown = async (
  chain: Deps['chain'],
  { number, seconds }: Reached,
  head: PaymentChainHead,
): Promise<boolean> => {
  if (seconds === undefined) return true
  if (head.finalNumber < number) return head.finalTimestampSeconds <= seconds
  return (await chain.timeOf(number)) === seconds
}
