import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import type { Log } from '../../lib/log.ts'
import { createLru } from '../../lib/lru.ts'
import { RpcError, type RpcErrorCode, rpcErrorCode } from './rpc-error.ts'
import { type RpcMember, type RpcMembers, type RpcWork, reasonOf } from './rpc-members.ts'

/** Whether one endpoint, named by its place in the configuration, confirms a fact or denies it. */
export type Statement = {
  readonly endpoint: number
  readonly confirms: boolean
  /** True for a denial of an endpoint that denied the fact before and says nothing now. */
  readonly isRemembered?: true
}

/** A fact that every endpoint of a chain is asked about. */
type AskedFact = {
  /** The fact as text, the same whenever it is asked about. */
  readonly about: string
  readonly confirms: RpcWork<boolean>
  readonly deadlineMs: number
}

/** Which endpoints confirm a fact and which deny it. */
export type StatementReader = (asked: AskedFact) => Promise<readonly Statement[]>

type Deps = {
  readonly members: Pick<RpcMembers, 'all' | 'run'>
  /** How many endpoints must confirm a fact before those that were silent for long are not waited for. */
  readonly quorum: number
  readonly chainId: ChainId
  readonly now: () => Instant
  readonly log: Log
}

/** What is remembered of a fact: who denies it, since when others have answered without a statement, and who reads for long. */
type FactRecord = {
  readonly deniers: Set<RpcMember>
  readonly undecidedSince: Map<RpcMember, Instant>
  readonly readingLong: Set<RpcMember>
}

/**
 * How long an endpoint that says nothing is waited for: longer than a restart. One with too much to read is waited for
 * until it has read all: others decide how much that is.
 */
const PATIENCE_MS = 20_000
/** The reader waits the full time again for an endpoint whose last failure is older. */
const STALE_MS = 60_000
const REMEMBERED_FACTS = 40_000
/** Errors of an endpoint that answers, and cannot say anything about the one fact yet, or ever. */
const UNDECIDED: ReadonlySet<RpcErrorCode | undefined> = new Set([
  'NODE_BEHIND',
  'NODE_PRUNED',
  'CHAIN_CHANGED',
  'TOO_MUCH',
])

/** Records since when endpoints fail. */
const createSilences = (now: () => Instant) => {
  const silences = new Map<RpcMember, { readonly since: Instant; readonly last: Instant }>()
  const sinceOf = (member: RpcMember): Instant | undefined => {
    const known = silences.get(member)
    return known === undefined || now() - known.last >= STALE_MS ? undefined : known.since
  }
  return {
    end: (member: RpcMember): void => {
      silences.delete(member)
    },
    /** Notes a failure; whether the endpoint is still waited for. */
    isAwaited: (member: RpcMember): boolean => {
      const since = sinceOf(member) ?? now()
      silences.set(member, { since, last: now() })
      return now() - since < PATIENCE_MS
    },
    isGivenUp: (member: RpcMember): boolean => {
      const since = sinceOf(member)
      return since !== undefined && now() - since >= PATIENCE_MS
    },
  }
}

const newRecord = (): FactRecord => ({
  deniers: new Set(),
  undecidedSince: new Map(),
  readingLong: new Set(),
})

/** Records and logs which endpoints have too much to read about a fact. */
const createLongReads = (chainId: ChainId, log: Log) => ({
  begin: (member: RpcMember, about: string, { readingLong }: FactRecord): void => {
    if (readingLong.has(member)) return
    readingLong.add(member)
    log('warn', 'rpc_endpoint_reads_long', { chainId, endpoint: member.position, fact: about })
  },
  end: (member: RpcMember, about: string, { readingLong }: FactRecord): void => {
    if (!readingLong.delete(member)) return
    log('info', 'rpc_endpoint_read_all', { chainId, endpoint: member.position, fact: about })
  },
})

/**
 * Creates a reader that asks every endpoint about a fact. One that fails, is behind, or has a shorter history says
 * nothing; one that denied the fact before denies it until it confirms it. The reader throws NODE_BEHIND while an endpoint
 * has said nothing for less than 20 seconds, for any reason, and while one has too much to read, for as long as that
 * takes. It throws NO_ANSWER if none says anything, unless the history of every endpoint is too short. An endpoint that has failed for longer is asked too, and waited for only without a
 * quorum.
 */
export const createStatementReader = ({ members, quorum, chainId, now, log }: Deps): StatementReader => {
  const records = createLru<string, FactRecord>(REMEMBERED_FACTS)
  const silences = createSilences(now)
  const longReads = createLongReads(chainId, log)

  const recordOf = (about: string): FactRecord => {
    const record = records.get(about) ?? newRecord()
    records.set(about, record)
    return record
  }

  const isAwaited = (member: RpcMember, about: string, record: FactRecord, error: unknown): boolean => {
    const { undecidedSince } = record
    const code = rpcErrorCode(error)
    if (!UNDECIDED.has(code) && code !== 'MALFORMED') return silences.isAwaited(member)
    const since = undecidedSince.get(member) ?? now()
    undecidedSince.set(member, since)
    const isPatient = now() - since < PATIENCE_MS
    // A proxy answers in place of the endpoint, or the endpoint cannot tell this one fact.
    if (code === 'MALFORMED') return silences.isAwaited(member) && isPatient
    silences.end(member)
    if (code !== 'TOO_MUCH') return isPatient
    if (!isPatient) longReads.begin(member, about, record)
    return true
  }

  return async ({ about, confirms, deadlineMs }) => {
    const record = recordOf(about)
    const confirming = new Set<RpcMember>()
    const denying = new Set<RpcMember>()
    const errors: unknown[] = []
    let awaited: unknown
    const listen = async (member: RpcMember): Promise<void> => {
      try {
        const isConfirmed = await members.run(member, confirms, deadlineMs)
        silences.end(member)
        record.undecidedSince.delete(member)
        longReads.end(member, about, record)
        if (isConfirmed) {
          record.deniers.delete(member)
          confirming.add(member)
        } else {
          record.deniers.add(member)
          denying.add(member)
        }
      } catch (error) {
        errors.push(error)
        if (isAwaited(member, about, record, error)) awaited ??= error
      }
    }
    const givenUp = members.all.filter(silences.isGivenUp)
    const beside = Promise.all(givenUp.map(listen))
    await Promise.all(members.all.filter((member) => !givenUp.includes(member)).map(listen))
    if (record.deniers.size === 0 && confirming.size < quorum) await beside
    if (awaited !== undefined && record.deniers.size === 0)
      throw new RpcError('NODE_BEHIND', `an endpoint says nothing about a fact yet: ${reasonOf(awaited)}`, {
        cause: awaited,
      })
    const statements = members.all.flatMap((member): readonly Statement[] => {
      const { position: endpoint } = member
      if (confirming.has(member)) return [{ endpoint, confirms: true }]
      if (denying.has(member)) return [{ endpoint, confirms: false }]
      return record.deniers.has(member) ? [{ endpoint, confirms: false, isRemembered: true }] : []
    })
    const cause = errors.find((error) => rpcErrorCode(error) !== 'NODE_PRUNED')
    if (statements.length === 0 && cause !== undefined)
      throw new RpcError('NO_ANSWER', `no endpoint says anything about a fact: ${reasonOf(cause)}`, { cause })
    return statements
  }
}
