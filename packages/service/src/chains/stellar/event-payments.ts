import type { ChainId } from '@openrfq/sdk'
import type { Payment } from '../../core/payment.ts'
import { mapAtMost } from '../../lib/map-at-most.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { AssetMovement } from './asset-movement.ts'
import type { LedgerEvent } from './rpc-answers.ts'

const MEMOS_AT_ONCE = 8
const OPERATION_MASK = 0xfffn
const EVENT_BITS = 18

/** An event and what it moved. */
export type SeenMovement = { readonly event: LedgerEvent; readonly movement: AssetMovement }

/** The events that moved something. */
export const movementsIn = (
  events: readonly LedgerEvent[],
  movementOf: (event: LedgerEvent) => AssetMovement | undefined,
): readonly SeenMovement[] =>
  events.flatMap((event) => {
    const movement = movementOf(event)
    return movement === undefined || movement.amount === 0n ? [] : [{ event, movement }]
  })

/** Operation and event, both counted from 0, as one number below 2^30. */
export const placeOf = (operation: number, event: number): number => operation * 2 ** EVENT_BITS + event

/** The place of an event within its transaction. Source: SEP-35. */
const positionOf = (id: string): number => {
  const [order = '', event = ''] = id.split('-')
  if (Number(event) >= 2 ** EVENT_BITS)
    throw new RpcError('MALFORMED', `event ${id} stands too far down in its operation`)
  return placeOf(Number(BigInt(order) & OPERATION_MASK), Number(event))
}

/** A transaction's memo, and the places of the payments that it is about. */
export type TransactionMemo = { readonly memo: string | undefined; readonly places: ReadonlySet<number> }

export const NO_MEMOS: ReadonlyMap<string, TransactionMemo> = new Map()

/** The memos that only transactions contain, by transaction; at most eight requests at once. */
export const memosOf = async (
  memoOf: (txHash: string) => Promise<TransactionMemo>,
  seen: readonly SeenMovement[],
): Promise<ReadonlyMap<string, TransactionMemo>> => {
  const unknown = seen.filter(({ movement }) => movement.memo === undefined)
  const hashes = [...new Set(unknown.map(({ event }) => event.txHash))]
  return new Map(
    await mapAtMost(MEMOS_AT_ONCE, hashes, async (txHash) => [txHash, await memoOf(txHash)] as const),
  )
}

/** The payment of an event; `memos`: those that only transactions contain, by transaction. */
export const paymentOf = (
  chainId: ChainId,
  { event, movement }: SeenMovement,
  memos: ReadonlyMap<string, TransactionMemo>,
): Payment => {
  const position = positionOf(event.id)
  const told = memos.get(event.txHash)
  return {
    ...movement,
    memo: movement.memo ?? (told?.places.has(position) === true ? told.memo : undefined),
    chainId,
    txHash: event.txHash,
    position,
    blockNumber: BigInt(event.ledger),
    timestampSeconds: Math.floor(Date.parse(event.ledgerClosedAt) / 1000),
  }
}
