import type { ChainId } from '@openrfq/sdk'
import type { Log } from '../lib/log.ts'
import type { Mutex } from '../lib/mutex.ts'
import { createPoller } from '../lib/poller.ts'
import { OutboxError } from './outbox-error.ts'

/** What an outbox signs and stores; `key` names its purpose. */
type Keyed = { readonly key: string }

/**
 * Signs and sends the items of one account on one chain. Each item has its effect at most once, also when it is submitted
 * twice or a process is killed. Nothing else may sign for the account.
 */
export type Outbox<Item extends Keyed, Entry extends Keyed> = {
  /** The account's canonical address; lower case on EVM. */
  readonly sender: string
  /**
   * Returns the entry of the item's key: an existing one, or a new one that is stored before this resolves and then
   * broadcast until it is final. Rejects, without a decision, if the chain or the store cannot be read or too many
   * entries are open.
   */
  readonly submit: (item: Item) => Promise<Entry>
  /** Runs one round over the open entries; rejects if the store cannot be read. */
  readonly round: () => Promise<void>
  readonly start: () => void
  /** Resolves when all work has ended. */
  readonly stop: () => Promise<void>
}

/** What signing, storing and monitoring one kind of entry needs. */
type OutboxParts<Item extends Keyed, Entry extends Keyed> = {
  readonly chainId: ChainId
  readonly sender: string
  /** The kind of entries, for the log: 'transaction', 'payout'. */
  readonly what: string
  /** Between two rounds over the open entries, in milliseconds. */
  readonly roundMs: number
  readonly maximumOpen: number
  readonly find: (key: string) => Promise<Entry | undefined>
  readonly listOpen: () => Promise<readonly Entry[]>
  /** Signs an item without sending it. Rejects if the chain cannot be read. */
  readonly sign: (item: Item) => Promise<Entry>
  /** Stores a signed entry; false if its key, or the nonce it was signed with, is taken. */
  readonly add: (entry: Entry) => Promise<boolean>
  readonly monitor: {
    /** Sends the newest signature of an entry; never rejects. */
    readonly broadcast: (entry: Entry) => Promise<void>
    readonly round: () => Promise<void>
  }
  /** Runs the account's signing work sequentially. */
  readonly inTurn: Mutex
  readonly log: Log
}

/** A nonce conflict only happens with another process on the same store. */
const MAXIMUM_TRIES = 16

/**
 * Creates an outbox on a persistent store: an item is signed, stored, and only then broadcast, so that a restart sends
 * the same bytes instead of signing again.
 */
export const createOutbox = <Item extends Keyed, Entry extends Keyed>(
  parts: OutboxParts<Item, Entry>,
): Outbox<Item, Entry> => {
  const { chainId, sender, what, maximumOpen, find, listOpen, sign, add, monitor, inTurn, log } = parts
  const rounds = createPoller({
    name: 'outbox_monitor',
    fields: { chainId, what },
    periodMs: parts.roundMs,
    run: monitor.round,
    log,
  })
  const underWay = new Set<Promise<void>>()

  const broadcast = (entry: Entry): void => {
    const sending = monitor.broadcast(entry)
    underWay.add(sending)
    void sending.finally(() => underWay.delete(sending))
  }

  const addNew = async (item: Item): Promise<Entry> => {
    for (let tries = 0; tries < MAXIMUM_TRIES; tries += 1) {
      const entry = await sign(item)
      if (await add(entry)) {
        broadcast(entry)
        return entry
      }
      const rival = await find(item.key)
      if (rival !== undefined) return rival
    }
    throw new OutboxError('NO_NONCE', `no free nonce for ${item.key} on ${chainId} in ${MAXIMUM_TRIES} tries`)
  }

  return {
    sender,
    submit: (item) =>
      inTurn(async () => {
        const known = await find(item.key)
        if (known !== undefined) return known
        const { length: open } = await listOpen()
        if (open >= maximumOpen)
          throw new OutboxError('FULL', `${open} ${what}s of ${sender} are open on ${chainId}`)
        return addNew(item)
      }),
    round: monitor.round,
    start: () => void rounds.start(),
    stop: async () => {
      await rounds.stop()
      await inTurn(() => Promise.resolve())
      await Promise.all(underWay)
    },
  }
}
