import type { ChainId } from '../../core/chain.ts'
import type { Instant } from '../../core/instant.ts'
import type { Log } from '../../core/log.ts'
import { createRpcEndpoint, type RpcAnswer, type RpcCall, type RpcEndpoint } from './json-rpc.ts'
import { NodeLags } from './node-lags.ts'

/** Calls that one endpoint answers together; `parse` throws on answers that cannot be used, e.g. of a lagging node. */
type RpcRead<Value> = {
  readonly calls: readonly RpcCall[]
  readonly parse: (answers: readonly RpcAnswer[]) => Value
  readonly deadlineMs: number
}

/** The endpoints of one chain. */
export type RpcPool = {
  /** The value from the first endpoint that gives one; rejects when none does within the deadline. */
  readonly read: <Value>(read: RpcRead<Value>) => Promise<Value>
  /** What each endpoint answers to one call, those put aside included; rejections are those of single endpoints. */
  readonly askEach: (call: RpcCall, deadlineMs: number) => readonly Promise<RpcAnswer>[]
  readonly close: () => void
}

type Deps = {
  readonly chainId: ChainId
  readonly rpcUrls: readonly string[]
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
const CHAIN_ID_CALL: RpcCall = { method: 'eth_chainId', params: [] }

/** A short reason without the endpoint's address, which may hold credentials. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown'
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.name === 'ZodError' ? 'malformed answer' : error.message
}

const checkChainId = (answer: RpcAnswer | undefined, chainId: ChainId): void => {
  const found = answer?.ok === true && typeof answer.result === 'string' ? Number(answer.result) : undefined
  if (found === undefined) throw new Error('no chain id')
  if (`eip155:${found}` !== chainId) throw new Error(`endpoint of eip155:${found}, expected ${chainId}`)
}

/** Free endpoints as configured, then those put aside, the one that comes back first leading. */
const inOrderOfTrust = (members: readonly Member[], now: Instant): readonly Member[] => [
  ...members.filter((member) => member.asideUntil <= now),
  ...members
    .filter((member) => member.asideUntil > now)
    .sort((one, other) => one.asideUntil - other.asideUntil),
]

/** Asks single endpoints and keeps account of which can be trusted. */
const createMembers = ({ chainId, rpcUrls, asideMs, now, log }: Deps) => {
  const members = rpcUrls.map(
    (url, position): Member => ({
      position,
      endpoint: createRpcEndpoint(url),
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
      log('warn', 'rpc endpoint put aside', { chainId, endpoint: member.position, reason: reasonOf(error) })
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
  const ask = async <Value>(member: Member, { calls, parse, deadlineMs }: RpcRead<Value>): Promise<Value> => {
    try {
      const proof = member.isVerified ? [] : [CHAIN_ID_CALL]
      const answers = await member.endpoint.ask([...proof, ...calls], deadlineMs)
      if (proof.length > 0) checkChainId(answers[0], chainId)
      const value = parse(answers.slice(proof.length))
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
  return { members, ask, close }
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
  const { members, ask, close } = createMembers(deps)
  const read = async <Value>(wanted: RpcRead<Value>): Promise<Value> => {
    const started = performance.now()
    let cause: unknown
    for (const [tried, member] of inOrderOfTrust(members, deps.now()).entries()) {
      const leftMs = wanted.deadlineMs - (performance.now() - started)
      if (leftMs <= 0) break
      const isLast = tried === members.length - 1
      try {
        return await ask(member, { ...wanted, deadlineMs: isLast ? leftMs : leftMs / 2 })
      } catch (error) {
        cause = error
      }
    }
    throw new Error(`no endpoint of ${deps.chainId} answered: ${reasonOf(cause)}`, { cause })
  }
  const askEach = (call: RpcCall, deadlineMs: number): readonly Promise<RpcAnswer>[] =>
    members.map((member) => ask(member, { calls: [call], parse: onlyAnswer, deadlineMs }))
  return { read, askEach, close }
}
