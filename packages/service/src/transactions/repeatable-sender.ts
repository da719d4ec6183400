import type { SolanaInstructions } from '@openrfq/sdk'
import type { PaymentChain, PayoutOutcome, SignedPayout } from '../chains/payment-chain.ts'
import { RpcError } from '../chains/rpc/rpc-error.ts'
import type { Instant } from '../core/instant.ts'
import { backoffMs } from '../lib/backoff.ts'
import { createLru } from '../lib/lru.ts'

/** Instructions that succeed at most once on chain, also when several accounts send them several times. */
export type RepeatableCall = {
  /** Names the effect; at most one transaction of a key is in flight. */
  readonly key: string
  readonly instructions: SolanaInstructions['instructions']
  readonly unitLimit: number
}

/** What is known of a call: its transaction with its present outcome, or that it waits for a turn. */
type CallProgress =
  | { readonly kind: 'sent'; readonly txHash: string; readonly outcome: PayoutOutcome }
  | { readonly kind: 'waiting' }

/**
 * Sends calls without storing them: the chain shows whether they have happened. The caller reads it before each turn, and
 * gives a call a turn again until the effect is final.
 */
export type RepeatableSender = {
  /** The account that signs and pays the fees. */
  readonly account: string
  readonly send: (call: RepeatableCall) => Promise<CallProgress>
  /** Whether a transaction of the key was sent and its outcome is not known. */
  readonly isInFlight: (key: string) => boolean
}

type Deps = {
  readonly chain: Pick<PaymentChain, 'chainId' | 'programs' | 'broadcast' | 'outcome' | 'accountOf'>
  /** The secret of the account that pays the fees. */
  readonly secret: string
  readonly now: () => Instant
}

type Flight = SignedPayout & {
  readonly signedAt: Instant
  readonly sentAt: Instant
  readonly failures: number
}
type Pause = { readonly until: Instant; readonly failures: number }

const RESEND_MS = 2_000
/** Longer than a transaction can land; a call without a turn for so long has happened by another's transaction. */
const FORGOTTEN_AFTER_MS = 600_000
const MOST_IN_FLIGHT = 64
/** Calls whose outcomes are asked for when there is no room for another. */
const LOOKED_AT = 16
const MOST_PAUSED = 10_000
/** A call that failed on chain costs a fee each time, and a stranger may have made it fail for ever. */
const RETRY = { firstMs: 5_000, maximumMs: 86_400_000 }

/** Runs one turn of a key at a time; another at the same time waits for the next round. */
const createTurns = () => {
  const running = new Set<string>()
  return {
    isRunning: (key: string): boolean => running.has(key),
    run: async (key: string, turn: () => Promise<CallProgress>): Promise<CallProgress> => {
      if (running.has(key)) return { kind: 'waiting' }
      running.add(key)
      try {
        return await turn()
      } finally {
        running.delete(key)
      }
    },
  }
}

/** Creates a sender; one that fails on chain is sent again after growing pauses. */
export const createRepeatableSender = ({ chain, secret, now }: Deps): RepeatableSender => {
  const flights = new Map<string, Flight>()
  const pauses = new Map<string, Pause>()
  const turns = createTurns()
  /** Signatures of a key in a row that did not land. */
  const expired = createLru<string, number>(MOST_PAUSED)

  const forgetOld = (): void => {
    for (const [key, { signedAt }] of flights) if (now() - signedAt > FORGOTTEN_AFTER_MS) flights.delete(key)
  }

  const pause = (key: string, failures: number): void => {
    for (const [known, { until }] of pauses) if (until + RETRY.maximumMs < now()) pauses.delete(known)
    const [oldest] = pauses.size < MOST_PAUSED ? [] : pauses.keys()
    if (oldest !== undefined) pauses.delete(oldest)
    pauses.delete(key)
    pauses.set(key, { until: now() + backoffMs(RETRY, failures), failures })
  }

  const follow = async (key: string, flight: Flight): Promise<CallProgress> => {
    const { txHash, failures } = flight
    const outcome = await chain.outcome(flight)
    if (outcome === 'pending') {
      if (now() - flight.sentAt >= RESEND_MS) {
        flights.set(key, { ...flight, sentAt: now() })
        await chain.broadcast(flight.rawTransaction)
      }
      return { kind: 'sent', txHash, outcome }
    }
    flights.delete(key)
    expired.set(key, outcome === 'expired' ? (expired.get(key) ?? 0) + 1 : 0)
    if (outcome === 'failed') pause(key, failures + 1)
    else pauses.delete(key)
    return { kind: 'sent', txHash, outcome }
  }

  /** Callers ask no more once they see the effect, so a full sender asks for the outcomes of the oldest calls itself. */
  const makeRoom = async (): Promise<void> => {
    if (flights.size < MOST_IN_FLIGHT) return
    const oldest = [...flights].filter(([key]) => !turns.isRunning(key)).slice(0, LOOKED_AT)
    // A call whose outcome cannot be read keeps its place.
    await Promise.allSettled(oldest.map(([key, flight]) => turns.run(key, () => follow(key, flight))))
  }

  const begin = async ({ key, instructions, unitLimit }: RepeatableCall): Promise<CallProgress> => {
    const { programs, chainId } = chain
    if (programs === undefined) throw new RpcError('WRONG_CHAIN', `${chainId} has no programs`)
    forgetOld()
    const paused = pauses.get(key)
    if (paused !== undefined && now() < paused.until) return { kind: 'waiting' }
    await makeRoom()
    if (flights.size >= MOST_IN_FLIGHT) return { kind: 'waiting' }
    const signed = await programs.signInstructions(
      { instructions, unitLimit, expired: expired.get(key) ?? 0 },
      secret,
    )
    flights.set(key, { ...signed, signedAt: now(), sentAt: now(), failures: paused?.failures ?? 0 })
    await chain.broadcast(signed.rawTransaction)
    return { kind: 'sent', txHash: signed.txHash, outcome: 'pending' }
  }

  return {
    account: chain.accountOf(secret),
    isInFlight: (key) => flights.has(key),
    send: async (call) =>
      turns.run(call.key, () => {
        const flight = flights.get(call.key)
        return flight === undefined ? begin(call) : follow(call.key, flight)
      }),
  }
}
