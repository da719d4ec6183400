import type { ChainId } from '@openrfq/sdk'
import { paymentText } from '../chains/agreed-payments.ts'
import type { PaymentChain } from '../chains/payment-chain.ts'
import type { PaymentSource } from '../chains/payment-source.ts'
import type { Payment } from '../core/payment.ts'
import { cursorOf } from '../intents/payment-cursor.ts'
import type { DepositMatcher } from '../intents/vault/match-deposit.ts'
import { createPaymentClassifier, storedOf, type VaultChain } from '../intents/vault/payment-indexer.ts'
import type { Store, StoredPayment } from '../store/store.ts'
import { laterPayments, type ReconciledVault, storedPayments, sumBooks } from './vault-sums.ts'

/** Ledgers that were not read before endpoints forgot them, and what a second source told about them. */
export type Gap = {
  readonly chainId: ChainId
  readonly vault: string
  /** The last block that was read before it. */
  readonly after: bigint
  /** Its last block; the endpoints know the later ones. */
  readonly upTo: bigint
  /** What the source tells, with the orders that it belongs to. */
  readonly payments: readonly StoredPayment[]
  /** How many payments after the gap both the source and the endpoints tell. */
  readonly compared: number
  /** The books with these payments. */
  readonly vaults: readonly ReconciledVault[]
  /** Why nothing may be recorded; empty if all may. */
  readonly objections: readonly string[]
  readonly isRecorded: boolean
}

type Deps = {
  readonly vaultChain: VaultChain
  readonly store: Pick<Store, 'findCursor' | 'listPayments' | 'savePayments'>
  readonly match: DepositMatcher
  readonly source: PaymentSource
  readonly wanted: 'shown' | 'recorded'
}

/** Endpoints forget old blocks while the gap is read: five minutes of ledgers, or this part of what they know. */
const MARGIN = 60n
const MARGIN_PART = 4n

const placeOf = ({ txHash, position }: Payment): string => `payment ${position} of ${txHash}`

/** The blocks that are missing, if the endpoints forgot some that were not read. */
const findGap = async ({ vaultChain: { chain }, store }: Deps) => {
  const cursor = await store.findCursor(chain.chainId)
  const oldest = await chain.oldestRetained?.()
  if (cursor === undefined || oldest === undefined || oldest <= cursor.blockNumber + 1n) return undefined
  const known = (chain.head()?.finalNumber ?? oldest) - oldest
  const margin = known / MARGIN_PART < MARGIN ? known / MARGIN_PART : MARGIN
  return { after: cursor.blockNumber, upTo: oldest + margin, seconds: cursor.timestampSeconds ?? 0 }
}

/** What cannot be true of payments that a source tells of an account and a range of blocks. */
const implausible = (
  told: readonly Payment[],
  vault: string,
  { after, seconds }: { readonly after: bigint; readonly seconds: number },
): readonly string[] => {
  const seen = new Set<string>()
  let [number, time] = [after + 1n, seconds]
  return told.flatMap((payment) => {
    const place = placeOf(payment)
    const problems = [
      ...(payment.from === vault || payment.to === vault ? [] : ['is of other accounts']),
      ...(seen.has(place) ? ['is told twice'] : []),
      ...(payment.blockNumber < number || payment.timestampSeconds < time ? ['is out of order'] : []),
    ]
    seen.add(place)
    ;[number, time] = [payment.blockNumber, payment.timestampSeconds]
    return problems.map((problem) => `the source's ${place} ${problem}`)
  })
}

/** What the source hides and invents where the endpoints know better. */
const contradictions = (
  told: readonly Payment[],
  known: readonly Payment[],
  { balancesToClaim }: Pick<PaymentChain, 'balancesToClaim'>,
): readonly string[] => {
  const [tells, knows] = [new Set(told.map(paymentText)), new Set(known.map(paymentText))]
  return [
    ...known
      // Horizon lists no claims of balances.
      .filter((one) => !tells.has(paymentText(one)) && balancesToClaim?.isBalance(one.from) !== true)
      .map((one) => `the source hides ${placeOf(one)}`),
    ...told
      .filter((one) => !knows.has(paymentText(one)))
      .map((one) => `the source tells ${placeOf(one)}, which the endpoints do not have`),
  ]
}

/**
 * Fills the gap between the last read block and those that the chain's endpoints still know with what a second source tells. The
 * source must tell the later payments exactly as the endpoints do, and the vault must hold what it then owes; otherwise nothing is
 * recorded. Undefined without a gap. Rejects if the chain, the source or the store cannot be read.
 */
export const closeGap = async (deps: Deps): Promise<Gap | undefined> => {
  const { vaultChain, store, source, wanted } = deps
  const { chain, vault } = vaultChain
  const { chainId } = chain
  const gap = await findGap(deps)
  if (gap === undefined) return undefined
  const { after, upTo } = gap
  const later = await laterPayments(chain, vault, upTo)
  const told = await source.paymentsBetween(vault, after, later.upTo)
  const beside = told.filter(({ blockNumber }) => blockNumber > upTo)
  const missed = told.filter(({ blockNumber }) => blockNumber <= upTo)

  // A depositor takes a claimable balance back itself; its transaction is in the gap, which no endpoint knows.
  const withoutBalances = { ...vaultChain, chain: { ...chain, balancesToClaim: undefined } }
  const records = await createPaymentClassifier(withoutBalances, deps)(missed, true)
  const vaults = await sumBooks(vaultChain, await storedPayments(store, chainId), [
    ...missed,
    ...later.payments,
  ])
  const objections = [
    ...implausible(told, vault, gap),
    ...contradictions(beside, later.payments, chain),
    ...vaults
      .filter(({ isCovered }) => !isCovered)
      .map(
        ({ token, received, paid, balance }) =>
          `the vault holds ${balance} ${token}, and would owe ${received - paid}`,
      ),
  ]
  const isRecorded = wanted === 'recorded' && objections.length === 0
  const payments = records.map(storedOf)
  if (isRecorded) {
    const reached = { number: upTo, seconds: await chain.timeOf(upTo) }
    await store.savePayments(chainId, cursorOf(reached), payments)
  }
  return { chainId, vault, after, upTo, payments, compared: beside.length, vaults, objections, isRecorded }
}
