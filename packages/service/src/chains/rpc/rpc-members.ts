import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import { backoffMs } from '../../lib/backoff.ts'
import type { Log } from '../../lib/log.ts'
import type { BlockTimes } from './block-times.ts'
import {
  createRpcEndpoint,
  type RpcAnswer,
  type RpcCall,
  type RpcEndpoint,
  type RpcOptions,
} from './json-rpc.ts'
import { OverloadedError, RpcError, type RpcErrorCode, rpcErrorCode } from './rpc-error.ts'

/** Sends calls to the endpoint that a piece of work was given; rejects as an endpoint does. */
export type RpcAsk = {
  (calls: readonly RpcCall[]): Promise<readonly RpcAnswer[]>
  /** Throws RpcError AHEAD_OF_CLOCK for a block time of the endpoint, in seconds, that is too far ahead of our clock. */
  readonly checkTime: (timestampSeconds: number) => void
}

/**
 * Several rounds of calls to one endpoint, named by its place in the configuration; throws RpcError for unusable
 * answers. What one endpoint answered must not be used for another.
 */
export type RpcWork<Value> = (ask: RpcAsk, endpoint: number) => Promise<Value>

/** How an endpoint proves its chain: a call whose result must name `expected`. */
export type RpcProof = {
  readonly call: RpcCall
  /** The name in the result; undefined when there is none. */
  readonly nameIn: (result: unknown) => string | undefined
  readonly expected: string
}

export type RpcMemberDeps = RpcOptions & {
  readonly chainId: ChainId
  /** The endpoints, each once. */
  readonly urls: readonly string[]
  readonly proof: RpcProof
  readonly blockTimes: BlockTimes
  readonly asideMs: number
  readonly log: Log
}

/** One endpoint of a pool with its record of failures and contradictions. */
export type RpcMember = {
  /** Its index in the configuration. */
  readonly position: number
  readonly endpoint: RpcEndpoint
  isVerified: boolean
  /** Failures in a row. */
  failures: number
  asideUntil: Instant
  /** Until when the endpoint asked to be left alone: nothing is sent to it before. */
  silentUntil: Instant
  /** How many times it has contradicted the others since it last agreed with them. */
  contradictions: number
  probationFrom: Instant
  /** How many times it has ever contradicted the others. */
  disagreements: number
}

/** The endpoints of one chain. */
export type RpcMembers = {
  /** As configured. */
  readonly all: readonly RpcMember[]
  /**
   * Most trusted first: working ones in configured order, then those that contradicted the others or our clock, then
   * those put aside, in the order of their return.
   */
  readonly inOrderOfTrust: () => readonly RpcMember[]
  /** Endpoints that contradicted the others or our clock and may be compared with them again. */
  readonly onProbation: () => readonly RpcMember[]
  readonly run: <Value>(member: RpcMember, work: RpcWork<Value>, deadlineMs: number) => Promise<Value>
  /** Records an endpoint's answer in comparison with the agreed one. */
  readonly compared: (member: RpcMember, said: 'the same' | 'another') => void
  readonly close: () => void
}

/** Limit of the growth of an endpoint's pause. */
const MAX_ASIDE_FACTOR = 32
/** The longest time for which an endpoint is left alone because it asks for that. */
const MAX_SILENCE_MS = 300_000
/** Errors of a node that answers but cannot serve a certain read; another node may. */
const FALLS_SHORT: ReadonlySet<RpcErrorCode | undefined> = new Set([
  'NODE_BEHIND',
  'NODE_PRUNED',
  'NODE_BUSY',
  'NO_CLASSIC_EVENTS',
  'AHEAD_OF_CLOCK',
  'TOO_MUCH',
])

/**
 * Sends work to single endpoints and records which can be trusted. An endpoint that fails is put aside, for longer with
 * each failure in a row. One that contradicts the others is preferred only to failing ones until it agrees with them
 * again.
 */
export const createRpcMembers = (deps: RpcMemberDeps): RpcMembers => {
  const { urls, proof, blockTimes, now } = deps
  const all = urls.map((url, position) => newMember(position, createRpcEndpoint(url, deps)))
  const { putAside, restore, compared, close } = createTrust(deps)
  const askOf =
    (member: RpcMember, deadlineMs: number) =>
    async (calls: readonly RpcCall[]): Promise<readonly RpcAnswer[]> => {
      if (member.silentUntil > now()) throw new RpcError('NODE_BUSY', 'the endpoint asked to be left alone')
      const proofs = member.isVerified ? [] : [proof.call]
      const answers = await member.endpoint.ask([...proofs, ...calls], deadlineMs)
      if (proofs.length > 0) checkProof(answers[0], proof)
      member.isVerified = true
      return answers.slice(proofs.length)
    }
  const isDistrusted = ({ position, contradictions }: RpcMember): boolean =>
    contradictions > 0 || blockTimes.isDoubted(position)
  const compareTrust = (one: RpcMember, other: RpcMember): number => {
    const [oneAside, otherAside] = [Math.max(one.asideUntil, now()), Math.max(other.asideUntil, now())]
    if (oneAside !== otherAside) return oneAside - otherAside
    return Number(isDistrusted(one)) - Number(isDistrusted(other)) || one.position - other.position
  }
  return {
    all,
    inOrderOfTrust: () => all.toSorted(compareTrust),
    onProbation: () =>
      all.filter(
        (member) => isDistrusted(member) && member.probationFrom <= now() && member.asideUntil <= now(),
      ),
    run: async (member, work, deadlineMs) => {
      const started = performance.now()
      try {
        const ask = (calls: readonly RpcCall[]): Promise<readonly RpcAnswer[]> => {
          const leftMs = Math.floor(deadlineMs - (performance.now() - started))
          if (leftMs <= 0) throw new RpcError('TIMED_OUT', `no answer within ${deadlineMs} ms`)
          return askOf(member, leftMs)(calls)
        }
        const checkTime: RpcAsk['checkTime'] = (seconds) => blockTimes.check(member.position, seconds)
        const value = await work(Object.assign(ask, { checkTime }), member.position)
        restore(member)
        return value
      } catch (error) {
        putAside(member, error)
        throw error
      }
    },
    compared,
    close: () => {
      close()
      for (const { endpoint } of all) endpoint.close()
    },
  }
}

/** Changes an endpoint's trust, and logs when a condition begins and ends. */
const createTrust = ({ chainId, asideMs, now, log }: RpcMemberDeps) => {
  let isClosed = false
  const pauseMs = (times: number): number =>
    backoffMs({ firstMs: asideMs, maximumMs: asideMs * MAX_ASIDE_FACTOR }, times)
  return {
    putAside: (member: RpcMember, error: unknown): void => {
      if (isClosed) return
      if (error instanceof OverloadedError && error.waitMs !== undefined)
        member.silentUntil = now() + Math.min(error.waitMs, MAX_SILENCE_MS)
      const code = rpcErrorCode(error)
      if (FALLS_SHORT.has(code)) {
        member.asideUntil = now() + asideMs
        return
      }
      if (member.failures === 0)
        log(code === 'WRONG_CHAIN' ? 'error' : 'warn', 'rpc_endpoint_put_aside', {
          chainId,
          endpoint: member.position,
          reason: reasonOf(error),
        })
      member.failures += 1
      member.asideUntil = Math.max(now() + pauseMs(member.failures), member.silentUntil)
      // A slow read says nothing about which chain the endpoint is of.
      if (code !== 'TIMED_OUT') member.isVerified = false
    },
    restore: (member: RpcMember): void => {
      if (member.failures > 0) log('info', 'rpc_endpoint_recovered', { chainId, endpoint: member.position })
      member.failures = 0
      member.asideUntil = 0
    },
    compared: (member: RpcMember, said: 'the same' | 'another'): void => {
      const { position: endpoint, contradictions } = member
      if (said === 'the same') {
        if (contradictions > 0) log('info', 'rpc_endpoint_agrees', { chainId, endpoint })
        member.contradictions = 0
        return
      }
      if (contradictions === 0) log('error', 'rpc_endpoint_disagrees', { chainId, endpoint })
      member.contradictions += 1
      member.disagreements += 1
      member.probationFrom = now() + pauseMs(member.contradictions)
    },
    close: (): void => {
      isClosed = true
    },
  }
}

const newMember = (position: number, endpoint: RpcEndpoint): RpcMember => ({
  position,
  endpoint,
  isVerified: false,
  failures: 0,
  asideUntil: 0,
  silentUntil: 0,
  contradictions: 0,
  probationFrom: 0,
  disagreements: 0,
})

const checkProof = (answer: RpcAnswer | undefined, { nameIn, expected }: RpcProof): void => {
  if (answer?.ok === false) throw new RpcError('REFUSED', `node refused with code ${answer.code}`)
  const found = answer === undefined ? undefined : nameIn(answer.result)
  if (found === undefined) throw new RpcError('MALFORMED', 'no chain id')
  if (found !== expected) throw new RpcError('WRONG_CHAIN', `endpoint of ${found}, expected ${expected}`)
}

/** A short reason without the endpoint's URL, which messages of other errors may contain. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof RpcError) return error.message
  return error instanceof Error ? `unusable answer (${error.name})` : 'unknown'
}
