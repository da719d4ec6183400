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

const MAX_KNOWN = 50_000
/** A quote waits no longer for a balance; a backend has 800 milliseconds. */
const DEADLINE_MS = 600
/** Heads are in memory; a round without a new one makes no request. */
const ROUND_MS = 250
/** How old the balance of a sender with reservations may be; heads grow stale after as long. */
const FOLLOWED_MS = 5_000

/**
 * Reads each sender and token once per block, shared between requests. In every new block it reads the senders with
 * reservations and ends those reservations that the balance no longer covers.
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
  const rounds = new Map<ChainId, bigint>()

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
  const round = async (): Promise<void> => {
    const byChain = Map.groupBy(book.sources(), ({ chainId }) => chainId)
    await Promise.all(
      [...byChain].map(async ([chainId, sources]) => {
        const number = chainOf(chainId)?.head()?.number
        if (number === undefined || number === rounds.get(chainId)) return
        rounds.set(chainId, number)
        await Promise.all(sources.map((source) => follow(source, number)))
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
