import type { EvmChain } from '../chains/evm/evm-chain.ts'
import type { Instant } from '../core/instant.ts'
import type { Log } from '../lib/log.ts'
import { createMutex } from '../lib/mutex.ts'
import type { OutboxEntry, Store } from '../store/store.ts'
import { createSigner, type SignerCall } from './signer.ts'
import {
  createTransactionMonitor,
  type OutboxTiming,
  type TransactionMonitorDeps,
} from './transaction-monitor.ts'

/** A call with a unique key; a key permanently names one call on one chain. */
export type OutboxCall = SignerCall & { readonly key: string }

/**
 * Makes calls from one account on one chain, each exactly once however often it is submitted and whatever is killed in
 * between. Nothing else may send from the account.
 */
export type Outbox = {
  /** The account's address in lower case. */
  readonly sender: string
  /**
   * Returns the entry of the call's key: an existing one, or a new one that is stored before this resolves and then
   * broadcast until it is final. Rejects, without a decision, if the chain or the store cannot be read or too many
   * entries are open.
   */
  readonly submit: (call: OutboxCall) => Promise<OutboxEntry>
  readonly start: () => void
  /** Resolves when all work has ended. */
  readonly stop: () => Promise<void>
}

type OutboxDeps = {
  readonly store: Store
  readonly chain: EvmChain
  /** 0x and 64 hex digits. */
  readonly privateKey: string
  readonly now: () => Instant
  readonly log: Log
  readonly timing?: Partial<OutboxTiming>
}

const DEFAULT_TIMING: OutboxTiming = { roundMs: 1_000, rebroadcastMs: 5_000, patienceMs: 15_000 }
const MAXIMUM_OPEN = 256
/** A nonce conflict only happens with another process on the same store. */
const MAXIMUM_TRIES = 16

const nextNonce = async ({ store, chain, signer }: TransactionMonitorDeps): Promise<number> => {
  const [counted, last] = await Promise.all([
    chain.transactionCount(signer.sender, 'pending'),
    store.lastOutboxNonce(chain.chainId, signer.sender),
  ])
  return Math.max(counted, last === undefined ? 0 : last + 1)
}

const addEntry = async (deps: TransactionMonitorDeps, call: OutboxCall): Promise<OutboxEntry> => {
  const { store, chain, signer, now } = deps
  const head = chain.head()
  if (head === undefined) throw new Error(`${chain.chainId} cannot be read; ${call.key} is not signed`)
  for (let tries = 0; tries < MAXIMUM_TRIES; tries += 1) {
    const nonce = await nextNonce(deps)
    const signed = await signer.sign(call, nonce, head)
    const entry: OutboxEntry = {
      ...signed,
      key: call.key,
      chainId: chain.chainId,
      sender: signer.sender,
      nonce,
      replacedTxHashes: [],
      signedAt: now(),
      outcome: 'open',
    }
    if (await store.addOutboxEntry(entry)) return entry
    const rival = await store.findOutboxEntry(call.key)
    if (rival !== undefined) return rival
  }
  throw new Error(`no free nonce for ${call.key} on ${chain.chainId} in ${MAXIMUM_TRIES} tries`)
}

/**
 * Creates an outbox on a persistent store: a call is signed, stored, and only then broadcast, so that a restart sends
 * the same bytes instead of signing again. A transaction with outdated fees is replaced by one with the same nonce,
 * which is also stored before it is sent; either may be mined, never both.
 */
export const createOutbox = (deps: OutboxDeps): Outbox => {
  const timing = { ...DEFAULT_TIMING, ...deps.timing }
  const chainNumber = Number(deps.chain.chainId.split(':')[1])
  const monitorDeps: TransactionMonitorDeps = {
    ...deps,
    timing,
    signer: createSigner(deps.privateKey, chainNumber),
  }
  const { store, chain, signer, log } = monitorDeps
  const { broadcast, round } = createTransactionMonitor(monitorDeps)
  const inTurn = createMutex()
  const underWay = new Set<Promise<unknown>>()
  let open = 0
  let timer: NodeJS.Timeout | undefined
  let isRunning = false

  const track = (work: Promise<unknown>): void => {
    underWay.add(work)
    void work.finally(() => underWay.delete(work))
  }

  const submit = (call: OutboxCall): Promise<OutboxEntry> =>
    inTurn(async () => {
      const known = await store.findOutboxEntry(call.key)
      if (known !== undefined) return known
      if (open >= MAXIMUM_OPEN)
        throw new Error(`${open} transactions of ${signer.sender} are open on ${chain.chainId}`)
      const entry = await addEntry(monitorDeps, call)
      open += 1
      track(broadcast(entry))
      return entry
    })

  const next = (): void => {
    const running = round()
      .then((count) => {
        open = count
      })
      .catch((error: unknown) =>
        log('error', 'monitoring transactions failed', { chainId: chain.chainId, error }),
      )
      .finally(() => {
        if (isRunning) timer = setTimeout(next, timing.roundMs)
      })
    track(running)
  }

  return {
    sender: signer.sender,
    submit,
    start: () => {
      if (isRunning) return
      isRunning = true
      next()
    },
    stop: async () => {
      isRunning = false
      clearTimeout(timer)
      await inTurn(() => Promise.resolve())
      await Promise.all(underWay)
    },
  }
}
