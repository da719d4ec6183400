import type { ChainId } from '@openrfq/sdk'
import { tokenKey } from '../../core/token-key.ts'
import type { Book } from '../../intents/solver-api/book.ts'
import type { Source } from '../../intents/solver-api/quote-reservations.ts'
import { inTime } from '../../lib/in-time.ts'
import type { Lifecycle } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { createLru } from '../../lib/lru.ts'
import { createPoller } from '../../lib/poller.ts'
import { shareInFlight } from '../../lib/share-in-flight.ts'
import { type BucketSize, createTokenBucket } from '../../lib/token-bucket.ts'

/** A chain of any family, as far as balances are read. */
type HoldingsChain = {
  readonly head: () => { readonly number: bigint } | undefined
  readonly heldBy: (owner: string, token: string) => Promise<bigint | undefined>
}

/** What senders hold of the tokens that they pay. */
export type SenderBalances = Lifecycle & {
  /**
   * What the sender has held for a while, in base units: as of the newest block, or of a slightly older one while it has
   * reservations, which are read again in every block. 0 if it cannot be read in time.
   */
  readonly held: (source: Source) => Promise<bigint>
}

type Deps = {
  readonly evmChains: ReadonlyMap<ChainId, HoldingsChain>
  readonly paymentChains: ReadonlyMap<ChainId, HoldingsChain>
  readonly book: Pick<Book, 'sources' | 'setHeld'>
  /** Milliseconds that never go back. */
  readonly steady: () => number
  readonly log: Log
}

/** A balance as of a block; `followedUntil` is when one that is read again in every block counts as lost. */
type Known = { readonly number: bigint; readonly held: bigint; readonly followedUntil: number }

/** The senders of a chain that wait to be read again, the next one last, since the block `number`. */
type Queue = {
  number: bigint | undefined
  waiting: Source[]
  readonly mayRead: () => boolean
}

const MAX_KNOWN = 50_000
/** Strangers name rich accounts in any number; a chain's endpoints, and quotes, must not suffer from it. */
const FOLLOWED_SENDERS: BucketSize = { burst: 100, perSecond: 100 }
/** A quote waits no longer for a balance. */
const DEADLINE_MS = 300
/** Heads are in memory; a round without a new one asks nobody. */
const ROUND_MS = 250
/** How old the balance of a sender with reservations may be; heads grow stale after as long. */
const FOLLOWED_MS = 5_000

/**
 * Reads each sender and token once per block, shared between requests. In every new block it reads the senders with
 * reservations, a hundred a second for a chain, and ends those reservations that the balance no longer covers.
 */
export const createSenderBalances = ({
  evmChains,
  paymentChains,
  book,
  steady,
  log,
}: Deps): SenderBalances => {
  const chainOf = (chainId: ChainId): HoldingsChain | undefined =>
    evmChains.get(chainId) ?? paymentChains.get(chainId)
  const known = createLru<string, Known>(MAX_KNOWN)
  const share = shareInFlight<string, bigint | undefined>()
  const queues = new Map<ChainId, Queue>()

  const read = (source: Source, number: bigint, isFollowed: boolean): Promise<bigint | undefined> => {
    const key = keyOf(source)
    return share(key, async () => {
      const held = await chainOf(source.chainId)?.heldBy(source.sender, source.token)
      const followedUntil = isFollowed ? steady() + FOLLOWED_MS : Number.NEGATIVE_INFINITY
      if (held !== undefined) known.set(key, { number, held, followedUntil })
      return held
    }).catch(() => undefined)
  }
  const follow = async (source: Source, number: bigint): Promise<void> => {
    const held = await read(source, number, true)
    if (held !== undefined) book.setHeld(source, held)
  }
  const queueOf = (chainId: ChainId): Queue => {
    const queue = queues.get(chainId) ?? {
      number: undefined,
      waiting: [],
      mayRead: createTokenBucket(FOLLOWED_SENDERS, steady).take,
    }
    queues.set(chainId, queue)
    return queue
  }
  /** The senders of a chain that are read now. All that wait get their turn before the next block is looked at. */
  const dueOf = (chainId: ChainId, sources: readonly Source[], number: bigint): readonly Source[] => {
    const queue = queueOf(chainId)
    if (queue.waiting.length === 0 && queue.number !== number) {
      queue.number = number
      queue.waiting = sources.toReversed()
    }
    const due: Source[] = []
    while (queue.waiting.length > 0 && queue.mayRead()) due.push(...queue.waiting.splice(-1))
    return due
  }
  const round = async (): Promise<void> => {
    const byChain = Map.groupBy(book.sources(), ({ chainId }) => chainId)
    await Promise.all(
      [...byChain].map(async ([chainId, sources]) => {
        const number = chainOf(chainId)?.head()?.number
        if (number === undefined) return
        await Promise.all(dueOf(chainId, sources, number).map((source) => follow(source, number)))
      }),
    )
  }
  return {
    held: async (source) => {
      const number = chainOf(source.chainId)?.head()?.number
      if (number === undefined) return 0n
      const found = known.get(keyOf(source))
      if (found !== undefined && (found.number >= number || found.followedUntil > steady())) return found.held
      return (await inTime(read(source, number, false), DEADLINE_MS)) ?? 0n
    },
    ...createPoller({ name: 'sender_balances', periodMs: ROUND_MS, run: round, log }),
  }
}

const keyOf = ({ chainId, token, sender }: Source): string =>
  `${tokenKey({ chainId, address: token })} ${sender}`
