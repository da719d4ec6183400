import type { Instant } from '../../core/instant.ts'
import { RpcError, type RpcErrorCode, rpcErrorCode } from './rpc-error.ts'
import { type RpcMember, type RpcMembers, type RpcWork, reasonOf } from './rpc-members.ts'

/** Whether one endpoint, named by its place in the configuration, confirms a fact or denies it. */
export type Statement = { readonly endpoint: number; readonly confirms: boolean }

/** Which endpoints confirm a fact and which deny it. */
export type StatementReader = (
  confirms: RpcWork<boolean>,
  deadlineMs: number,
) => Promise<readonly Statement[]>

type Deps = { readonly members: Pick<RpcMembers, 'all' | 'run'>; readonly now: () => Instant }

/** How long an endpoint that says nothing is waited for: longer than a restart. */
const PATIENCE_MS = 20_000
/** Errors that waiting does not mend: of sound endpoints with too short a history, and of endpoints that are wrong. */
const LASTING: ReadonlySet<RpcErrorCode | undefined> = new Set([
  'NODE_PRUNED',
  'TOO_MUCH',
  'WRONG_CHAIN',
  'MALFORMED',
  'AHEAD_OF_CLOCK',
])
const KNOWS_TOO_LITTLE: ReadonlySet<RpcErrorCode | undefined> = new Set(['NODE_PRUNED', 'TOO_MUCH'])

/**
 * Creates a reader that asks every endpoint about a fact. One that fails, is behind, or has a shorter history says
 * nothing. The reader throws NODE_BEHIND while an endpoint has said nothing for less than 20 seconds and may yet answer,
 * and NO_ANSWER if none says anything, unless the history of every endpoint is too short.
 */
export const createStatementReader = ({ members, now }: Deps): StatementReader => {
  const silentSince = new Map<RpcMember, Instant>()

  const isAwaited = (member: RpcMember): boolean => {
    const since = silentSince.get(member) ?? now()
    silentSince.set(member, since)
    return now() - since < PATIENCE_MS
  }

  return async (confirms, deadlineMs) => {
    const statements: Statement[] = []
    const errors: unknown[] = []
    let awaited: unknown
    const listen = async (member: RpcMember): Promise<void> => {
      try {
        const statement = {
          endpoint: member.position,
          confirms: await members.run(member, confirms, deadlineMs),
        }
        statements.push(statement)
        silentSince.delete(member)
      } catch (error) {
        errors.push(error)
        if (!LASTING.has(rpcErrorCode(error)) && isAwaited(member)) awaited ??= error
      }
    }
    await Promise.all(members.all.map(listen))
    const isDenied = statements.some((statement) => !statement.confirms)
    if (awaited !== undefined && !isDenied)
      throw new RpcError('NODE_BEHIND', `an endpoint says nothing about a fact yet: ${reasonOf(awaited)}`, {
        cause: awaited,
      })
    const cause = errors.find((error) => !KNOWS_TOO_LITTLE.has(rpcErrorCode(error)))
    if (statements.length === 0 && cause !== undefined)
      throw new RpcError('NO_ANSWER', `no endpoint says anything about a fact: ${reasonOf(cause)}`, { cause })
    return statements.toSorted((one, other) => one.endpoint - other.endpoint)
  }
}
