import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import type { Payment } from '../../core/payment.ts'
import { mapAtMost } from '../../lib/map-at-most.ts'
import { createAgreedPayments, type PaymentsOfOne } from '../agreed-payments.ts'
import { createNamedPayments, type PlacedTransaction } from '../named-payments.ts'
import type { PaymentChain } from '../payment-chain.ts'
import { createPaymentStatements } from '../payment-statements.ts'
import { askFor } from '../rpc/ask-for.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcAsk, RpcWork } from '../rpc/rpc-members.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { type AssetMovement, createMovementReader } from './asset-movement.ts'
import { readAssetEvents, readCloseTime } from './event-pages.ts'
import { readWindow } from './ledger-window.ts'
import { createMemoReader, memoOf } from './memo-reader.ts'
import { FoundTransaction, type LedgerEvent } from './rpc-answers.ts'
import { loadStellarSdk } from './sdk.ts'
import { readTransactionEvents } from './transaction-events.ts'

type Deps = {
  readonly chainId: ChainId
  readonly passphrase: string
  readonly pool: RpcPool
  readonly deadlineMs: number
  readonly now: () => Instant
}

type Seen = { readonly event: LedgerEvent; readonly movement: AssetMovement }

const MEMOS_AT_ONCE = 8
/** Ledgers take five seconds; a sandbox closes one a second. */
const FASTEST_LEDGER_MS = 1_000
const OPERATION_MASK = 0xfffn
const EVENT_BITS = 18

/** Operation and event within the transaction as one number below 2^30. Source: SEP-35. */
const positionOf = (id: string): number => {
  const [order = '', event = ''] = id.split('-')
  if (Number(event) >= 2 ** EVENT_BITS)
    throw new RpcError('MALFORMED', `event ${id} stands too far down in its operation`)
  return Number(BigInt(order) & OPERATION_MASK) * 2 ** EVENT_BITS + Number(event)
}

/** The memos that only transactions contain, by transaction; at most eight requests at once. */
const memosOf = async (
  memoOf: (txHash: string) => Promise<string | undefined>,
  seen: readonly Seen[],
): Promise<ReadonlyMap<string, string | undefined>> => {
  const unknown = seen.filter(({ movement }) => movement.memo === undefined)
  const hashes = [...new Set(unknown.map(({ event }) => event.txHash))]
  return new Map(
    await mapAtMost(MEMOS_AT_ONCE, hashes, async (txHash) => [txHash, await memoOf(txHash)] as const),
  )
}

/** The payment of an event; `memos`: those that only transactions contain, by transaction. */
export const paymentOf = (
  chainId: ChainId,
  { event, movement }: Seen,
  memos: ReadonlyMap<string, string | undefined>,
): Payment => ({
  ...movement,
  memo: movement.memo ?? memos.get(event.txHash),
  chainId,
  txHash: event.txHash,
  position: positionOf(event.id),
  blockNumber: BigInt(event.ledger),
  timestampSeconds: Math.floor(Date.parse(event.ledgerClosedAt) / 1000),
})

/** The ledger to search from; throws if the node has not reached it or `upTo`, or no longer retains it. */
const expectRange = async (
  ask: RpcAsk,
  after: bigint,
  upTo = after,
): Promise<{ readonly after: number; readonly first: number }> => {
  const { oldestLedger, latestLedger } = await readWindow(ask)
  const next = Number(after) + 1
  if (next < oldestLedger)
    throw new RpcError(
      'NODE_PRUNED',
      `payments after ledger ${after} are wanted, the node knows them from ${oldestLedger} on`,
    )
  if (latestLedger < Number(upTo))
    throw new RpcError(
      'NODE_BEHIND',
      `payments up to ledger ${upTo} are wanted, the node is at ${latestLedger}`,
    )
  return { after: Number(after), first: Math.min(next, latestLedger) }
}

const prepare = async (passphrase: string) => {
  const sdk = await loadStellarSdk()
  return { sdk, movementOf: createMovementReader(sdk, passphrase), memoOf: createMemoReader(sdk) }
}

/** The ledger of a transaction. */
const numberOf = async (ask: RpcAsk, txHash: string): Promise<bigint> => {
  const found = await askFor(ask, { method: 'getTransaction', params: { hash: txHash } }, FoundTransaction)
  if (found.ledger === undefined)
    throw new RpcError('NODE_BEHIND', `node does not know transaction ${txHash}`)
  return BigInt(found.ledger)
}

/**
 * A transaction of a ledger; undefined if the endpoint retains the ledger without it. Throws NODE_BEHIND or NODE_PRUNED for one
 * that does not have the ledger.
 */
const readPlaced = async (
  context: Parameters<typeof readTransactionEvents>[0],
  ask: RpcAsk,
  { txHash, blockNumber }: Pick<PlacedTransaction, 'txHash' | 'blockNumber'>,
) => {
  await expectRange(ask, blockNumber - 1n, blockNumber)
  const found = await readTransactionEvents(context, ask, txHash)
  return found.kind === 'made' ? found : undefined
}

/** Reads a ledger's close time, by agreement. */
export const createTimeReader =
  ({ pool, deadlineMs }: Pick<Deps, 'pool' | 'deadlineMs'>): PaymentChain['timeOf'] =>
  (number) =>
    pool.agree({
      work: async (ask) => {
        await expectRange(ask, number - 1n, number)
        const time = await readCloseTime(ask, Number(number))
        ask.checkTime(time)
        return time
      },
      keyOf: String,
      deadlineMs,
    })

/**
 * Reads payments from asset events, which a node must emit for classic operations too (the default). A closed ledger is
 * final, so only payments without agreement are tentative. Source: CAP-67.
 */
export const createPaymentReader = ({
  chainId,
  passphrase,
  pool,
  deadlineMs,
  now,
}: Deps): Pick<PaymentChain, 'readPayments' | 'paymentStatements' | 'paymentsIn' | 'absenceStatements'> => {
  let tools: ReturnType<typeof prepare> | undefined
  const load = (): ReturnType<typeof prepare> => {
    tools ??= prepare(passphrase)
    return tools
  }

  /** The payments of events as one endpoint tells them. */
  const present =
    (events: readonly LedgerEvent[]): RpcWork<readonly Payment[]> =>
    async (ask, endpoint) => {
      const { movementOf, memoOf } = await load()
      const seen = events.flatMap((event): readonly Seen[] => {
        const movement = movementOf(event)
        return movement === undefined || movement.amount === 0n ? [] : [{ event, movement }]
      })
      const memos = await memosOf((txHash) => memoOf(ask, endpoint, txHash), seen)
      return seen.map((one) => paymentOf(chainId, one, memos))
    }

  const read: PaymentsOfOne['read'] =
    ({ accounts, after, upTo: wanted }) =>
    async (ask, endpoint) => {
      const { sdk } = await load()
      const range = await expectRange(ask, after, wanted)
      const found = await readAssetEvents(sdk, ask, accounts, range)
      const upTo = wanted === undefined ? found.upTo : Math.min(found.upTo, Number(wanted))
      const final = await present(found.events.filter(({ ledger }) => ledger <= upTo))(ask, endpoint)
      const upToTimestampSeconds =
        upTo === found.upTo ? found.upToTimestampSeconds : await readCloseTime(ask, upTo)
      return { upTo: BigInt(upTo), upToTimestampSeconds, final, tentative: [] }
    }

  const paymentsBeside =
    ({ txHash, blockNumber, from, to }: PlacedTransaction): RpcWork<readonly Payment[]> =>
    async (ask) => {
      const { sdk, movementOf } = await load()
      const made = await readPlaced({ sdk, passphrase }, ask, { txHash, blockNumber })
      if (made === undefined) return []
      const memos = new Map(made.events.map((event) => [event.txHash, memoOf(sdk, made.envelopeXdr)]))
      return made.events.flatMap((event): readonly Payment[] => {
        const movement = movementOf(event)
        if (movement === undefined || movement.amount === 0n) return []
        const isSought = [movement.from, movement.to].some((account) => account === from || account === to)
        return isSought ? [paymentOf(chainId, { event, movement }, memos)] : []
      })
    }

  const finalNumber = async (ask: RpcAsk): Promise<bigint> => BigInt((await readWindow(ask)).latestLedger)
  const oldestNumber = async (ask: RpcAsk): Promise<bigint> => BigInt((await readWindow(ask)).oldestLedger)
  const ofOne = { pool, read, finalNumber, deadlineMs }
  const readPayments = createAgreedPayments({ ...ofOne, now })
  return {
    readPayments: async (accounts, after) => {
      if (accounts.length === 0) throw new RangeError('payments of no account are wanted')
      return readPayments(accounts, after)
    },
    paymentsIn: createNamedPayments({ pool, numberOf, paymentsBeside, deadlineMs }),
    ...createPaymentStatements({
      ...ofOne,
      oldestNumber,
      oldestSeconds: (ask, number) => readCloseTime(ask, Number(number)),
      newest: async (ask) => {
        const { latestLedger, latestLedgerCloseTime } = await readWindow(ask)
        return { number: BigInt(latestLedger), timestampSeconds: latestLedgerCloseTime }
      },
      paymentsBeside,
      fastestBlockMs: FASTEST_LEDGER_MS,
    }),
  }
}
