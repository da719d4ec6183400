import type { ChainId } from '@openrfq/sdk'
import type { Intents } from '../backends/intent/index.ts'
import { ConfigError } from '../core/config-error.ts'
import type { Instant } from '../core/instant.ts'
import { OrderId } from '../core/intent-order.ts'
import type { Offer } from '../core/offer.ts'
import type { Order } from '../core/order.ts'
import { createCosignerClient } from '../intents/vault/cosigner-client.ts'
import { createEarlierPayouts, type EarlierPayouts } from '../intents/vault/earlier-payouts.ts'
import { createOrderNaming, type OrderNaming } from '../intents/vault/order-naming.ts'
import type { VaultChain } from '../intents/vault/payment-indexer.ts'
import { createRenewals, type Renewals } from '../intents/vault/renewals.ts'
import { createVaultGuard, type VaultGuard } from '../intents/vault/vault-guard.ts'
import { createVaultOperator } from '../intents/vault/vault-operator.ts'
import { createVaultSigning, type VaultSigning } from '../intents/vault/vault-signing.ts'
import { createHttpClient, type HttpClient } from '../lib/http-client.ts'
import { inBackground, type Lifecycle, together } from '../lib/lifecycle.ts'
import type { Log } from '../lib/log.ts'
import type { HeldDeposits } from '../service/held-deposits.ts'
import type { Store } from '../store/store.ts'
import { createPayoutOutbox, type PayoutOutbox } from '../transactions/payout-outbox.ts'

type Deps = {
  readonly intents: Pick<
    Intents,
    | 'vaults'
    | 'paymentIndex'
    | 'evmFillOf'
    | 'evmFillTransactionOf'
    | 'attesterUrl'
    | 'watchVault'
    | 'orderFacts'
    | 'factCheck'
  >
  /** The secret of each vault, by chain. */
  readonly secrets: ReadonlyMap<ChainId, string>
  readonly store: Store
  /** Keeps a deposit that names no order for the operator. */
  readonly hold: HeldDeposits['hold']
  readonly now: () => Instant
  readonly log: Log
}

/** The payouts from all vaults of the process. */
export type Vaults = Lifecycle & {
  /**
   * The offers of an answer that may be shown: an order that is deposited into a vault must be known to the vault's co-signer
   * before anybody can deposit for it.
   */
  readonly offerable: (
    order: Pick<Order, 'from' | 'createdAt'>,
    offers: readonly Offer[],
  ) => Promise<readonly Offer[]>
  /** How long a payout of each vault has waited for its co-signer, in whole seconds. */
  readonly unsigned: () => readonly { readonly chainId: ChainId; readonly seconds: number }[]
  /** The chains on which payouts in at least one token are held. */
  readonly holding: () => readonly ChainId[]
  /** What each vault holds above its books, in base units. */
  readonly surpluses: () => readonly {
    readonly chainId: ChainId
    readonly token: string
    readonly surplus: bigint
  }[]
}

/** What pays from one vault. */
type Paying = VaultChain & {
  readonly earlier: EarlierPayouts
  readonly outbox: PayoutOutbox
  readonly guard: VaultGuard
  readonly renewals: Renewals
  readonly signing: VaultSigning
  readonly naming: OrderNaming
}

const MEND = 'see "The vault\'s three keys" in docs/operations.md, and `rfq vault-signers`'

/** The keys of a vault. Throws ConfigError for a vault of one key, and without a co-signer. */
const signersOf = ({ chain: { chainId, sharedAccounts }, signers }: VaultChain, { intents }: Deps) => {
  if (sharedAccounts === undefined) throw new ConfigError(`chain ${chainId} has no accounts of several keys`)
  if (signers === undefined)
    throw new ConfigError(
      `chain ${chainId}: attested.signers is missing; a vault has three keys, and no key pays alone: ${MEND}`,
    )
  if (intents.attesterUrl === undefined)
    throw new ConfigError(`intent.attesterUrl is missing: the attester co-signs for the vault of ${chainId}`)
  return { accounts: sharedAccounts, signers, url: intents.attesterUrl }
}

const payingFrom = (vaultChain: VaultChain, client: HttpClient, deps: Deps): readonly Paying[] => {
  const { intents, secrets, store, now, log } = deps
  const { chain, vault, channels = [] } = vaultChain
  const { chainId } = chain
  const { accounts, signers, url } = signersOf(vaultChain, deps)
  const secret = secrets.get(chainId)
  if (secret === undefined) {
    log('warn', 'vault_secret_missing', { chainId, vault })
    // Without the secret no order can be named to the co-signer.
    intents.watchVault(chainId, () => 'no_secret')
    return []
  }
  if (chain.accountOf(secret) !== signers.service)
    throw new ConfigError(
      `the secret of ${chainId} is of ${chain.accountOf(secret)}, and attested.signers.service is ${signers.service}`,
    )
  const { paymentIndex: facts, factCheck } = intents
  const earlier = createEarlierPayouts({ ...vaultChain, store, finalNumber: facts.finalNumber })
  const guard = createVaultGuard({ vaultChain, store, finalTime: facts.finalTime, now, log })
  const cosigner = createCosignerClient({ chainId, url, secret, client, now })
  const signing = createVaultSigning({
    ...{ chain, accounts, vault, channels, signers, client: cosigner, store, now, log },
  })
  const renewals = createRenewals({ chain, guard, factCheck, signing, now })
  const outbox = createPayoutOutbox({
    ...{ store, secret, earlier, now, log },
    chain: signing.chain,
    decideRenewal: renewals.decide,
  })
  intents.watchVault(chainId, signing.fault)
  const naming = createOrderNaming({ chainId, client: cosigner, log })
  return [{ ...vaultChain, earlier, outbox, guard, renewals, signing, naming }]
}

/** The offers whose orders the co-signer knows, and those without an order. */
const namedOffers = async (
  { naming }: Paying,
  { createdAt }: Pick<Order, 'createdAt'>,
  offers: readonly Offer[],
): Promise<readonly Offer[]> => {
  const named = await Promise.all(
    offers.map(async (offer) => {
      const orderId = OrderId.safeParse(offer.binding['orderId']).data
      return orderId === undefined || (await naming(orderId, createdAt))
    }),
  )
  return offers.filter((_, position) => named[position])
}

/**
 * Creates the payouts from all vaults with a known secret; others are left to another process. Throws `ConfigError` for
 * a secret that signs for another account.
 */
export const createVaults = (deps: Deps): Vaults => {
  const { intents, store, hold, now, log } = deps
  const { paymentIndex: facts } = intents
  const client = createHttpClient()
  const paying = intents.vaults.flatMap((vaultChain) => payingFrom(vaultChain, client, deps))
  const operator = createVaultOperator({ ...intents, store, hold, facts, vaultChains: paying, now, log })
  // The operator stops before the outboxes that it pays through.
  const parts = [
    ...paying.map(({ signing }) => signing),
    ...[...paying.map(({ outbox }) => outbox), operator].map(inBackground),
  ]
  return {
    offerable: async (order, offers) => {
      const vaultChain = paying.find(({ chain }) => chain.chainId === order.from.chain.chainId)
      return vaultChain === undefined ? offers : namedOffers(vaultChain, order, offers)
    },
    unsigned: () =>
      paying.map(({ chain: { chainId }, signing }) => ({ chainId, seconds: signing.waitingSeconds() })),
    holding: () => paying.filter(({ guard }) => guard.isHolding()).map(({ chain }) => chain.chainId),
    surpluses: () =>
      paying.flatMap(({ chain: { chainId }, guard }) =>
        [...guard.surpluses()].map(([token, surplus]) => ({ chainId, token, surplus })),
      ),
    start: together(parts).start,
    stop: async () => {
      for (const part of parts.toReversed()) await part.stop()
      client.close()
    },
  }
}
