import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import { createKeptWarm } from '../../lib/kept-warm.ts'
import { type Lifecycle, together } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import type { TokenManagerType } from '../../protocols/axelar/its-contract.ts'
import type { ItsReceiver, ItsSide } from './routes.ts'

const LIMITS_MAX_AGE_MS = 30_000
const LIMITS_REFRESH_MS = 12_000
const TRUST_MAX_AGE_MS = 60_000
const TRUST_REFRESH_MS = 15_000
/** How long after the last order for a pair its states are kept fresh. */
const WANTED_MS = 300_000
const MOST_KEPT = 5_000
const SIDES_TOGETHER = 14
const NAMES_TOGETHER = 40

/** Whether tokens of this manager type are minted where they arrive, rather than taken from a lock. */
export const isMinted = (type: TokenManagerType): boolean =>
  type !== 'LOCK_UNLOCK' && type !== 'LOCK_UNLOCK_FEE'

/** The token manager of one side; immutable once deployed. */
export type Manager = { readonly address: string; readonly type: TokenManagerType }

/** The current on-chain state of one side; base units, null for no limit. */
export type Limits = {
  readonly manager: Manager
  readonly maxSend: bigint | null
  readonly maxReceive: bigint | null
  /** Whether the manager counts what it sends. */
  readonly hasFlowLimit: boolean
  /** False if the token itself says that its manager may give none of it. */
  readonly canGive: boolean
}

/** What a chain's service says about another chain, by its Axelar name. */
export type Trust = { readonly paused: boolean; readonly isTrusted: boolean }

/** Limits of a side, and whether its service sends to the other chain of a route. */
export type ItsState = Limits & Trust

/** The states of sides: read when a route is asked for, and kept fresh for minutes after. */
export type StatesOf<Side> = Lifecycle & {
  /** The state towards the chain of that Axelar name, limits read at most 30 s ago; undefined if it cannot be read. */
  readonly read: (side: Side, otherName: string) => Promise<ItsState | undefined>
  /** The state, if it is fresh. No network. */
  readonly of: (side: Side, otherName: string) => ItsState | undefined
  /** The type of a side's token manager, once it was read. No network. */
  readonly managerType: (side: Side) => TokenManagerType | undefined
}

/** The states of the sides of every chain. */
export type ItsStates = StatesOf<ItsSide | ItsReceiver>

export type StatesDeps = { readonly now: () => Instant; readonly log: Log }

/** How the states of one chain's sides are read. */
type StateReader<Side> = {
  readonly chainId: ChainId
  /** Undefined for a side that cannot be read. */
  readonly readLimits: (sides: readonly Side[]) => Promise<readonly (Limits | undefined)[]>
  readonly readTrust: (names: readonly string[]) => Promise<readonly Trust[]>
  readonly managerType: (side: Side) => TokenManagerType | undefined
}

const stateOf = (room: Limits | undefined, trusted: Trust | undefined): ItsState | undefined =>
  room === undefined || trusted === undefined ? undefined : { ...room, ...trusted }

/** Keeps the states of one chain's sides fresh while routes are asked for. */
export const keepStates = <Side>(
  { now, log }: StatesDeps,
  { chainId, readLimits, readTrust, managerType }: StateReader<Side>,
): StatesOf<Side> => {
  const common = { now, log, wantedMs: WANTED_MS, limit: MOST_KEPT, fields: { chainId } }
  const limits = createKeptWarm<Side, Limits>({
    name: 'its_limit_read',
    ...common,
    read: readLimits,
    maxAgeMs: LIMITS_MAX_AGE_MS,
    refreshMs: LIMITS_REFRESH_MS,
    together: SIDES_TOGETHER,
  })
  const trust = createKeptWarm<string, Trust>({
    name: 'its_trust_read',
    ...common,
    read: readTrust,
    maxAgeMs: TRUST_MAX_AGE_MS,
    refreshMs: TRUST_REFRESH_MS,
    together: NAMES_TOGETHER,
  })
  return {
    read: async (side, otherName) => {
      const [room, trusted] = await Promise.all([limits.get(side), trust.get(otherName)])
      return stateOf(room, trusted)
    },
    of: (side, otherName) => stateOf(limits.peek(side), trust.peek(otherName)),
    managerType,
    ...together([limits, trust]),
  }
}
