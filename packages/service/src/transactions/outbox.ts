import type { ChainId } from '@openrfq/sdk'
import type { Log } from '../lib/log.ts'
import type { Mutex } from '../lib/mutex.ts'
import { createPoller } from '../lib/poller.ts'

/** What an outbox signs and stores: `key` names what it is for. */
type Keyed = { readonly key: string }

/**
 * Sends what one account on one chain signs, each item at most once however often it is submitted and whatever is killed
 * in between. The account must sign nothing else.
 */
export type Outbox<Item extends Keyed, Entry extends Keyed> = {
  /** The account in its canonical text; an EVM address in lower case. */
  readonly sender: string
  /**
   * The entry of the item's key: the stored one, or a new one, which is stored when this resolves and broadcast until it
   * is final. Rejects, with nothing decided, when the chain or the store cannot be read or too many entries are open.
   */
  readonly submit: (item: Item) => Promise<Entry>
  /** Looks once at the open entries; rejects when the store cannot be read. */
  readonly round: () => Promise<void>
  readonly start: () => void
  /** Resolves when nothing is under way any more. */
  readonly stop: () => Promise<void>
}

/** What one kind of entry needs to be signed, stored and followed. */
type OutboxParts<Item extends Keyed, Entry extends Keyed> = {
  readonly chainId: ChainId
  readonly sender: string
  /** What the entries are, for the log: 'transactions', 'payouts'. */
  readonly what: string
  /** Between two looks at the open entries, in milliseconds. */
  readonly roundMs: number
  readonly maximumOpen: number
  readonly find: (key: string) => Promise<Entry | undefined>
  readonly listOpen: () => Promise<readonly Entry[]>
  /** Signs an item, and sends nothing. Rejects when the chain cannot be read. */
  readonly sign: (item: Item) => Promise<Entry>
  /** Stores a signed entry; false when its key is taken, or what it was signed with. */
  readonly add: (entry: Entry) => Promise<boolean>
  readonly monitor: {
    /** Sends the newest signature of an entry; never rejects. */
    readonly broadcast: (entry: Entry) => Promise<void>
    readonly round: () => Promise<void>
  }
  /** Runs what the account signs one after the other. */
  readonly inTurn: Mutex
  readonly log: Log
}

/** A nonce is lost only to another process on the same store. */
const MAXIMUM_TRIES = 16

/**
 * An outbox over a store that outlives the process: an item is signed, stored, and only then broadcast, so that a restart
 * sends the same bytes again instead of signing anew.
 */
export const createOutbox = <Item extends Keyed, Entry extends Keyed>(
  parts: OutboxParts<Item, Entry>,
): Outbox<Item, Entry> => {
  const { chainId, sender, what, maximumOpen, find, listOpen, sign, add, monitor, inTurn, log } = parts
  const rounds = createPoller({
    name: `monitoring ${what} on ${chainId}`,
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
    throw new Error(`no free nonce for ${item.key} on ${chainId} in ${MAXIMUM_TRIES} tries`)
  }

  return {
    sender,
    submit: (item) =>
      inTurn(async () => {
        const known = await find(item.key)
        if (known !== undefined) return known
        const { length: open } = await listOpen()
        if (open >= maximumOpen) throw new Error(`${open} ${what} of ${sender} are open on ${chainId}`)
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
