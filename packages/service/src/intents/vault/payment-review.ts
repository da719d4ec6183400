import type { PaymentChain } from '../../chains/payment-chain.ts'
import type { Statement } from '../../chains/rpc/statements.ts'
import type { Instant } from '../../core/instant.ts'
import type { Log } from '../../lib/log.ts'
import { mapAtMost } from '../../lib/map-at-most.ts'
import type { PaymentPlace, Store, StoredPayment } from '../../store/store.ts'

type Deps = {
  readonly chain: Pick<PaymentChain, 'chainId' | 'statementsOfEach' | 'faults'>
  readonly store: Pick<Store, 'listUnconfirmedPayments' | 'confirmPayment'>
  /** Voids a payment and reads its place on the chain again; false if that has to wait. */
  readonly voidPayment: (payment: StoredPayment) => Promise<boolean>
  readonly now: () => Instant
  readonly log: Log
}

/** Looks at a denied payment, and how many in a row found no endpoint that has it. */
type Doubt = { readonly payment: StoredPayment; readonly lookedAt: Instant; readonly denials: number }

/** Payments of one round. */
const PAGE = 500
/** Transactions. */
const AT_ONCE = 8
const LOOK_AGAIN_MS = 5_000
/** A minute: longer than endpoints that restart together know too little. */
const DENIALS = 12

const keyOf = ({ txHash, position }: StoredPayment): string => `${txHash} ${position}`

/** Whether each of a chain's endpoints denies a fact now. */
export const isDeniedByAll = (
  chain: Pick<PaymentChain, 'faults'>,
  statements: readonly Statement[],
): boolean =>
  statements.length === chain.faults().length &&
  statements.every(({ confirms, isRemembered }) => !confirms && isRemembered !== true)

/**
 * Creates the review of the stored payments of one chain. Each is asked of every endpoint once more after it was stored
 * and stays unconfirmed while one denies it. A payment that every endpoint denies twelve times in a row is void. Rounds take turns
 * through all unconfirmed payments, and an endpoint reads a transaction once for all of its payments: strangers can make any number.
 */
export const createPaymentReview = ({ chain, store, voidPayment, now, log }: Deps) => {
  const { chainId } = chain
  const doubts = new Map<string, Doubt>()
  /** The last payment of the previous round, and the payments listed since the first; without a place, a round starts at the first. */
  let place: PaymentPlace | undefined
  let listed = new Set<string>()

  const isDue = (payment: StoredPayment): boolean => {
    const doubt = doubts.get(keyOf(payment))
    return doubt === undefined || now() - doubt.lookedAt >= LOOK_AGAIN_MS
  }

  const confirm = async (payment: StoredPayment): Promise<void> => {
    await store.confirmPayment(payment)
    const { txHash, position } = payment
    if (doubts.delete(keyOf(payment))) log('info', 'stored_payment_confirmed', { chainId, txHash, position })
  }

  const doubt = async (payment: StoredPayment, statements: readonly Statement[]): Promise<void> => {
    const { txHash, position, role } = payment
    const known = doubts.get(keyOf(payment))
    const denials = isDeniedByAll(chain, statements) ? (known?.denials ?? 0) + 1 : 0
    const deniedBy = statements.flatMap(({ endpoint, confirms }) => (confirms ? [] : [endpoint])).join()
    if (known === undefined)
      log('warn', 'stored_payment_denied', { chainId, txHash, position, role, deniedBy })
    doubts.set(keyOf(payment), { payment, lookedAt: now(), denials })
    if (denials < DENIALS) return
    if (!(await voidPayment(payment))) return
    doubts.delete(keyOf(payment))
    log('error', 'stored_payment_voided', { chainId, txHash, position, role })
  }

  /** Looks at payments of one transaction. */
  const look = async (payments: readonly StoredPayment[]): Promise<void> => {
    const told = await Promise.allSettled(chain.statementsOfEach(payments))
    for (const [index, payment] of payments.entries()) {
      const answer = told[index]
      // While too few endpoints answer, the payment stays unconfirmed; the pool logs why they do not.
      if (answer?.status !== 'fulfilled') continue
      if (answer.value.every(({ confirms }) => confirms)) await confirm(payment)
      else await doubt(payment, answer.value)
    }
  }

  const forgetDecided = (): void => {
    for (const key of doubts.keys()) if (!listed.has(key)) doubts.delete(key)
    listed = new Set()
  }

  return {
    /** Asks about the next unconfirmed payments, those that are due; rejects if the store cannot be read. */
    round: async (): Promise<void> => {
      const unconfirmed = await store.listUnconfirmedPayments(chainId, PAGE, place)
      for (const payment of unconfirmed) listed.add(keyOf(payment))
      place = unconfirmed.length < PAGE ? undefined : unconfirmed.at(-1)
      if (place === undefined) forgetDecided()
      const byTransaction = Map.groupBy(unconfirmed.filter(isDue), ({ txHash }) => txHash)
      await mapAtMost(AT_ONCE, [...byTransaction.values()], look)
    },
  }
}
