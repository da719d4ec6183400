import type { ChainId } from '@openrfq/sdk'
import { z } from 'zod'
import type { Instant } from '../../core/instant.ts'
import type { Log } from '../../lib/log.ts'
import { type Ask, askEndpoint } from './rpc-endpoint.ts'

/** The endpoints of one network. What is read with one `ask` comes from one endpoint. */
export type StellarPool = {
  /** The value from the first endpoint that gives one; rejects when none does within the deadline. */
  readonly read: <Value>(work: (ask: Ask) => Promise<Value>, deadlineMs: number) => Promise<Value>
  /** What comes of the work at each endpoint, those put aside included. */
  readonly each: <Value>(work: (ask: Ask) => Promise<Value>, deadlineMs: number) => readonly Promise<Value>[]
  readonly close: () => void
}

/** A node answers properly but is behind another one, or has forgotten what another may still know. */
export class NodeFallsShort extends Error {
  constructor(how: string) {
    super(how)
    this.name = 'NodeFallsShort'
  }
}

type Deps = {
  readonly chainId: ChainId
  readonly passphrase: string
  readonly rpcUrls: readonly string[]
  readonly asideMs: number
  readonly now: () => Instant
  readonly log: Log
}

type Member = {
  readonly position: number
  readonly url: string
  isVerified: boolean
  isForeign: boolean
  failures: number
  asideUntil: Instant
}

const MAX_DOUBLINGS = 5
const NetworkAnswer = z.object({ passphrase: z.string() })

/** A short reason without the endpoint's address, which may hold credentials. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown'
  if (error.name === 'ZodError') return 'malformed answer'
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'no answer in time'
  if (error instanceof TypeError || error instanceof SyntaxError) return 'no usable answer'
  return error.message
}

/** Free endpoints as configured, then those put aside, the one that comes back first leading. */
const inOrderOfTrust = (members: readonly Member[], now: Instant): readonly Member[] => [
  ...members.filter((member) => member.asideUntil <= now),
  ...members
    .filter((member) => member.asideUntil > now)
    .sort((one, other) => one.asideUntil - other.asideUntil),
]

const createMembers = ({ chainId, passphrase, rpcUrls, asideMs, now, log }: Deps) => {
  const members = rpcUrls.map(
    (url, position): Member => ({
      position,
      url,
      isVerified: false,
      isForeign: false,
      failures: 0,
      asideUntil: 0,
    }),
  )
  const closing = new AbortController()

  const verify = async (member: Member, ask: Ask): Promise<void> => {
    if (member.isVerified) return
    const found = (await ask('getNetwork', {}, NetworkAnswer)).passphrase
    member.isVerified = found === passphrase
    if (member.isVerified) {
      member.isForeign = false
      return
    }
    if (!member.isForeign)
      log('error', 'rpc endpoint of another Stellar network', { chainId, endpoint: member.position, found })
    member.isForeign = true
    throw new Error(`endpoint of the network "${found}", expected "${passphrase}"`)
  }
  const putAside = (member: Member, error: unknown): void => {
    if (closing.signal.aborted || error instanceof NodeFallsShort) return
    if (member.failures === 0 && !member.isForeign)
      log('warn', 'rpc endpoint put aside', { chainId, endpoint: member.position, reason: reasonOf(error) })
    member.asideUntil = now() + asideMs * 2 ** Math.min(member.failures, MAX_DOUBLINGS)
    member.failures += 1
    member.isVerified = false
  }
  const restore = (member: Member): void => {
    if (member.failures > 0) log('info', 'rpc endpoint answers again', { chainId, endpoint: member.position })
    member.failures = 0
    member.asideUntil = 0
  }
  const run = async <Value>(
    member: Member,
    work: (ask: Ask) => Promise<Value>,
    deadlineMs: number,
  ): Promise<Value> => {
    const ask = askEndpoint(member.url, AbortSignal.any([AbortSignal.timeout(deadlineMs), closing.signal]))
    try {
      await verify(member, ask)
      const value = await work(ask)
      restore(member)
      return value
    } catch (error) {
      putAside(member, error)
      throw error
    }
  }
  return { members, run, close: () => closing.abort() }
}

/**
 * Reads from the first endpoint that answers. One that fails is put aside, longer each time in a row, and is asked again
 * before that only when no other answers. Every endpoint proves its network before an answer of it is used.
 */
export const createStellarPool = (deps: Deps): StellarPool => {
  const { members, run, close } = createMembers(deps)
  const read = async <Value>(work: (ask: Ask) => Promise<Value>, deadlineMs: number): Promise<Value> => {
    const started = performance.now()
    let cause: unknown
    for (const [tried, member] of inOrderOfTrust(members, deps.now()).entries()) {
      const leftMs = Math.floor(deadlineMs - (performance.now() - started))
      if (leftMs <= 0) break
      const isLast = tried === members.length - 1
      try {
        return await run(member, work, isLast ? leftMs : Math.ceil(leftMs / 2))
      } catch (error) {
        cause = error
      }
    }
    throw new Error(`no endpoint of ${deps.chainId} answered: ${reasonOf(cause)}`, { cause })
  }
  const each = <Value>(work: (ask: Ask) => Promise<Value>, deadlineMs: number): readonly Promise<Value>[] =>
    members.map((member) => run(member, work, deadlineMs))
  return { read, each, close }
}
