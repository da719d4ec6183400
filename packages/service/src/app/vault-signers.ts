import { setTimeout } from 'node:timers/promises'
import type { ChainId } from '@openrfq/sdk'
import { connectPaymentChains } from '../chains/connect-payment-chains.ts'
import type { KeyChange, PaymentChain, SharedAccounts } from '../chains/payment-chain.ts'
import { ConfigError } from '../core/config-error.ts'
import {
  type AccountKeys,
  differencesOfKeys,
  keysOfChannel,
  keysOfVault,
  strayChanges,
} from '../core/vault-signers.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { readConfig } from './config.ts'

/** What to do with a vault's keys: without a transaction a new one is made. */
export type VaultSignersOptions = {
  readonly chainId: string | undefined
  /** One of the vault's channel accounts, whose keys are meant instead of the vault's own. */
  readonly channel: string | undefined
  /** A transaction that other keys have signed already. */
  readonly transaction: string | undefined
  /** The secrets (S…) that sign it here. */
  readonly secrets: readonly string[]
  readonly isSent: boolean
  readonly clock: Clock
  readonly log: Log
}

/** The keys of a vault, or of its channel, by its chain, and the transaction that gives it those of the network file; undefined if it has them. */
export type VaultSignersReport = {
  readonly chainId: ChainId
  readonly vault: string
  readonly differences: readonly string[]
  readonly plan: (KeyChange & { readonly transaction: string }) | undefined
  /** The hash of the transaction that was sent, which succeeded. */
  readonly txHash: string | undefined
}

type Vault = {
  readonly chain: PaymentChain
  readonly accounts: SharedAccounts
  readonly vault: string
  readonly wanted: AccountKeys
}

const FOLLOW_MS = 1_000
const MOST_LOOKS = 90

const findVault = (
  environment: Readonly<Record<string, string | undefined>>,
  { chainId, channel, clock, log }: VaultSignersOptions,
): Vault => {
  const { network } = readConfig(environment)
  if (network === undefined) throw new ConfigError('RFQ_CONFIG is not set: expected the network file')
  const chain = network.chains.find(
    (one) => one.attested?.signers !== undefined && (chainId === undefined || one.chainId === chainId),
  )
  if (chain?.attested?.signers === undefined)
    throw new ConfigError(
      `${chainId ?? 'no chain'} has "attested.signers" in the network file: name the vault's three keys there`,
    )
  const deps = { now: clock.steady, wallTime: clock.now, log }
  const connected = connectPaymentChains({ chains: [chain], tokens: network.tokens }, deps).get(chain.chainId)
  if (connected?.sharedAccounts === undefined)
    throw new ConfigError(`chain ${chain.chainId} has no accounts with several keys`)
  const { settler, signers, channels = [] } = chain.attested
  if (channel !== undefined && !channels.includes(channel))
    throw new ConfigError(`${channel} is not in "attested.channels" of ${chain.chainId}: name it there`)
  const wanted = channel === undefined ? keysOfVault(signers) : keysOfChannel(signers)
  return { chain: connected, accounts: connected.sharedAccounts, vault: channel ?? settler, wanted }
}

const send = async ({ chain, accounts }: Vault, transaction: string): Promise<string> => {
  const submission = await accounts.submission(transaction)
  await chain.broadcast(submission.rawTransaction)
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const outcome = await chain.outcome(submission)
    if (outcome === 'succeeded') return submission.txHash
    if (outcome !== 'pending')
      throw new ConfigError(`transaction ${submission.txHash} ${outcome}: plan it again`)
    await setTimeout(FOLLOW_MS)
  }
  throw new ConfigError(
    `transaction ${submission.txHash} is in no ledger: enough weight has not signed, or its sequence number is taken`,
  )
}

const planFor = async (
  { accounts, vault, wanted }: Vault,
  { transaction, secrets }: VaultSignersOptions,
): Promise<VaultSignersReport['plan']> => {
  const unsigned = transaction ?? (await accounts.planKeys(vault, wanted))
  if (unsigned === undefined) return undefined
  const { account, ...change } = await accounts.readPlan(unsigned)
  if (account !== vault) throw new ConfigError(`the transaction is of ${account}, not of ${vault}`)
  const stray = strayChanges(change, wanted)
  if (stray.length > 0)
    throw new ConfigError(`the transaction leads to other keys than the network file: ${stray.join('; ')}`)
  const signed = await accounts.signPlan(unsigned, secrets)
  return { ...(await accounts.readPlan(signed)), transaction: signed }
}

const differencesAt = async ({ accounts, vault, wanted }: Vault): Promise<readonly string[]> => {
  const found = await accounts.keysOf(vault)
  if (found === undefined) return [`account ${vault} does not exist`]
  const asks = await accounts.asksForMemo(vault)
  return [
    ...differencesOfKeys(found, wanted),
    ...(asks ? [] : [`${vault} does not ask wallets for a memo (config.memo_required)`]),
  ]
}

/**
 * Plans, signs and sends the transaction that gives a vault the keys of the network file and lets it ask for memos. A transaction that was planned
 * elsewhere is signed without asking a chain. Throws `ConfigError` for what the operator can mend.
 */
export const vaultSigners = async (
  environment: Readonly<Record<string, string | undefined>>,
  options: VaultSignersOptions,
): Promise<VaultSignersReport> => {
  const found = findVault(environment, options)
  const { chain, vault } = found
  const { chainId } = chain
  const isOffline = options.transaction !== undefined && !options.isSent
  if (isOffline)
    return { chainId, vault, differences: [], plan: await planFor(found, options), txHash: undefined }
  try {
    await chain.start()
    const plan = await planFor(found, options)
    const txHash = plan !== undefined && options.isSent ? await send(found, plan.transaction) : undefined
    return { chainId, vault, differences: await differencesAt(found), plan, txHash }
  } finally {
    await chain.stop()
  }
}
