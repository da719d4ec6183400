import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import { backoffMs } from '../../lib/backoff.ts'
import type { Log } from '../../lib/log.ts'
import {
  createRpcEndpoint,
  type RpcAnswer,
  type RpcCall,
  type RpcEndpoint,
  type RpcOptions,
} from './json-rpc.ts'
import { RpcError, type RpcErrorCode, rpcErrorCode } from './rpc-error.ts'

/** Calls that one endpoint answers together; `parse` throws RpcError for answers that cannot be used, e.g. of a node that is behind. */
type RpcRead<Value> = {
  readonly calls: readonly RpcCall[]
  readonly parse: (answers: readonly RpcAnswer[]) => Value
  readonly deadlineMs: number
}

/** Asks the one endpoint that a piece of work was given to; rejects as an endpoint does. */
export type RpcAsk = (calls: readonly RpcCall[]) => Promise<readonly RpcAnswer[]>

/** Several rounds of calls to one endpoint; it throws RpcError for answers that cannot be used. */
type RpcWork<Value> = (ask: RpcAsk) => Promise<Value>

/** How an endpoint proves that it is of the chain: a call whose result must name `expected`. */
export type RpcProof = {
  readonly call: RpcCall
  /** The name in the result; undefined when there is none. */
  readonly nameIn: (result: unknown) => string | undefined
  readonly expected: string
}

/** The endpoints of one chain. */
export type RpcPool = {
  /** The value from the first endpoint that gives one; rejects when none does within the deadline. */
  readonly read: <Value>(read: RpcRead<Value>) => Promise<Value>
  /** As `read`, when one round of calls depends on the one before. */
  readonly work: <Value>(work: RpcWork<Value>, deadlineMs: number) => Promise<Value>
  /** The same work on each endpoint, those put aside included; rejections are those of single endpoints. */
  readonly workEach: <Value>(work: RpcWork<Value>, deadlineMs: number) => readonly Promise<Value>[]
  /** What each endpoint answers to one call, those put aside included; rejections are those of single endpoints. */
  readonly askEach: (call: RpcCall, deadlineMs: number) => readonly Promise<RpcAnswer>[]
  readonly close: () => void
}

type Deps = RpcOptions & {
  readonly chainId: ChainId
  readonly rpcUrls: readonly string[]
  readonly proof: RpcProof
  readonly asideMs: number
  readonly now: () => Instant
  readonly log: Log
}

type Member = {
  readonly position: number
  readonly endpoint: RpcEndpoint
  isVerified: boolean
  failures: number
  asideUntil: Instant
}

/** How much longer than at first an endpoint that goes on failing is put aside. */
const MAX_ASIDE_FACTOR = 32
/** What a sound node answers that cannot serve a certain read; another one may. */
const FALLS_SHORT: ReadonlySet<RpcErrorCode | undefined> = new Set([
  'NODE_BEHIND',
  'NODE_PRUNED',
  'NODE_BUSY',
])

/**
 * Reads from the first endpoint that answers. One that fails is put aside, longer each time in a row, and is asked again
 * before that only when no other answers; one that merely falls short comes back soon and is not reported, as nodes
 * behind one address often differ by a block. Every endpoint proves its chain before an answer of it is used.
 */
export const createRpcPool = (deps: Deps): RpcPool => {
  const { members, run, close } = createMembers(deps)
  const work = async <Value>(wanted: RpcWork<Value>, deadlineMs: number): Promise<Value> => {
    const started = performance.now()
    const errors: unknown[] = []
    for (const [tried, member] of inOrderOfTrust(members, deps.now()).entries()) {
      const leftMs = Math.floor(deadlineMs - (performance.now() - started))
      if (leftMs <= 0) break
      const isLast = tried === members.length - 1
      try {
        return await run(member, wanted, isLast ? leftMs : Math.ceil(leftMs / 2))
      } catch (error) {
        errors.push(error)
      }
    }
    throw noAnswer(deps.chainId, errors)
  }
  const workEach = <Value>(wanted: RpcWork<Value>, deadlineMs: number): readonly Promise<Value>[] =>
    members.map((member) => run(member, wanted, deadlineMs))
  return {
    work,
    workEach,
    read: ({ calls, parse, deadlineMs }) => work(async (ask) => parse(await ask(calls)), deadlineMs),
    askEach: (call, deadlineMs) => workEach(async (ask) => onlyAnswer(await ask([call])), deadlineMs),
    close,
  }
}

/** Free endpoints as configured, then those put aside, the one that comes back first leading. */
const inOrderOfTrust = (members: readonly Member[], now: Instant): readonly Member[] => [
  ...members.filter((member) => member.asideUntil <= now),
  ...members
    .filter((member) => member.asideUntil > now)
    .sort((one, other) => one.asideUntil - other.asideUntil),
]

/** Asks single endpoints and keeps account of which can be trusted. */
const createMembers = (deps: Deps) => {
  const { chainId, rpcUrls, proof, asideMs, now, log } = deps
  const members = rpcUrls.map(
    (url, position): Member => ({
      position,
      endpoint: createRpcEndpoint(url, deps),
      isVerified: false,
      failures: 0,
      asideUntil: 0,
    }),
  )
  let isClosed = false
  const putAside = (member: Member, error: unknown): void => {
    if (isClosed) return
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
    member.asideUntil =
      now() + backoffMs({ firstMs: asideMs, maximumMs: asideMs * MAX_ASIDE_FACTOR }, member.failures)
    member.isVerified = false
  }
  const restore = (member: Member): void => {
    if (member.failures > 0) log('info', 'rpc_endpoint_recovered', { chainId, endpoint: member.position })
    member.failures = 0
    member.asideUntil = 0
  }
  const askOf =
    (member: Member, deadlineMs: number): RpcAsk =>
    async (calls) => {
      const proofs = member.isVerified ? [] : [proof.call]
      const answers = await member.endpoint.ask([...proofs, ...calls], deadlineMs)
      if (proofs.length > 0) checkProof(answers[0], proof)
      member.isVerified = true
      return answers.slice(proofs.length)
    }
  const run = async <Value>(member: Member, work: RpcWork<Value>, deadlineMs: number): Promise<Value> => {
    const started = performance.now()
    try {
      const value = await work((calls) => {
        const leftMs = Math.floor(deadlineMs - (performance.now() - started))
        if (leftMs <= 0) throw new RpcError('TIMED_OUT', `no answer within ${deadlineMs} ms`)
        return askOf(member, leftMs)(calls)
      })
      restore(member)
      return value
    } catch (error) {
      putAside(member, error)
      throw error
    }
  }
  const close = (): void => {
    isClosed = true
    for (const member of members) member.endpoint.close()
  }
  return { members, run, close }
}

const checkProof = (answer: RpcAnswer | undefined, { nameIn, expected }: RpcProof): void => {
  const found = answer?.ok === true ? nameIn(answer.result) : undefined
  if (found === undefined) throw new RpcError('MALFORMED', 'no chain id')
  if (found !== expected) throw new RpcError('WRONG_CHAIN', `endpoint of ${found}, expected ${expected}`)
}

/** A short reason without the endpoint's address; what another error says might hold it. */
const reasonOf = (error: unknown): string => {
  if (error instanceof RpcError) return error.message
  return error instanceof Error ? `unusable answer (${error.name})` : 'unknown'
}

/** What became of a read that every endpoint failed; a later one may succeed when a node was merely behind. */
const noAnswer = (chainId: ChainId, errors: readonly unknown[]): RpcError => {
  const behind = errors.find((error) => rpcErrorCode(error) === 'NODE_BEHIND')
  const cause = behind ?? errors.at(-1)
  return new RpcError(
    behind === undefined ? 'NO_ANSWER' : 'NODE_BEHIND',
    `no endpoint of ${chainId} answered: ${reasonOf(cause)}`,
    { cause },
  )
}

const onlyAnswer = ([answer]: readonly RpcAnswer[]): RpcAnswer => {
  if (answer === undefined) throw new RpcError('MALFORMED', 'no answer')
  return answer
}
