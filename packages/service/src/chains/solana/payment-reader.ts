import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import type { Payment } from '../../core/payment.ts'
import { createLru, type Lru } from '../../lib/lru.ts'
import { createAbsenceStatements } from '../absence-statements.ts'
import { createAgreedPayments, type PaymentsOfOne } from '../agreed-payments.ts'
import { createNamedPayments, type PlacedTransaction } from '../named-payments.ts'
import type { PaymentChain } from '../payment-chain.ts'
import { createPaymentStatements } from '../payment-statements.ts'
import { askFor } from '../rpc/ask-for.ts'
import { expectResult } from '../rpc/expect-result.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcAsk, RpcWork } from '../rpc/rpc-members.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { associatedTokenOf } from './associated-token.ts'
import {
  expectRange,
  type ListedTransaction,
  listHistory,
  readFinalSlot,
  readFirstSlot,
} from './history-reader.ts'
import type { SolanaLimits } from './limits.ts'
import { createPaymentSearch } from './payment-search.ts'
import { paymentsOfTransaction } from './payments-of-transaction.ts'
import { programOf, type SolanaMint } from './programs.ts'
import { BlockTime, RecordedTransaction, U64 } from './rpc-answers.ts'
import type { SolanaTiming } from './timing.ts'

type Deps = {
  readonly chainId: ChainId
  readonly pool: RpcPool
  readonly mints: readonly SolanaMint[]
  readonly limits: SolanaLimits
  readonly timing: Pick<SolanaTiming, 'paymentsMs' | 'searchMs'>
  readonly now: () => Instant
}

/** Transactions per request, which is a few megabytes at most. */
const BATCH = 25
const CACHED_TRANSACTIONS = 2_000
/** Slots take 400 ms; clusters with shorter ones are plans. */
const FASTEST_SLOT_MS = 200
/** Versions differ in encoding only; rejecting one would let anybody stop the reader with it. */
const MAX_VERSION = 1
/** Transactions that are not final are only hints; a flood of them need not be read. */
const MAX_TENTATIVE = 200

type Cache = Lru<string, RecordedTransaction>

const keyOf = ({ signature, slot }: ListedTransaction): string => `${signature} ${slot}`
/** Each endpoint's answers are cached apart: it must not speak for another. */
const cacheKeyOf = (transaction: ListedTransaction, endpoint: number): string =>
  `${endpoint} ${keyOf(transaction)}`

const fetchCall = (signature: string) => ({
  method: 'getTransaction',
  params: [
    signature,
    { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: MAX_VERSION },
  ],
})

const Fetched = RecordedTransaction.nullable()

/** Transactions by key, from the cache or the node; leaves out those that the node lists but does not return. */
const fetchAll = async (
  ask: RpcAsk,
  { cache, endpoint }: { readonly cache: Cache; readonly endpoint: number },
  listed: readonly ListedTransaction[],
): Promise<ReadonlyMap<string, RecordedTransaction>> => {
  const found = new Map<string, RecordedTransaction>()
  const missing: ListedTransaction[] = []
  for (const transaction of listed) {
    const recorded = cache.get(cacheKeyOf(transaction, endpoint))
    if (recorded === undefined) missing.push(transaction)
    else found.set(keyOf(transaction), recorded)
  }
  for (let start = 0; start < missing.length; start += BATCH) {
    const batch = missing.slice(start, start + BATCH)
    const answers = await ask(batch.map(({ signature }) => fetchCall(signature)))
    for (const [position, transaction] of batch.entries()) {
      const recorded = expectResult(answers[position], Fetched)
      if (recorded?.slot !== transaction.slot) continue
      cache.set(cacheKeyOf(transaction, endpoint), recorded)
      found.set(keyOf(transaction), recorded)
    }
  }
  return found
}

/** At most the given number, in whole slots; `upTo` is the last complete slot, undefined if all are taken. */
const takeWholeSlots = (
  final: readonly ListedTransaction[],
  maximum: number,
): { readonly taken: readonly ListedTransaction[]; readonly upTo: bigint | undefined } => {
  const limit = final[maximum - 1]?.slot
  if (limit === undefined) return { taken: final, upTo: undefined }
  const taken = final.filter(({ slot }) => slot <= limit)
  return taken.length === final.length ? { taken, upTo: undefined } : { taken, upTo: limit }
}

const inOrder = (payments: readonly Payment[]): readonly Payment[] =>
  payments.toSorted(
    (one, other) =>
      Number(one.blockNumber - other.blockNumber) ||
      (one.txHash < other.txHash ? -1 : one.txHash > other.txHash ? 1 : one.position - other.position),
  )

const readBlockTime = (ask: RpcAsk, slot: bigint): Promise<number> =>
  askFor(ask, { method: 'getBlockTime', params: [Number(slot)] }, BlockTime)

/** The endpoint's newest confirmed slot, which final ones follow by seconds. */
const readConfirmed = async (ask: RpcAsk) => {
  const number = await askFor(ask, { method: 'getSlot', params: [{ commitment: 'confirmed' }] }, U64)
  return { number, timestampSeconds: await readBlockTime(ask, number) }
}

/** The slot of a transaction. */
const numberOf = async (ask: RpcAsk, txHash: string): Promise<bigint> => {
  const recorded = await askFor(ask, fetchCall(txHash), Fetched)
  if (recorded === null) throw new RpcError('NODE_BEHIND', `node does not know transaction ${txHash}`)
  return recorded.slot
}

/** Reads the time of a final slot, by agreement. */
export const createTimeReader =
  ({ pool, deadlineMs }: Pick<Deps, 'pool'> & { readonly deadlineMs: number }): PaymentChain['timeOf'] =>
  (number) =>
    pool.agree({
      work: async (ask) => {
        await expectRange(ask, { after: number - 1n, upTo: number })
        const time = await readBlockTime(ask, number)
        ask.checkTime(time)
        return time
      },
      keyOf: String,
      deadlineMs,
    })

const createAbsence = (deps: Deps): PaymentChain['absenceStatements'] =>
  createAbsenceStatements({
    pool: deps.pool,
    search: createPaymentSearch(deps),
    finalNumber: readFinalSlot,
    oldestNumber: readFirstSlot,
    oldestSeconds: readBlockTime,
    fastestBlockMs: FASTEST_SLOT_MS,
    deadlineMs: deps.timing.paymentsMs,
    searchMs: deps.timing.searchMs,
  })

/**
 * Reads the payments of accounts and of their associated token accounts. Finality is judged by the slot that the same
 * node reported final before listing. After a flood of transactions `upTo` advances in steps, so that a flood cannot
 * stall the reader. Source: Solana RPC.
 */
export const createPaymentReader = (
  deps: Deps,
): Pick<
  PaymentChain,
  'readPayments' | 'paymentStatements' | 'statementsOfEach' | 'paymentsIn' | 'absenceStatements'
> => {
  const { chainId, pool, mints, limits, now } = deps
  const deadlineMs = deps.timing.paymentsMs
  const cache: Cache = createLru(CACHED_TRANSACTIONS)
  const addressesOf = (account: string): readonly string[] => [
    account,
    ...mints.map((mint) => associatedTokenOf(account, mint.address, programOf(mint))),
  ]

  const read: PaymentsOfOne['read'] =
    ({ accounts: wanted, after, upTo: wantedUpTo }) =>
    async (ask, endpoint) => {
      const accounts = new Set(wanted)
      const history = await listHistory(ask, {
        addresses: wanted.flatMap(addressesOf),
        after,
        upTo: wantedUpTo ?? after,
        limits,
      })
      const { transactions } = history
      const finalSlot = wantedUpTo ?? history.finalSlot
      const final = transactions.filter(({ slot }) => slot <= finalSlot)
      const { taken, upTo } = takeWholeSlots(final, limits.transactions)
      const tentative =
        upTo === undefined ? transactions.slice(final.length, final.length + MAX_TENTATIVE) : []
      const found = await fetchAll(ask, { cache, endpoint }, [...taken, ...tentative])
      const [time] = await ask([{ method: 'getBlockTime', params: [Number(upTo ?? finalSlot)] }])
      return {
        upTo: upTo ?? finalSlot,
        upToTimestampSeconds: expectResult(time, BlockTime),
        final: inOrder(
          taken.flatMap((transaction) => {
            const recorded = found.get(keyOf(transaction))
            if (recorded === undefined)
              throw new RpcError('CHAIN_CHANGED', `the node lost transaction ${transaction.signature}`)
            return paymentsOfTransaction(recorded, chainId, accounts)
          }),
        ),
        tentative: inOrder(
          tentative.flatMap((transaction) => {
            const recorded = found.get(keyOf(transaction))
            return recorded === undefined || recorded.blockTime === null
              ? []
              : paymentsOfTransaction(recorded, chainId, accounts)
          }),
        ),
      }
    }

  const paymentsBeside =
    ({ txHash, blockNumber, to }: PlacedTransaction): RpcWork<readonly Payment[]> =>
    async (ask) => {
      await expectRange(ask, { after: blockNumber - 1n, upTo: blockNumber })
      const recorded = await askFor(ask, fetchCall(txHash), Fetched)
      // By the payee alone: amounts without a known instruction do not concern a payer.
      return recorded?.slot === blockNumber ? paymentsOfTransaction(recorded, chainId, new Set([to])) : []
    }

  return {
    readPayments: createAgreedPayments({ pool, read, finalNumber: readFinalSlot, deadlineMs, now }),
    paymentsIn: createNamedPayments({ pool, numberOf, paymentsBeside, deadlineMs }),
    ...createPaymentStatements({ pool, paymentsBeside, newest: readConfirmed, deadlineMs }),
    absenceStatements: createAbsence(deps),
  }
}
