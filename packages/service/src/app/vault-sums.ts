import type { ChainId } from '@openrfq/sdk'
import type { PaymentChain } from '../chains/payment-chain.ts'
import type { Payment } from '../core/payment.ts'
import type { VaultChain } from '../intents/vault/payment-indexer.ts'
import type { PaymentPlace, Store, StoredPayment } from '../store/store.ts'

/** What a vault received, paid and holds in one token, in base units. */
export type ReconciledVault = {
  readonly chainId: ChainId
  readonly vault: string
  readonly token: string
  readonly received: bigint
  readonly paid: bigint
  readonly balance: bigint
  /** How many of the payments in the sums the store does not know yet. */
  readonly unknown: number
  /** Whether the vault holds at least what it received and did not pay. */
  readonly isCovered: boolean
}

const PAGE = 500
const MOST_READS = 1_000

const keyOf = ({ txHash, position }: Payment): string => `${txHash} ${position}`

/** The stored payments of a chain by their places in it. Rejects if the store fails. */
export const storedPayments = async (
  store: Pick<Store, 'listPayments'>,
  chainId: ChainId,
): Promise<ReadonlyMap<string, StoredPayment>> => {
  const payments = new Map<string, StoredPayment>()
  let place: PaymentPlace | undefined
  for (;;) {
    const page = await store.listPayments(chainId, PAGE, place)
    for (const payment of page) payments.set(keyOf(payment), payment)
    place = page.at(-1)
    if (page.length < PAGE || place === undefined) return payments
  }
}

/** The vault's final payments after a block, up to the head that the chain has now, and the last block read. */
export const laterPayments = async (
  chain: PaymentChain,
  vault: string,
  after: bigint,
): Promise<{ readonly payments: readonly Payment[]; readonly upTo: bigint }> => {
  const head = chain.head()?.finalNumber ?? after
  const payments: Payment[] = []
  let cursor = after
  for (let reads = 0; reads < MOST_READS && (reads === 0 || cursor < head); reads += 1) {
    const { final, upTo } = await chain.readPayments([vault], cursor)
    payments.push(...final)
    if (upTo === cursor) break
    cursor = upTo
  }
  return { payments, upTo: cursor }
}

const sum = (payments: readonly Payment[]): bigint =>
  payments.reduce((total, { amount }) => total + amount, 0n)

/** The books of a vault by token, of the stored payments and others, beside its balances. Rejects if these cannot be read. */
export const sumBooks = async (
  { chain, vault, treasury, tokens }: Pick<VaultChain, 'chain' | 'vault' | 'treasury' | 'tokens'>,
  known: ReadonlyMap<string, StoredPayment>,
  others: readonly Payment[],
): Promise<readonly ReconciledVault[]> => {
  const { chainId } = chain
  const unknown = others.filter((payment) => !known.has(keyOf(payment)))
  const payments = [...known.values(), ...unknown]
  const isOurs = (account: string): boolean => account === vault || treasury.includes(account)
  const received = payments.filter(({ from, to }) => to === vault && !isOurs(from))
  const paid = payments.filter(({ from, to }) => from === vault && !isOurs(to))
  const balances = await chain.agreedBalances(vault, tokens)
  return tokens.map((token, position) => {
    const ofToken = (payment: Payment): boolean => payment.token === token
    const sums = { received: sum(received.filter(ofToken)), paid: sum(paid.filter(ofToken)) }
    const balance = balances[position] ?? 0n
    return {
      chainId,
      vault,
      token,
      ...sums,
      balance,
      unknown: [...received, ...paid].filter((payment) => ofToken(payment) && unknown.includes(payment))
        .length,
      isCovered: balance >= sums.received - sums.paid,
    }
  })
}
