import type { ChainId } from '../../core/chain.ts'
import type { LedgerPayment, PaymentsRead } from '../ledger-chain.ts'
import { type AssetMovement, createMovementReader } from './asset-movement.ts'
import { readAssetEvents } from './event-pages.ts'
import { readWindow } from './ledger-window.ts'
import { createMemoReader } from './memo-reader.ts'
import type { LedgerEvent } from './rpc-answers.ts'
import type { Ask } from './rpc-endpoint.ts'
import { NodeFallsShort, type StellarPool } from './rpc-pool.ts'
import { loadStellarSdk } from './sdk.ts'

type Deps = {
  readonly chainId: ChainId
  readonly passphrase: string
  readonly pool: StellarPool
  readonly deadlineMs: number
}

type Seen = { readonly event: LedgerEvent; readonly movement: AssetMovement }

const MEMOS_AT_ONCE = 8
const OPERATION_MASK = 0xfffn
const EVENT_BITS = 18

/** Operation and event within the transaction as one number below 2^30. Source: SEP-35. */
const positionOf = (id: string): number => {
  const [order = '', event = ''] = id.split('-')
  if (Number(event) >= 2 ** EVENT_BITS) throw new Error(`event ${id} stands too far down in its operation`)
  return Number(BigInt(order) & OPERATION_MASK) * 2 ** EVENT_BITS + Number(event)
}

/** The results of the work on each value, in order, at most eight at once. */
const eachInTurn = async <Value, Result>(
  values: readonly Value[],
  work: (value: Value) => Promise<Result>,
): Promise<readonly Result[]> => {
  const results: Result[] = []
  for (let start = 0; start < values.length; start += MEMOS_AT_ONCE)
    results.push(...(await Promise.all(values.slice(start, start + MEMOS_AT_ONCE).map(work))))
  return results
}

/** Where to search from; throws when the node has not come so far, or does not remember so far back. */
const expectRange = async (
  ask: Ask,
  after: bigint,
): Promise<{ readonly after: number; readonly first: number }> => {
  const { oldestLedger, latestLedger } = await readWindow(ask)
  const next = Number(after) + 1
  if (next < oldestLedger)
    throw new NodeFallsShort(
      `payments after ledger ${after} are wanted, the node knows them from ${oldestLedger} on`,
    )
  if (latestLedger < Number(after))
    throw new NodeFallsShort(`payments after ledger ${after} are wanted, the node is at ${latestLedger}`)
  return { after: Number(after), first: Math.min(next, latestLedger) }
}

/**
 * Reads what moved to and from accounts by the events of assets, which a node must be set up to give for classic
 * operations too, as it is by default. A closed ledger is final, so nothing is tentative. Source: CAP-67.
 */
export const createPaymentReader = ({ chainId, passphrase, pool, deadlineMs }: Deps) => {
  const prepare = async () => {
    const sdk = await loadStellarSdk()
    return { sdk, movementOf: createMovementReader(sdk, passphrase), memoOf: createMemoReader(sdk) }
  }
  type Tools = Awaited<ReturnType<typeof prepare>>
  let tools: Promise<Tools> | undefined

  const paymentOf = async (
    ask: Ask,
    { memoOf }: Tools,
    { event, movement }: Seen,
  ): Promise<LedgerPayment> => ({
    ...movement,
    memo: movement.memo ?? (await memoOf(ask, event.txHash)),
    chainId,
    txHash: event.txHash,
    position: positionOf(event.id),
    blockNumber: BigInt(event.ledger),
    timestampSeconds: Math.floor(Date.parse(event.ledgerClosedAt) / 1000),
  })

  const read = async (
    ask: Ask,
    known: Tools,
    accounts: readonly string[],
    after: bigint,
  ): Promise<PaymentsRead> => {
    const range = await expectRange(ask, after)
    const { upTo, upToTimestampSeconds, events } = await readAssetEvents(known.sdk, ask, accounts, range)
    const seen = events.flatMap((event): readonly Seen[] => {
      const movement = known.movementOf(event)
      return movement === undefined || movement.amount === 0n ? [] : [{ event, movement }]
    })
    const final = await eachInTurn(seen, (one) => paymentOf(ask, known, one))
    return { upTo: BigInt(upTo), upToTimestampSeconds, final, tentative: [] }
  }

  return async (accounts: readonly string[], after: bigint): Promise<PaymentsRead> => {
    if (accounts.length === 0) throw new RangeError('payments of no account are wanted')
    tools ??= prepare()
    const known = await tools
    return pool.read((ask) => read(ask, known, accounts, after), deadlineMs)
  }
}
