import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import type { Payment } from '../../core/payment.ts'
import { createAbsenceStatements } from '../absence-statements.ts'
import { createAgreedPayments, type PaymentsOfOne } from '../agreed-payments.ts'
import { createNamedPayments, type PlacedTransaction } from '../named-payments.ts'
import type { PaymentChain } from '../payment-chain.ts'
import { createPaymentStatements } from '../payment-statements.ts'
import { askFor } from '../rpc/ask-for.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcAsk, RpcWork } from '../rpc/rpc-members.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { createMovementReader } from './asset-movement.ts'
import type { ClassicEventsProof } from './classic-events.ts'
import { readAssetEvents, readCloseTime } from './event-pages.ts'
import { movementsIn, paymentOf } from './event-payments.ts'
import { readWindow } from './ledger-window.ts'
import { asListed, listPayments } from './listed-payments.ts'
import { createMemoReader, transactionMemo } from './memo-reader.ts'
import { createPaymentSearch } from './payment-search.ts'
import { FoundTransaction } from './rpc-answers.ts'
import { loadStellarSdk } from './sdk.ts'
import type { StellarTiming } from './timing.ts'
import { readTransactionEvents } from './transaction-events.ts'

type Deps = {
  readonly chainId: ChainId
  readonly passphrase: string
  readonly pool: RpcPool
  readonly timing: Pick<StellarTiming, 'paymentsMs' | 'searchMs'>
  readonly now: () => Instant
  readonly classicEvents: ClassicEventsProof
}

/** The first endpoint reads for a third of the time, so that slower ones can read as much in all of it. */
const SHARES = 3

/** Ledgers take five seconds; a sandbox closes one a second. */
const FASTEST_LEDGER_MS = 1_000

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
  return { sdk, movementOf: createMovementReader(sdk, passphrase), memoOf: createMemoReader(sdk, passphrase) }
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
  ({ pool, deadlineMs }: Pick<Deps, 'pool'> & { readonly deadlineMs: number }): PaymentChain['timeOf'] =>
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
 * Reads payments from asset events, which a node must emit for classic operations too. A closed ledger is final, so only
 * payments without agreement are tentative. Source: CAP-67.
 */
export const createPaymentReader = ({
  chainId,
  passphrase,
  pool,
  timing: { paymentsMs: deadlineMs, searchMs },
  now,
  classicEvents,
}: Deps): Pick<
  PaymentChain,
  'readPayments' | 'paymentStatements' | 'statementsOfEach' | 'paymentsIn' | 'absenceStatements'
> => {
  let tools: ReturnType<typeof prepare> | undefined
  const load = (): ReturnType<typeof prepare> => {
    tools ??= prepare(passphrase)
    return tools
  }

  const read: PaymentsOfOne['read'] = ({ accounts, after, upTo: wanted }) =>
    classicEvents.needed(async (ask, endpoint) => {
      const { sdk, ...tools } = await load()
      const searched = await expectRange(ask, after, wanted)
      const most = wanted === undefined ? { budgetMs: deadlineMs / SHARES } : { upTo: Number(wanted) }
      const found = await readAssetEvents(sdk, ask, accounts, { ...searched, ...most })
      const upTo = wanted === undefined ? found.upTo : Math.min(found.upTo, Number(wanted))
      const events = found.events.filter(({ ledger }) => ledger <= upTo)
      const final = await listPayments(tools, { chainId, accounts, events })(ask, endpoint)
      const told = upTo === found.upTo ? found.upToTimestampSeconds : undefined
      const upToTimestampSeconds = told ?? (await readCloseTime(ask, upTo))
      return { upTo: BigInt(upTo), upToTimestampSeconds, final, tentative: [] }
    })

  const paymentsBeside = ({
    txHash,
    blockNumber,
    from,
    to,
  }: PlacedTransaction): RpcWork<readonly Payment[]> =>
    classicEvents.needed(async (ask) => {
      const { sdk, movementOf } = await load()
      const made = await readPlaced({ sdk, passphrase }, ask, { txHash, blockNumber })
      if (made === undefined) return []
      const memo = transactionMemo(sdk, passphrase, made)
      const memos = new Map(made.events.map((event) => [event.txHash, memo]))
      return movementsIn(made.events, movementOf)
        .filter(({ movement }) => [movement.from, movement.to].some((one) => one === from || one === to))
        .map((seen) => paymentOf(chainId, seen, memos))
    })

  const finalNumber = async (ask: RpcAsk): Promise<bigint> => BigInt((await readWindow(ask)).latestLedger)
  const newest = async (ask: RpcAsk) => {
    const { latestLedger, latestLedgerCloseTime } = await readWindow(ask)
    return { number: BigInt(latestLedger), timestampSeconds: latestLedgerCloseTime }
  }
  const oldestNumber = async (ask: RpcAsk): Promise<bigint> => BigInt((await readWindow(ask)).oldestLedger)
  const readPayments = createAgreedPayments({ pool, read, finalNumber, deadlineMs, now })
  return {
    readPayments: async (accounts, after) => {
      if (accounts.length === 0) throw new RangeError('payments of no account are wanted')
      return readPayments(accounts, after)
    },
    paymentsIn: createNamedPayments({ pool, numberOf, paymentsBeside, deadlineMs }),
    ...createPaymentStatements({
      ...{ pool, newest, deadlineMs },
      paymentsBeside: (payment) => asListed(payment, paymentsBeside(payment)),
    }),
    absenceStatements: createAbsenceStatements({
      pool,
      search: createPaymentSearch({ chainId, load, classicEvents }),
      finalNumber,
      oldestNumber,
      oldestSeconds: (ask, number) => readCloseTime(ask, Number(number)),
      fastestBlockMs: FASTEST_LEDGER_MS,
      deadlineMs,
      searchMs,
    }),
  }
}
