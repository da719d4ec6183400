import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import type { Log } from '../../lib/log.ts'
import {
  createRpcEndpoint,
  type ParseJson,
  type RpcAnswer,
  type RpcCall,
  type RpcEndpoint,
} from './json-rpc.ts'
import { NodeLags } from './node-lags.ts'

/** Calls that one endpoint answers together; `parse` throws on answers that cannot be used, e.g. of a lagging node. */
type RpcRead<Value> = {
  readonly calls: readonly RpcCall[]
  readonly parse: (answers: readonly RpcAnswer[]) => Value
  readonly deadlineMs: number
}

/** Asks the one endpoint that a piece of work was given to; rejects as an endpoint does. */
export type RpcAsk = (calls: readonly RpcCall[]) => Promise<readonly RpcAnswer[]>

/** Several rounds of calls to one endpoint; it throws on answers that cannot be used. */
type RpcWork<Value> = (ask: RpcAsk) => Promise<Value>

/** How an endpoint proves which chain it is of: by the result of a call. */
export type RpcProof = {
  readonly call: RpcCall
  readonly chainIdOf: (result: unknown) => ChainId | undefined
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

type Deps = {
  readonly chainId: ChainId
  readonly rpcUrls: readonly string[]
  readonly proof: RpcProof
  readonly parseJson?: ParseJson
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

const MAX_DOUBLINGS = 5

/** A short reason without the endpoint's address, which may hold credentials. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown'
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.name === 'ZodError' ? 'malformed answer' : error.message
}

/** An endpoint is of another chain than it is configured for, which waiting does not mend. */
class WrongChain extends Error {}

const checkChainId = (answer: RpcAnswer | undefined, { chainIdOf }: RpcProof, chainId: ChainId): void => {
  const found = answer?.ok === true ? chainIdOf(answer.result) : undefined
  if (found === undefined) throw new Error('no chain id')
  if (found !== chainId) throw new WrongChain(`endpoint of ${found}, expected ${chainId}`)
}

/** Free endpoints as configured, then those put aside, the one that comes back first leading. */
const inOrderOfTrust = (members: readonly Member[], now: Instant): readonly Member[] => [
  ...members.filter((member) => member.asideUntil <= now),
  ...members
    .filter((member) => member.asideUntil > now)
    .sort((one, other) => one.asideUntil - other.asideUntil),
]

/** Asks single endpoints and keeps account of which can be trusted. */
const createMembers = ({ chainId, rpcUrls, proof, parseJson, asideMs, now, log }: Deps) => {
  const members = rpcUrls.map(
    (url, position): Member => ({
      position,
      endpoint: createRpcEndpoint(url, parseJson),
      isVerified: false,
      failures: 0,
      asideUntil: 0,
    }),
  )
  let isClosed = false
  const putAside = (member: Member, error: unknown): void => {
    if (isClosed) return
    if (error instanceof NodeLags) {
      member.asideUntil = now() + asideMs
      return
    }
    if (member.failures === 0)
      log(error instanceof WrongChain ? 'error' : 'warn', 'rpc endpoint put aside', {
        chainId,
        endpoint: member.position,
        reason: reasonOf(error),
      })
    member.asideUntil = now() + asideMs * 2 ** Math.min(member.failures, MAX_DOUBLINGS)
    member.failures += 1
    member.isVerified = false
  }
  const restore = (member: Member): void => {
    if (member.failures > 0) log('info', 'rpc endpoint answers again', { chainId, endpoint: member.position })
    member.isVerified = true
    member.failures = 0
    member.asideUntil = 0
  }
  const askOf =
    (member: Member, deadlineMs: number): RpcAsk =>
    async (calls) => {
      const proofs = member.isVerified ? [] : [proof.call]
      const answers = await member.endpoint.ask([...proofs, ...calls], deadlineMs)
      if (proofs.length > 0) checkChainId(answers[0], proof, chainId)
      member.isVerified = true
      return answers.slice(proofs.length)
    }
  const run = async <Value>(member: Member, work: RpcWork<Value>, deadlineMs: number): Promise<Value> => {
    const started = performance.now()
    try {
      const value = await work((calls) => {
        const leftMs = deadlineMs - (performance.now() - started)
        if (leftMs <= 0) throw new Error(`no answer within ${deadlineMs} ms`)
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

const onlyAnswer = ([answer]: readonly RpcAnswer[]): RpcAnswer => {
  if (answer === undefined) throw new Error('no answer')
  return answer
}

/**
 * Reads from the first endpoint that answers. One that fails is put aside, longer each time in a row, and is asked again
 * before that only when no other answers; one that merely lags comes back soon and is not reported, as nodes behind one
 * address often differ by a block. Every endpoint proves its chain id before an answer of it is used.
 */
export const createRpcPool = (deps: Deps): RpcPool => {
  const { members, run, close } = createMembers(deps)
  const work = async <Value>(wanted: RpcWork<Value>, deadlineMs: number): Promise<Value> => {
    const started = performance.now()
    let cause: unknown
    for (const [tried, member] of inOrderOfTrust(members, deps.now()).entries()) {
      const leftMs = deadlineMs - (performance.now() - started)
      if (leftMs <= 0) break
      const isLast = tried === members.length - 1
      try {
        return await run(member, wanted, isLast ? leftMs : leftMs / 2)
      } catch (error) {
        cause = error
      }
    }
    throw new Error(`no endpoint of ${deps.chainId} answered: ${reasonOf(cause)}`, { cause })
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
