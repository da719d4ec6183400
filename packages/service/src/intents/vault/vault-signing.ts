import type { PaymentChain, SharedAccounts, SignedPayout } from '../../chains/payment-chain.ts'
import { PaymentError } from '../../chains/payment-error.ts'
import type { Instant } from '../../core/instant.ts'
import type { Payout } from '../../core/payout.ts'
import { differencesOfKeys, keysOfVault, type VaultSigners } from '../../core/vault-signers.ts'
import type { Lifecycle } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { createLru } from '../../lib/lru.ts'
import { createPoller } from '../../lib/poller.ts'
import type { Store, StoredPayout } from '../../store/store.ts'
import type { CosignerClient } from './cosigner-client.ts'
import type { PayoutEvidence } from './payout-request.ts'

/** Where the co-signer finds why something is owed. */
export type Grounds = { readonly key: string; readonly evidenceOf: () => Promise<PayoutEvidence> }

/** What the co-signer finds: something is owed, not yet, or never; `silent` if it does not answer. */
type Finding = 'owed' | 'waiting' | 'refused' | 'silent'

/** What a vault of three signers needs to pay. */
export type VaultSigning = Lifecycle & {
  /** The chain for the vault's outbox: a payout is sent when the co-signer has signed it, too. */
  readonly chain: PaymentChain
  /** Notes why the payout with a key of the outbox is owed. */
  readonly note: (payoutKey: string, grounds: Grounds) => void
  /**
   * Whether the co-signer would sign; false while it does not answer or waits. Throws PaymentError OPPOSED if it refuses.
   */
  readonly isOwed: (grounds: Grounds) => Promise<boolean>
  /** What the co-signer finds about a noted open payout of the outbox; `silent` also before it is noted. */
  readonly examineAgain: (payout: Pick<StoredPayout, 'key' | 'signedAt'>) => Promise<Finding>
  /** Counts no wait for a payout, by its key or its obligation's, that is not to be paid now. */
  readonly stopWaiting: (key: string) => void
  /** Why the vault takes no deposits now; undefined if it does. */
  readonly fault: () => 'unsigned' | 'other_keys' | undefined
  /** How long the longest waiting payout has waited for the co-signer, in whole seconds. */
  readonly waitingSeconds: () => number
}

type Deps = {
  readonly chain: PaymentChain
  readonly accounts: SharedAccounts
  readonly vault: string
  /** Accounts whose sequence numbers payouts use before the vault's own. */
  readonly channels: readonly string[]
  readonly signers: VaultSigners
  readonly client: CosignerClient
  readonly store: Pick<Store, 'listOpenPayouts'>
  readonly now: () => Instant
  readonly log: Log
}

/** A payout that waits longer raises an alarm and stops the vault's quotes. */
const PATIENCE_MS = 600_000
const KEYS_MS = 60_000
const REMEMBERED = 10_000
const REMEMBERED_SIGNATURES = 100

/** A payout that was not tried for so long was decided or dropped elsewhere; pauses between tries are an hour at most. */
const LAPSES_AFTER_MS = 7_200_000

/** Which payouts wait for the co-signer, and since when. */
const createWaits = ({ chain: { chainId }, now, log }: Deps) => {
  const waiting = new Map<string, { readonly since: Instant; readonly seenAt: Instant }>()
  let isAlarmed = false
  const longest = (): number => {
    for (const [key, { seenAt }] of waiting) if (now() - seenAt > LAPSES_AFTER_MS) waiting.delete(key)
    return now() - Math.min(now(), ...[...waiting.values()].map(({ since }) => since))
  }
  const tell = (key: string, why?: unknown): void => {
    const isLong = longest() > PATIENCE_MS
    if (isLong === isAlarmed) return
    isAlarmed = isLong
    if (isLong) log('error', 'vault_payout_unsigned', { chainId, key, error: why })
    else log('info', 'vault_payout_signed', { chainId, key })
  }
  return {
    longest,
    /** `since`: when what waits was stored; an earlier process may have waited for it, too. */
    begin: (key: string, why: unknown, since = now()): void => {
      const known = waiting.get(key)
      if (known !== undefined || waiting.size < REMEMBERED)
        waiting.set(key, { since: Math.min(known?.since ?? since, since), seenAt: now() })
      tell(key, why)
    },
    end: (key: string): void => {
      waiting.delete(key)
      tell(key)
    },
  }
}

/** The wait for a word on a debt, apart from that for a signature. */
const silenceOn = (key: string): string => `examine ${key}`

/** Asks the co-signer what it finds, and why it refuses; counts how long it is silent. */
const createExamination =
  ({ chain: { chainId }, client, log }: Deps, waits: ReturnType<typeof createWaits>) =>
  async (
    { key, evidenceOf }: Grounds,
    since?: Instant,
  ): Promise<{ readonly kind: Finding; readonly reason?: string }> => {
    try {
      const answer = await client.examine(key, await evidenceOf())
      // One that answers does not keep payouts waiting: it may see the debt later, and `attester_behind` tells what it reads.
      waits.end(silenceOn(key))
      return answer.kind === 'signed' ? { kind: 'waiting' } : answer
    } catch (error) {
      waits.begin(silenceOn(key), error, since)
      log('warn', 'cosigner_silent', { chainId, key, error })
      return { kind: 'silent' }
    }
  }

/** Compares the vault's keys with the network file's; the last comparison counts while the chain cannot be read. */
const createKeyCheck = ({ chain: { chainId }, accounts, vault, signers, log }: Deps) => {
  const wanted = keysOfVault(signers)
  let differences: readonly string[] | undefined
  const compare = async (): Promise<void> => {
    const found = await accounts.keysOf(vault)
    const now = found === undefined ? [`${vault} does not exist`] : differencesOfKeys(found, wanted)
    const before = differences?.join('; ') ?? ''
    differences = now
    if (now.join('; ') === before) return
    if (now.length > 0) log('error', 'vault_keys_differ', { chainId, vault, differences: now.join('; ') })
    else log('info', 'vault_keys_agree', { chainId, vault })
  }
  const poller = createPoller({
    name: 'vault_keys_check',
    fields: { chainId },
    failureLevel: 'warn',
    periodMs: KEYS_MS,
    retryMs: () => 1_000,
    run: compare,
    log,
  })
  return { start: poller.start, stop: poller.stop, areWanted: () => differences?.length === 0 }
}

/**
 * Signs each payout with the sequence number of an account that no other open one uses; in turns, so that one that cannot pay its fee
 * holds up no payout for long.
 */
const createLanes = ({ chain: { chainId }, accounts, vault, channels, store }: Deps) => {
  const lanes = [...channels, vault]
  let turn = 0
  return {
    count: lanes.length,
    sign: async (payout: Payout, secret: string): Promise<SignedPayout> => {
      const open = await store.listOpenPayouts(chainId, vault)
      // A payout that is signed again is open, too, and its last transaction is dead.
      const others = open.filter(({ memo }) => memo !== payout.memo)
      const taken = new Set(
        await Promise.all(others.map(({ rawTransaction }) => accounts.sourceOf(rawTransaction))),
      )
      const inTurn = lanes.map((_, index) => lanes[(turn + index) % lanes.length] ?? vault)
      const source = inTurn.find((one) => !taken.has(one))
      if (source === undefined) throw new PaymentError('TOO_LATE', 'all sequence numbers are in use')
      turn = (lanes.indexOf(source) + 1) % lanes.length
      return accounts.signPayout(payout, { account: vault, secret, source })
    },
  }
}

/** Creates the signing of one vault's payouts by two keys. */
export const createVaultSigning = (deps: Deps): VaultSigning => {
  const { chain, accounts, vault, signers, client, store } = deps
  const { chainId } = chain
  const grounds = createLru<string, Grounds>(REMEMBERED)
  /** Signatures by what they sign, for sending it again. */
  const signatures = createLru<string, string>(REMEMBERED_SIGNATURES)
  const waits = createWaits(deps)
  const examine = createExamination(deps, waits)
  const keys = createKeyCheck(deps)
  const lanes = createLanes(deps)

  const signatureFor = async ({ key, rawTransaction, signedAt }: StoredPayout): Promise<string> => {
    const noted = grounds.get(key)
    if (noted === undefined) throw new PaymentError('UNSIGNED', `why ${key} is owed is not known yet`)
    try {
      const answer = await client.sign(noted.key, rawTransaction, await noted.evidenceOf())
      waits.end(silenceOn(noted.key))
      if (answer.kind === 'signed') {
        signatures.set(rawTransaction, answer.signature)
        waits.end(noted.key)
        return answer.signature
      }
      throw new PaymentError(
        'UNSIGNED',
        'reason' in answer ? `${answer.kind}: ${answer.reason}` : answer.kind,
      )
    } catch (error) {
      // Another request for the same signature may have been answered meanwhile.
      if (signatures.get(rawTransaction) === undefined) waits.begin(noted.key, error, signedAt)
      throw error
    }
  }

  return {
    chain: {
      ...chain,
      accountOf: () => vault,
      maximumPayouts: lanes.count,
      sign: lanes.sign,
      broadcast: async (rawTransaction) => {
        const open = await store.listOpenPayouts(chainId, vault)
        const payout = open.find((one) => one.rawTransaction === rawTransaction)
        if (payout === undefined) return
        const signature = signatures.get(rawTransaction) ?? (await signatureFor(payout))
        await chain.broadcast(await accounts.addSignature(rawTransaction, signers.cosigner, signature))
      },
    },
    note: grounds.set,
    isOwed: async (asked) => {
      const { kind, reason } = await examine(asked)
      if (kind === 'refused')
        throw new PaymentError('OPPOSED', `the co-signer refuses ${asked.key}: ${reason}`)
      return kind === 'owed'
    },
    examineAgain: async ({ key, signedAt }) => {
      const noted = grounds.get(key)
      return noted === undefined ? 'silent' : (await examine(noted, signedAt)).kind
    },
    stopWaiting: (key) => {
      const obligationKey = grounds.get(key)?.key ?? key
      waits.end(obligationKey)
      waits.end(silenceOn(obligationKey))
    },
    fault: () => {
      if (waits.longest() > PATIENCE_MS) return 'unsigned'
      return keys.areWanted() ? undefined : 'other_keys'
    },
    waitingSeconds: () => Math.floor(waits.longest() / 1000),
    start: keys.start,
    stop: keys.stop,
  }
}
