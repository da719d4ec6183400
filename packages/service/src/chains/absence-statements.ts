import { createLru } from '../lib/lru.ts'
import type { PaymentAbsence, PaymentChain } from './payment-chain.ts'
import { RpcError, rpcErrorCode } from './rpc/rpc-error.ts'
import type { RpcAsk } from './rpc/rpc-members.ts'
import type { RpcPool } from './rpc/rpc-pool.ts'

/** A search of one endpoint for a payment. */
type SearchedEndpoint<Place> = {
  readonly ask: RpcAsk
  readonly endpoint: number
  /** Where an earlier search for the same came to; undefined for the first. */
  readonly place: Place | undefined
  /** The slot or ledger after which the first search begins; throws NODE_PRUNED for an endpoint that does not retain it. */
  readonly start: () => Promise<bigint>
}

/**
 * Searches the history of one endpoint and yields, after every part of some requests, the place from which another search can go
 * on. Returns whether there is a sought payment. Throws NODE_BEHIND for an endpoint that has not passed the time, and NODE_PRUNED
 * for one that no longer retains what is left.
 */
export type PaymentSearch<Place> = (
  absence: PaymentAbsence,
  searched: SearchedEndpoint<Place>,
) => AsyncGenerator<Place, 'found' | 'absent'>

type Deps<Place> = {
  readonly pool: Pick<RpcPool, 'statements'>
  readonly search: PaymentSearch<Place>
  /** The endpoint's newest final slot or ledger. */
  readonly finalNumber: (ask: RpcAsk) => Promise<bigint>
  /** The oldest slot or ledger whose payments an endpoint knows. */
  readonly oldestNumber: (ask: RpcAsk) => Promise<bigint>
  /** The time of that slot or ledger, in seconds. */
  readonly oldestSeconds: (ask: RpcAsk, number: bigint) => Promise<number>
  /** Slots or ledgers are never closer than this. */
  readonly fastestBlockMs: number
  readonly deadlineMs: number
  /** How long one call searches before it leaves the rest to the next. */
  readonly searchMs: number
}

/** Clocks of users, chains and the service may differ by this much. */
export const CLOCK_MARGIN_SECONDS = 60
const REMEMBERED_SEARCHES = 10_000

/**
 * Asks every endpoint for a payment between two accounts. A search that takes longer than `searchMs` throws TOO_MUCH,
 * and the next one for the same goes on where it ended: strangers can make any number of transactions, which must delay a refund
 * by the time that reading them once takes, and no longer. For the same reason an endpoint whose search took several calls is not
 * searched again.
 */
export const createAbsenceStatements = <Place>({
  pool,
  search,
  finalNumber,
  oldestNumber,
  oldestSeconds,
  fastestBlockMs,
  deadlineMs,
  searchMs,
}: Deps<Place>): PaymentChain['absenceStatements'] => {
  const places = createLru<string, Place>(REMEMBERED_SEARCHES)
  const longSearches = createLru<string, 'running' | 'absent'>(REMEMBERED_SEARCHES)

  /** The number after which a payment may have been made, or else the endpoint's oldest. */
  const startOf = async (
    ask: RpcAsk,
    { sinceSeconds, nowSeconds }: Pick<PaymentAbsence, 'sinceSeconds' | 'nowSeconds'>,
  ): Promise<bigint> => {
    const spanMs = (nowSeconds - sinceSeconds + CLOCK_MARGIN_SECONDS) * 1000
    const earliest = (await finalNumber(ask)) - BigInt(Math.ceil(spanMs / fastestBlockMs))
    const oldest = await oldestNumber(ask)
    if (oldest <= earliest) return earliest
    if ((await oldestSeconds(ask, oldest)) > sinceSeconds)
      throw new RpcError(
        'NODE_PRUNED',
        `payments since ${sinceSeconds} are wanted, the node knows later ones`,
      )
    return oldest
  }

  const isAbsent = async (absence: PaymentAbsence, ask: RpcAsk, endpoint: number): Promise<boolean> => {
    const key = `${endpoint} ${absence.about}`
    if (longSearches.get(key) === 'absent') return true
    const started = performance.now()
    const place = places.get(key)
    const parts = search(absence, { ask, endpoint, place, start: () => startOf(ask, absence) })
    try {
      for (;;) {
        const part = await parts.next()
        if (part.done === true) {
          places.delete(key)
          if (part.value === 'absent' && longSearches.get(key) === 'running') longSearches.set(key, 'absent')
          return part.value === 'absent'
        }
        places.set(key, part.value)
        if (performance.now() - started >= searchMs) break
      }
    } catch (error) {
      const code = rpcErrorCode(error)
      if (code === 'NODE_PRUNED' || code === 'CHAIN_CHANGED') places.delete(key)
      throw error
    }
    longSearches.set(key, 'running')
    throw new RpcError('TOO_MUCH', `too much to read at once until ${absence.untilSeconds}`)
  }

  return (absence) =>
    pool.statements({
      about: absence.about,
      confirms: (ask, endpoint) => isAbsent(absence, ask, endpoint),
      deadlineMs,
    })
}
