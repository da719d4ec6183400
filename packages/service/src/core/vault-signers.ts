import { z } from 'zod'

const StellarAccount = z.string().regex(/^G[A-Z2-7]{55}$/, 'expected an account (G…)')

/** The accounts (G…) whose keys sign for a vault. Source: docs/decisions/0050-vault-of-three-signers.md. */
export const VaultSigners = z
  .strictObject({
    /** The service's key. */
    service: StellarAccount,
    /** The key of the co-signer, which runs inside the attester. */
    cosigner: StellarAccount,
    /** A key that is kept offline; with one of the others it replaces a lost one. */
    recovery: StellarAccount,
  })
  .refine(({ service, cosigner, recovery }) => new Set([service, cosigner, recovery]).size === 3, {
    error: 'expected three different accounts',
  })
export type VaultSigners = z.infer<typeof VaultSigners>

/** Accounts (G…) whose sequence numbers payouts of a vault use beside the vault's own. Source: docs/decisions/0066-channel-accounts.md. */
export const VaultChannels = z
  .array(StellarAccount)
  .max(16)
  .refine((channels) => new Set(channels).size === channels.length, { error: 'expected different accounts' })

/** The keys of an account that may sign for it, its own included, with their weights, and the weight that operations need. */
export type AccountKeys = {
  /** By account (G…), or the type and hash of another kind of signer. Without those of weight 0. */
  readonly weights: ReadonlyMap<string, number>
  readonly thresholds: Readonly<Record<'low' | 'medium' | 'high', number>>
}

/**
 * Two keys of three do everything, one alone nothing, not even a transaction that fails and costs a fee. The recovery key
 * and another one change signers (`high`) and do not pay (`medium`).
 */
const WEIGHTS = { service: 2, cosigner: 2, recovery: 1 } as const satisfies Record<keyof VaultSigners, number>
const THRESHOLDS = { low: 3, medium: 4, high: 3 } as const satisfies AccountKeys['thresholds']

/** The keys that a vault of these signers has. */
export const keysOfVault = (signers: VaultSigners): AccountKeys => ({
  weights: new Map([
    [signers.service, WEIGHTS.service],
    [signers.cosigner, WEIGHTS.cosigner],
    [signers.recovery, WEIGHTS.recovery],
  ]),
  thresholds: THRESHOLDS,
})

/**
 * The keys of a vault's channel account: the service's alone, which then takes its sequence number and pays its fees. There is no
 * more to take.
 */
export const keysOfChannel = ({ service }: Pick<VaultSigners, 'service'>): AccountKeys => ({
  weights: new Map([[service, 1]]),
  thresholds: { low: 1, medium: 1, high: 1 },
})

/** What differs between the keys that an account has and those that it should have, as text for people; empty if nothing. */
export const differencesOfKeys = (found: AccountKeys, wanted: AccountKeys): readonly string[] => {
  const accounts = new Set([...wanted.weights.keys(), ...found.weights.keys()])
  const weights = [...accounts].flatMap((account) => {
    const [has, wants] = [found.weights.get(account) ?? 0, wanted.weights.get(account) ?? 0]
    return has === wants ? [] : [`${account} has weight ${has}, expected ${wants}`]
  })
  const thresholds = (['low', 'medium', 'high'] as const).flatMap((level) => {
    const [has, wants] = [found.thresholds[level], wanted.thresholds[level]]
    return has === wants ? [] : [`the ${level} threshold is ${has}, expected ${wants}`]
  })
  return [...weights, ...thresholds]
}

/** Weights and thresholds that a transaction sets. */
export type KeysChange = {
  readonly weights: ReadonlyMap<string, number>
  readonly thresholds: Partial<AccountKeys['thresholds']>
}

/** What a change sets otherwise than the wanted keys, as text for people; empty if it leads to nothing else. */
export const strayChanges = (change: KeysChange, wanted: AccountKeys): readonly string[] => {
  const weights = [...change.weights].flatMap(([account, weight]) => {
    const wants = wanted.weights.get(account) ?? 0
    return weight === wants
      ? []
      : [`${account} signs with weight ${weight}: the network file gives it ${wants}`]
  })
  const thresholds = (['low', 'medium', 'high'] as const).flatMap((level) => {
    const [sets, wants] = [change.thresholds[level], wanted.thresholds[level]]
    return sets === undefined || sets === wants
      ? []
      : [`the ${level} threshold becomes ${sets}: the network file has ${wants}`]
  })
  return [...weights, ...thresholds]
}
