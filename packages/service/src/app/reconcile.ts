import type { ChainId } from '@openrfq/sdk'
import type { PaymentChain } from '../chains/payment-chain.ts'
import { ConfigError } from '../core/config-error.ts'
import type { Payment } from '../core/payment.ts'
import { cursorOf, findPlaceBefore } from '../intents/payment-cursor.ts'
import type { VaultChain } from '../intents/vault/payment-indexer.ts'
import { isDeniedByAll } from '../intents/vault/payment-review.ts'
import { vaultChainsOf } from '../intents/vault/vault-chains.ts'
import { systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { mapAtMost } from '../lib/map-at-most.ts'
import { fixedPrices } from '../pricing/fixed.ts'
import type { PaymentPlace, Store, StoredPayment } from '../store/store.ts'
import { connectChains } from './chains.ts'
import { readConfig } from './config.ts'
import { openStore } from './open-store.ts'

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

/** A stored payment that every endpoint of its chain denies. */
export type DeniedPayment = Pick<
  StoredPayment,
  'chainId' | 'txHash' | 'position' | 'role' | 'token' | 'amount'
> & {
  readonly isVoid: boolean
}

/** What a reconciliation found: the vaults by token, and the payments that only the store has. */
export type Reconciliation = {
  readonly vaults: readonly ReconciledVault[]
  readonly denied: readonly DeniedPayment[]
}

const AT_ONCE = 8
const PAGE = 500
const MOST_READS = 1_000

const keyOf = ({ txHash, position }: Payment): string => `${txHash} ${position}`

const storedPayments = async (store: Pick<Store, 'listPayments'>, chainId: ChainId) => {
  const payments = new Map<string, StoredPayment>()
  let place: PaymentPlace | undefined
  for (;;) {
    const page = await store.listPayments(chainId, PAGE, place)
    for (const payment of page) payments.set(keyOf(payment), payment)
    place = page.at(-1)
    if (page.length < PAGE || place === undefined) return payments
  }
}

/** The vault's final payments after a block, up to the head that the chain has now. */
const laterPayments = async (chain: PaymentChain, vault: string, after: bigint) => {
  const head = chain.head()?.finalNumber ?? after
  const payments: Payment[] = []
  let cursor = after
  for (let reads = 0; reads < MOST_READS && (reads === 0 || cursor < head); reads += 1) {
    const { final, upTo } = await chain.readPayments([vault], cursor)
    payments.push(...final)
    if (upTo === cursor) return payments
    cursor = upTo
  }
  return payments
}

const sum = (payments: readonly Payment[]): bigint =>
  payments.reduce((total, { amount }) => total + amount, 0n)

/** Lets the next start read the place of a payment again, which may have hidden another. */
const readAgain = async (
  chain: PaymentChain,
  store: Pick<Store, 'findCursor' | 'savePayments' | 'newestConfirmedPayment'>,
  payment: StoredPayment,
): Promise<void> => {
  const cursor = await store.findCursor(chain.chainId)
  // A start sets a cursor back by itself that the chain does not have.
  if (cursor === undefined || cursor.blockNumber > (chain.head()?.finalNumber ?? -1n)) return
  const place = await findPlaceBefore({ chain, store }, payment)
  if (cursor.blockNumber > place.number) await store.savePayments(chain.chainId, cursorOf(place), [])
}

/**
 * Finds the stored payments of a chain that none of its endpoints has, and voids them if wanted. Endpoints whose history
 * is too short say nothing about a payment. Rejects if the store fails.
 */
export const findDenied = async (
  { chain }: Pick<VaultChain, 'chain'>,
  store: Pick<
    Store,
    'listPayments' | 'voidPayment' | 'findCursor' | 'savePayments' | 'newestConfirmedPayment'
  >,
  wanted: 'named' | 'void',
): Promise<readonly DeniedPayment[]> => {
  const stored = [...(await storedPayments(store, chain.chainId)).values()]
  // A silent endpoint denies nothing.
  const ask = (payment: StoredPayment) => chain.paymentStatements(payment).catch(() => [])
  const found = await mapAtMost(AT_ONCE, stored, async (payment) =>
    isDeniedByAll(chain, await ask(payment)) ? [payment] : [],
  )
  const denied = found.flat()
  if (wanted === 'void')
    for (const payment of denied) {
      await readAgain(chain, store, payment)
      await store.voidPayment(payment)
    }
  return denied.map(({ chainId, txHash, position, role, token, amount }) => ({
    ...{ chainId, txHash, position, role, token, amount },
    isVoid: wanted === 'void',
  }))
}

/** Compares the books of one vault with its chain. Rejects if either cannot be read. */
export const reconcileVault = async (
  { chain, vault, treasury, tokens }: Pick<VaultChain, 'chain' | 'vault' | 'treasury' | 'tokens'>,
  store: Pick<Store, 'findCursor' | 'listPayments'>,
): Promise<readonly ReconciledVault[]> => {
  const { chainId } = chain
  const known = await storedPayments(store, chainId)
  const cursor = await store.findCursor(chainId)
  const later = cursor === undefined ? [] : await laterPayments(chain, vault, cursor.blockNumber)
  const unknown = later.filter((payment) => !known.has(keyOf(payment)))
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

/**
 * Compares the books of all vaults of the configured network with their chains, after voiding what was made up if
 * wanted. Throws `ConfigError` without a network
 * file; rejects with `StartError` while another process owns the store, and if a chain cannot be read.
 */
export const reconcile = async (
  environment: Readonly<Record<string, string | undefined>>,
  log: Log,
  wanted: 'named' | 'void',
): Promise<Reconciliation> => {
  const config = readConfig(environment)
  const { network } = config
  if (network?.intent === undefined)
    throw new ConfigError('RFQ_CONFIG: expected a network file with "intent", whose vaults are reconciled')
  const { catalog, paymentChains } = connectChains(network, systemClock, log)
  const vaults = vaultChainsOf({ catalog, paymentChains, prices: fixedPrices(catalog.tokens), log })
  const paid = [...paymentChains.values()].filter(({ chainId }) => catalog.chain(chainId)?.attested)
  const store = await openStore(config, log)
  try {
    await Promise.all(paid.map((chain) => chain.start()))
    const denied = await Promise.all(paid.map((chain) => findDenied({ chain }, store, wanted)))
    const compared = await Promise.all(vaults.map((vault) => reconcileVault(vault, store)))
    return { vaults: compared.flat(), denied: denied.flat() }
  } finally {
    await Promise.all(paid.map((chain) => chain.stop()))
    await store.close()
  }
}
