import type { ChainId } from '@openrfq/sdk'
import { createConditions } from '../../lib/conditions.ts'
import { startDeadline } from '../../lib/deadline-timer.ts'
import { type RpcAgreement, reachAgreement } from './agreement.ts'
import { type BlockTimeBound, createBlockTimes } from './block-times.ts'
import type { CallCount } from './call-meter.ts'
import type { RpcAnswer, RpcCall } from './json-rpc.ts'
import { endpointsOf, quorumOf } from './quorum.ts'
import { RpcError, rpcErrorCode } from './rpc-error.ts'
import {
  createRpcMembers,
  type RpcAsk,
  type RpcMember,
  type RpcMemberDeps,
  type RpcMembers,
  type RpcWork,
  reasonOf,
} from './rpc-members.ts'
import { createStatementReader, type StatementReader } from './statements.ts'

/**
 * Calls that one endpoint answers together; `parse` throws RpcError for unusable answers, e.g. of a node that is
 * behind.
 */
type RpcRead<Value> = {
  readonly calls: readonly RpcCall[]
  readonly parse: (answers: readonly RpcAnswer[], checkTime: RpcAsk['checkTime']) => Value
  readonly deadlineMs: number
  /** Time after which the next endpoint is asked too, for background reads. */
  readonly hurryMs?: number
}

/** The endpoints of one chain. */
export type RpcPool = {
  /** The number of endpoints that must agree in `agree`. */
  readonly quorum: number
  /** The value from the first endpoint that returns one; rejects when none does within the deadline. */
  readonly read: <Value>(read: RpcRead<Value>) => Promise<Value>
  /** Like `read`, for work whose calls depend on earlier answers. */
  readonly work: <Value>(work: RpcWork<Value>, deadlineMs: number, hurryMs?: number) => Promise<Value>
  /** Like `work`, for quotes: on endpoints that have calls of their minute left. */
  readonly workForQuotes: <Value>(work: RpcWork<Value>, deadlineMs: number) => Promise<Value>
  /**
   * The value that a quorum of endpoints returns, each asked independently. Throws RpcError NO_AGREEMENT or NODE_BEHIND
   * without one.
   */
  readonly agree: <Value>(agreement: RpcAgreement<Value>) => Promise<Value>
  /**
   * Which endpoints confirm a fact and which deny it; silent endpoints, and those whose history is too short, say
   * nothing, unless they denied it before. Throws RpcError NODE_BEHIND while a silent one may yet answer, NO_ANSWER if
   * all are silent.
   */
  readonly statements: StatementReader
  /** For each endpoint, in configured order, also while it is put aside: work on it alone. */
  readonly each: readonly (<Value>(work: RpcWork<Value>, deadlineMs: number) => Promise<Value>)[]
  /** The same work on each endpoint, including those put aside; each promise rejects for its own endpoint. */
  readonly workEach: <Value>(work: RpcWork<Value>, deadlineMs: number) => readonly Promise<Value>[]
  /** Each endpoint's answer to one call, including those put aside; each promise rejects for its own endpoint. */
  readonly askEach: (call: RpcCall, deadlineMs: number) => readonly Promise<RpcAnswer>[]
  /** How often each endpoint said what cannot be, in configured order. */
  readonly faults: () => readonly EndpointFaults[]
  /** What was sent to each endpoint, in configured order. */
  readonly counts: () => readonly CallCount[]
  /** Whether a quorum of endpoints told block times too far ahead of our clock a moment ago. */
  readonly isAheadOfClock: () => boolean
  readonly close: () => void
}

/** How often an endpoint said what cannot be. */
export type EndpointFaults = {
  /** Contradictions of what a quorum of endpoints said alike. */
  readonly disagreements: number
  /** Block times too far ahead of our clock. */
  readonly timesAhead: number
}

type Deps = Omit<RpcMemberDeps, 'urls' | 'blockTimes'> &
  BlockTimeBound & {
    readonly rpcUrls: readonly string[]
    /** Time after which slow endpoints are not waited for alone, in milliseconds. */
    readonly hurryMs: number
  }

/**
 * Reads from the first endpoint that answers. While one takes longer than `hurryMs` or more than half of the time that is left, the next is asked
 * too, and the first answer counts: endpoints that are all slow are still heard. An endpoint that fails is put aside, for longer with each failure in a
 * row, and asked earlier only when no other answers. One that is only behind returns soon and is not logged, because
 * nodes behind one URL often differ by a block. Every endpoint proves its chain before the pool uses its answers.
 */
export const createRpcPool = (deps: Deps): RpcPool => {
  const { hurryMs } = deps
  const quorum = quorumOf(deps)
  const blockTimes = createBlockTimes({ ...deps, quorum })
  const members = createRpcMembers({ ...deps, urls: endpointsOf(deps), blockTimes })
  const spending = createSpending(deps)
  const workBy = async <Value>(
    run: RpcMembers['run'],
    wanted: RpcWork<Value>,
    deadlineMs: number,
    patienceMs = hurryMs,
  ): Promise<Value> => {
    const started = performance.now()
    const leftMs = (): number => Math.max(0, Math.floor(deadlineMs - (performance.now() - started)))
    const errors: unknown[] = []
    const asked: Promise<Value>[] = []
    for (const member of members.inOrderOfTrust()) {
      if (leftMs() <= 0) break
      const asking = run(member, wanted, leftMs())
      asking.catch((error: unknown) => errors.push(error))
      asked.push(asking)
      const first = await firstWithin(asked, asking, Math.max(0, Math.min(leftMs() / 2, patienceMs)))
      if (first !== undefined) return first.value
    }
    return Promise.any(asked).catch(() => {
      throw noAnswer(deps.chainId, errors)
    })
  }
  const { run } = members
  const runUnspent: RpcMembers['run'] = async (member, wanted, deadlineMs) => {
    spending.check(member)
    return run(member, wanted, deadlineMs)
  }
  const work: RpcPool['work'] = (wanted, deadlineMs, patienceMs) =>
    workBy(run, wanted, deadlineMs, patienceMs)
  const each = members.all.map(
    (member): RpcPool['each'][number] =>
      (wanted, deadlineMs) =>
        run(member, wanted, deadlineMs),
  )
  const workEach = <Value>(wanted: RpcWork<Value>, deadlineMs: number): readonly Promise<Value>[] =>
    each.map((workOn) => workOn(wanted, deadlineMs))
  return {
    quorum,
    work,
    workForQuotes: (wanted, deadlineMs) => workBy(runUnspent, wanted, deadlineMs),
    each,
    workEach,
    read: ({ calls, parse, deadlineMs, hurryMs: patienceMs }) =>
      work(async (ask) => parse(await ask(calls), ask.checkTime), deadlineMs, patienceMs),
    agree: (agreement) => reachAgreement(members, quorum, hurryMs, agreement),
    statements: createStatementReader({ ...deps, members, quorum }),
    askEach: (call, deadlineMs) => workEach(async (ask) => onlyAnswer(await ask([call])), deadlineMs),
    faults: () =>
      members.all.map(({ position, disagreements }) => ({
        disagreements,
        timesAhead: blockTimes.count(position),
      })),
    counts: () => members.all.map(({ endpoint }) => endpoint.count()),
    isAheadOfClock: blockTimes.isAheadOfClock,
    close: members.close,
  }
}

/** Logs when an endpoint's calls of the minute are spent, and when some are left again. */
const createSpending = ({ chainId, log }: Pick<Deps, 'chainId' | 'log'>) => {
  const spent = createConditions<RpcMember>()
  return {
    /** Throws RpcError NODE_BUSY for an endpoint that has no calls of its minute left. */
    check: (member: RpcMember): void => {
      const fields = { chainId, endpoint: member.position }
      if (!member.endpoint.isSpent()) {
        if (spent.end(member)) log('info', 'rpc_endpoint_has_calls', fields)
        return
      }
      if (spent.begin(member)) log('warn', 'rpc_endpoint_spent', fields)
      throw new RpcError('NODE_BUSY', 'the calls per minute of the endpoint are spent')
    },
  }
}

/**
 * The first value; undefined when the endpoint asked last fails, and when none has returned one in the given time.
 */
const firstWithin = async <Value>(
  asked: readonly Promise<Value>[],
  last: Promise<Value>,
  withinMs: number,
): Promise<{ readonly value: Value } | undefined> => {
  const { promise: nothing, resolve } = Promise.withResolvers<undefined>()
  const cancel = startDeadline(withinMs, () => resolve(undefined))
  last.catch(() => resolve(undefined))
  try {
    return await Promise.race([Promise.any(asked).then((value) => ({ value })), nothing])
  } catch {
    return undefined
  } finally {
    cancel()
  }
}

/**
 * The error of a read that every endpoint failed: NODE_BEHIND when a node was only behind, so that a later read may
 * succeed.
 */
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
