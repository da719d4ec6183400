import { connectPaymentChains } from '../chains/connect-payment-chains.ts'
import type { PaymentChain } from '../chains/payment-chain.ts'
import { createReaderSource } from '../chains/payment-source.ts'
import { createHorizonPayments } from '../chains/stellar/horizon-payments.ts'
import { ConfigError } from '../core/config-error.ts'
import type { Network } from '../core/network.ts'
import { cursorOf, findPlaceBefore } from '../intents/payment-cursor.ts'
import { createDepositMatcher } from '../intents/vault/match-deposit.ts'
import type { VaultChain } from '../intents/vault/payment-indexer.ts'
import { isDeniedByAll } from '../intents/vault/payment-review.ts'
import { vaultChainsOf } from '../intents/vault/vault-chains.ts'
import { systemClock } from '../lib/clock.ts'
import { createHttpClient } from '../lib/http-client.ts'
import type { Log } from '../lib/log.ts'
import { mapAtMost } from '../lib/map-at-most.ts'
import { fixedPrices } from '../pricing/fixed.ts'
import type { Store, StoredPayment } from '../store/store.ts'
import { connectChains } from './chains.ts'
import { closeGap, type Gap } from './close-gap.ts'
import { readConfig } from './config.ts'
import { openStore } from './open-store.ts'
import { laterPayments, type ReconciledVault, storedPayments, sumBooks } from './vault-sums.ts'

/** A stored payment that every endpoint of its chain denies. */
export type DeniedPayment = Pick<
  StoredPayment,
  'chainId' | 'txHash' | 'position' | 'role' | 'token' | 'amount'
> & {
  readonly isVoid: boolean
}

/** What a reconciliation found: the vaults by token, what endpoints forgot, and the payments that only the store has. */
export type Reconciliation = {
  readonly vaults: readonly ReconciledVault[]
  readonly gaps: readonly Gap[]
  readonly denied: readonly DeniedPayment[]
}

const AT_ONCE = 8
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
  const known = await storedPayments(store, chain.chainId)
  const cursor = await store.findCursor(chain.chainId)
  const later = cursor === undefined ? [] : (await laterPayments(chain, vault, cursor.blockNumber)).payments
  return sumBooks({ chain, vault, treasury, tokens }, known, later)
}

/** Where payments come from that no endpoint of a chain knows any more. */
export type GapSource = {
  readonly kind: 'horizon' | 'rpc'
  readonly url: URL
  /** Of several vaults with a gap the one that the source is about. */
  readonly chainId: string | undefined
  readonly wanted: 'shown' | 'recorded'
}

/** What to do besides comparing. */
export type ReconcileOptions = {
  readonly denied: 'named' | 'void'
  readonly source: GapSource | undefined
}

type Opened = { readonly network: Network; readonly store: Store; readonly log: Log }

/** Closes the gap of one vault. Undefined without one. Rejects if chain, source or store cannot be read. */
const closeGapOf = async (
  vaultChain: VaultChain,
  { kind, url, wanted }: GapSource,
  { network, store, log }: Opened,
): Promise<Gap | undefined> => {
  const { chainId } = vaultChain.chain
  const match = createDepositMatcher({ store })
  const configured = network.chains.find((one) => one.chainId === chainId)
  if (configured?.passphrase === undefined) throw new ConfigError(`chain ${chainId} keeps all its payments`)
  const { passphrase } = configured
  if (kind === 'horizon') {
    const client = createHttpClient()
    try {
      const source = createHorizonPayments({ chainId, passphrase, url, client })
      return await closeGap({ vaultChain, store, match, source, wanted })
    } finally {
      client.close()
    }
  }
  const alone = { ...configured, rpcUrls: [url.href], trustSingleEndpoint: true }
  const { now, steady } = systemClock
  const deps = { now: steady, wallTime: now, log }
  const archive = connectPaymentChains({ chains: [alone], tokens: network.tokens }, deps).get(chainId)
  if (archive === undefined) throw new ConfigError(`chain ${chainId} has no payments`)
  try {
    await archive.start()
    const source = createReaderSource(archive.readPayments)
    return await closeGap({ vaultChain, store, match, source, wanted })
  } finally {
    await archive.stop()
  }
}

/** The gaps that a source closes. */
const closeGaps = async (
  vaults: readonly VaultChain[],
  source: GapSource | undefined,
  opened: Opened,
): Promise<readonly Gap[]> => {
  if (source === undefined) return []
  const wanted = vaults.filter(
    ({ chain }) =>
      chain.oldestRetained !== undefined &&
      (source.chainId === undefined || chain.chainId === source.chainId),
  )
  const gaps = await mapAtMost(1, wanted, (vault) => closeGapOf(vault, source, opened))
  return gaps.flatMap((gap) => gap ?? [])
}

/**
 * Compares the books of all vaults of the configured network with their chains, after voiding what was made up and closing
 * gaps if wanted. Throws `ConfigError` without a network file; rejects with `StartError` while another process owns the
 * store, and if a chain or the second source cannot be read.
 */
export const reconcile = async (
  environment: Readonly<Record<string, string | undefined>>,
  log: Log,
  { denied: wanted, source }: ReconcileOptions,
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
    const gaps = await closeGaps(vaults, source, { network, store, log })
    const open = new Set(gaps.filter(({ isRecorded }) => !isRecorded).map(({ vault }) => vault))
    const denied = await Promise.all(paid.map((chain) => findDenied({ chain }, store, wanted)))
    const closed = vaults.filter(({ vault }) => !open.has(vault))
    const compared = await Promise.all(closed.map((vault) => reconcileVault(vault, store)))
    const shown = gaps.filter(({ isRecorded }) => !isRecorded).flatMap((gap) => gap.vaults)
    return { vaults: [...shown, ...compared.flat()], gaps, denied: denied.flat() }
  } finally {
    await Promise.all(paid.map((chain) => chain.stop()))
    await store.close()
  }
}
