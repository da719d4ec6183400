import type { PaymentChain, PaymentChainHead } from '../chains/payment-chain.ts'
import { RpcError } from '../chains/rpc/rpc-error.ts'
import type { Payment } from '../core/payment.ts'
import type { Log } from '../lib/log.ts'
import type { ChainCursor, Store } from '../store/store.ts'

/** A block up to which payments are read, and its time in seconds; undefined for a block that the operator names. */
export type Reached = { readonly number: bigint; readonly seconds: number | undefined }

/** The stored form; the block's time distinguishes it from a block of another chain. */
export const cursorOf = ({ number, seconds }: Reached): ChainCursor => ({
  blockNumber: number,
  blockHash: '',
  timestampSeconds: seconds,
})

/** Earlier versions stored the time as the hash. */
const reachedOf = ({ blockNumber, blockHash, timestampSeconds }: ChainCursor): Reached => ({
  number: blockNumber,
  seconds: timestampSeconds ?? (Number(blockHash) || undefined),
})

type Deps = {
  readonly chain: Pick<PaymentChain, 'chainId' | 'head' | 'timeOf'>
  /** Where to start without a cursor on the chain; undefined for the newest final block. */
  readonly startAfter: bigint | undefined
  /** Where reading continues by the operator's decision although history is lost; undefined otherwise. */
  readonly readAfter: bigint | undefined
  readonly store: Pick<Store, 'findCursor' | 'newestConfirmedPayment'>
  readonly log: Log
}

/** Sound endpoints are not further behind the newest final block than this. */
const LAG_SECONDS = 60
/** Longer than the ranges of blocks that are read at once in sound operation. */
const MOST_BACK = 1_000n
/** Nor are they further behind a block whose time is not known. */
const LAG_BLOCKS = 1_000n

/**
 * Whether the chain came past a cursor's time without its block: endpoints made the block up, or the chain is another
 * one.
 */
export const isBeyondChain = (head: PaymentChainHead | undefined, { number, seconds }: Reached): boolean =>
  head !== undefined &&
  seconds !== undefined &&
  head.finalNumber < number &&
  head.finalTimestampSeconds > seconds + LAG_SECONDS

/**
 * The block to continue from: the stored cursor, or `startAfter` or the newest final block without one. If the chain
 * does not have the cursor's block, reading continues from the newest confirmed payment that is on it. Rejects if the
 * chain cannot be read or was reset.
 */
export const findStart = async (deps: Deps): Promise<Reached> => {
  const { chain, startAfter, readAfter, store, log } = deps
  const { chainId } = chain
  const head = chain.head()
  if (head === undefined) throw new RpcError('NO_HEAD', `${chainId} cannot be read`)
  const cursor = await store.findCursor(chainId)
  if (cursor === undefined && startAfter !== undefined) return { number: startAfter, seconds: undefined }
  if (cursor === undefined) return { number: head.finalNumber, seconds: await chain.timeOf(head.finalNumber) }
  if (readAfter !== undefined && readAfter > cursor.blockNumber)
    return { number: readAfter, seconds: undefined }
  const reached = reachedOf(cursor)
  if (await isKnown(chain, reached, head)) return reached
  const anchor = await findAnchor(deps, reached, head)
  if (anchor === undefined)
    throw new RpcError(
      'WRONG_CHAIN',
      `${chainId} was reset: it has another block ${reached.number} than the one read before`,
    )
  log('error', 'payment_cursor_not_on_chain', { chainId, cursor: reached.number, readAfter: anchor.number })
  return anchor
}

/**
 * Where reading starts again to find what a made-up payment hid, whose block may be made up too: before the newest
 * confirmed payment in an earlier block, at most a thousand blocks back. Rejects if the store cannot be read.
 */
export const findPlaceBefore = async (
  { chain, store }: Pick<Deps, 'chain' | 'store'>,
  { blockNumber }: Pick<Payment, 'blockNumber'>,
): Promise<Reached> => {
  const before = blockNumber - 1n
  const known = await store.newestConfirmedPayment(chain.chainId, before)
  const furthest = before > MOST_BACK ? before - MOST_BACK : 0n
  const beforeKnown = known === undefined ? before : known.blockNumber - 1n
  const number = beforeKnown > furthest ? beforeKnown : furthest
  const seconds = await chain.timeOf(number).catch(() => undefined)
  return { number, seconds }
}

/** Whether the chain has the block, or nodes that are behind may still have it. */
const isKnown = async (
  chain: Deps['chain'],
  { number, seconds }: Reached,
  head: PaymentChainHead,
): Promise<boolean> => {
  if (seconds === undefined) return head.finalNumber + LAG_BLOCKS >= number
  if (head.finalNumber < number) return head.finalTimestampSeconds <= seconds
  return (await chain.timeOf(number)) === seconds
}

/** A block below a cursor that the chain does not have, which proves that it is the chain read before. */
const findAnchor = async (
  { chain, startAfter, readAfter, store }: Deps,
  { number }: Reached,
  { finalNumber }: PaymentChainHead,
): Promise<Reached | undefined> => {
  const known = await store.newestConfirmedPayment(chain.chainId, finalNumber < number ? finalNumber : number)
  if (known !== undefined && (await chain.timeOf(known.blockNumber)) === known.timestampSeconds)
    return { number: known.blockNumber, seconds: known.timestampSeconds }
  const given = readAfter ?? startAfter
  return given === undefined || given > finalNumber ? undefined : { number: given, seconds: undefined }
}
