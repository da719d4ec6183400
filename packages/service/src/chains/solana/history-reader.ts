import { askFor } from '../rpc/ask-for.ts'
import { expectResult } from '../rpc/expect-result.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import type { SolanaLimits } from './limits.ts'
import { SignaturePage, U64 } from './rpc-answers.ts'

/** A successful transaction that names an account, and its slot. */
export type ListedTransaction = { readonly signature: string; readonly slot: bigint }

/** A node's history of some accounts above a slot. */
export type ListedHistory = {
  /** The node's newest final slot, read before the listing. */
  readonly finalSlot: bigint
  /** In slot order; final ones and, above the final slot, confirmed ones. */
  readonly transactions: readonly ListedTransaction[]
}

/** The history to list: addresses and the slot to start above. */
type HistoryQuery = {
  readonly addresses: readonly string[]
  readonly after: bigint
  /** The slot that must be final at the node. */
  readonly upTo: bigint
  readonly limits: SolanaLimits
}

type Cursor = { readonly address: string; readonly before: SignaturePage[number] | undefined }

/** The node's newest final slot. */
export const readFinalSlot = async (ask: RpcAsk): Promise<bigint> =>
  askFor(ask, { method: 'getSlot', params: [{ commitment: 'finalized' }] }, U64)

/** The oldest slot that the node knows. */
export const readFirstSlot = async (ask: RpcAsk): Promise<bigint> =>
  askFor(ask, { method: 'getFirstAvailableBlock', params: [] }, U64)

/** The node's newest final slot; throws if it has not finalized `upTo`, or no longer knows the slots above `after`. */
export const expectRange = async (
  ask: RpcAsk,
  { after, upTo }: Pick<HistoryQuery, 'after' | 'upTo'>,
): Promise<bigint> => {
  const [final, first] = await ask([
    { method: 'getSlot', params: [{ commitment: 'finalized' }] },
    { method: 'getFirstAvailableBlock', params: [] },
  ])
  const finalSlot = expectResult(final, U64)
  if (finalSlot < upTo) throw new RpcError('NODE_BEHIND', `node is behind, at final slot ${finalSlot}`)
  const firstSlot = expectResult(first, U64)
  if (firstSlot > after + 1n)
    throw new RpcError(
      'NODE_PRUNED',
      `the node knows slots from ${firstSlot}, expected ${after + 1n} and later`,
    )
  return finalSlot
}

const pageCall = ({ address, before }: Cursor, finalSlot: bigint, limit: number) => ({
  method: 'getSignaturesForAddress',
  params: [
    address,
    {
      commitment: 'confirmed',
      limit,
      minContextSlot: Number(finalSlot),
      ...(before === undefined ? {} : { before: before.signature }),
    },
  ],
})

/** The cursor of the next page, or undefined if the account is read down to the slot. */
const nextCursor = (
  { address, before }: Cursor,
  page: SignaturePage,
  { after, limits }: HistoryQuery,
  finalSlot: bigint,
): Cursor | undefined => {
  // The page after a transaction that a fork dropped is empty, like the page after the oldest one.
  if (page.length === 0 && before !== undefined && before.slot > finalSlot)
    throw new RpcError('CHAIN_CHANGED', 'a fork dropped a transaction while the history was read')
  const last = page.at(-1)
  return last === undefined || page.length < limits.pageSignatures || last.slot <= after
    ? undefined
    : { address, before: last }
}

/**
 * Lists the successful transactions of accounts above a slot, all from one node. Throws if the node lags behind the
 * slot, no longer knows that far back, or has more of them than the limits allow. Source: Solana RPC
 * "getSignaturesForAddress".
 */
export const listHistory = async (ask: RpcAsk, query: HistoryQuery): Promise<ListedHistory> => {
  const { addresses, after, limits } = query
  const finalSlot = await expectRange(ask, query)
  const found = new Map<string, ListedTransaction>()
  let cursors: readonly Cursor[] = addresses.map((address) => ({ address, before: undefined }))
  let pages = 0
  while (cursors.length > 0) {
    pages += cursors.length
    if (pages > limits.pages)
      throw new RpcError('TOO_MUCH', `more than ${limits.pages} pages of transactions above slot ${after}`)
    const answers = await ask(cursors.map((cursor) => pageCall(cursor, finalSlot, limits.pageSignatures)))
    cursors = cursors.flatMap((cursor, position) => {
      const page = expectResult(answers[position], SignaturePage)
      for (const { signature, slot, err } of page)
        if (err === null && slot > after) found.set(signature, { signature, slot })
      const next = nextCursor(cursor, page, query, finalSlot)
      return next === undefined ? [] : [next]
    })
  }
  const transactions = [...found.values()].sort((one, other) => Number(one.slot - other.slot))
  return { finalSlot, transactions }
}
