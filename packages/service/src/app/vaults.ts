import type { ChainId } from '@openrfq/sdk'
import type { Intents } from '../backends/intent/index.ts'
import { ConfigError } from '../core/config-error.ts'
import type { Instant } from '../core/instant.ts'
import { createEarlierPayouts, type EarlierPayouts } from '../intents/vault/earlier-payouts.ts'
import type { VaultChain } from '../intents/vault/payment-indexer.ts'
import { createRenewals, type Renewals } from '../intents/vault/renewals.ts'
import { createVaultGuard } from '../intents/vault/vault-guard.ts'
import { createVaultOperator } from '../intents/vault/vault-operator.ts'
import { inBackground, type Lifecycle, together } from '../lib/lifecycle.ts'
import type { Log } from '../lib/log.ts'
import type { Store } from '../store/store.ts'
import { createPayoutOutbox, type PayoutOutbox } from '../transactions/payout-outbox.ts'

type Deps = {
  readonly intents: Pick<Intents, 'vaults' | 'paymentIndex' | 'evmFillOf' | 'orderFacts' | 'factCheck'>
  /** The secret of each vault, by chain. */
  readonly secrets: ReadonlyMap<ChainId, string>
  readonly store: Store
  readonly now: () => Instant
  readonly log: Log
}

/** The payouts from all vaults of the process. */
export type Vaults = Lifecycle & {
  /** The chains on which payouts in at least one token are held. */
  readonly holding: () => readonly ChainId[]
  /** What each vault holds above its books, in base units. */
  readonly surpluses: () => readonly {
    readonly chainId: ChainId
    readonly token: string
    readonly surplus: bigint
  }[]
}

const outboxOf = (
  { chain, vault }: VaultChain,
  { earlier, renewals }: { readonly earlier: EarlierPayouts; readonly renewals: Renewals },
  { secrets, store, now, log }: Deps,
): PayoutOutbox | undefined => {
  const secret = secrets.get(chain.chainId)
  if (secret === undefined) {
    log('warn', 'vault_secret_missing', { chainId: chain.chainId, vault })
    return undefined
  }
  const outbox = createPayoutOutbox({
    store,
    chain,
    secret,
    earlier,
    mayResign: renewals.allow,
    now,
    log,
  })
  if (outbox.sender === vault) return outbox
  throw new ConfigError(
    `the secret of ${chain.chainId} signs for ${outbox.sender}, and the vault is ${vault}`,
  )
}

/**
 * Creates the payouts from all vaults with a known secret; others are left to another process. Throws `ConfigError` for
 * a secret that signs for another account.
 */
export const createVaults = (deps: Deps): Vaults => {
  const { intents, store, now, log } = deps
  const { paymentIndex: facts } = intents
  const paying = intents.vaults.flatMap((vaultChain) => {
    const earlier = createEarlierPayouts({ ...vaultChain, store, finalNumber: facts.finalNumber })
    const guard = createVaultGuard({ vaultChain, store, finalTime: facts.finalTime, now, log })
    const renewals = createRenewals({ guard, factCheck: intents.factCheck })
    const outbox = outboxOf(vaultChain, { earlier, renewals }, deps)
    return outbox === undefined ? [] : [{ ...vaultChain, earlier, outbox, guard, renewals }]
  })
  const operator = createVaultOperator({ ...intents, store, facts, vaultChains: paying, now, log })
  // The operator stops before the outboxes that it pays through.
  const parts = [...paying.map(({ outbox }) => outbox), operator].map(inBackground)
  return {
    holding: () => paying.filter(({ guard }) => guard.isHolding()).map(({ chain }) => chain.chainId),
    surpluses: () =>
      paying.flatMap(({ chain: { chainId }, guard }) =>
        [...guard.surpluses()].map(([token, surplus]) => ({ chainId, token, surplus })),
      ),
    start: together(parts).start,
    stop: async () => {
      for (const part of parts.toReversed()) await part.stop()
    },
  }
}
