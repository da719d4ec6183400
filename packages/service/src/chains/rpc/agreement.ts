import { startDeadline } from '../../lib/deadline-timer.ts'
import { RpcError, rpcErrorCode } from './rpc-error.ts'
import { type RpcMember, type RpcMembers, type RpcWork, reasonOf } from './rpc-members.ts'

/** Work that several endpoints do independently. */
export type RpcAgreement<Value> = {
  readonly work: RpcWork<Value>
  /**
   * The value as text, by default all of it; equal texts count as the same answer. It must leave out facts in which sound endpoints differ,
   * such as their heads. An endpoint that cannot answer yet throws NODE_BEHIND.
   */
  readonly keyOf?: (value: Value) => string
  /** False for facts in which sound endpoints differ for a moment: contradictions are not recorded. True by default. */
  readonly blames?: boolean
  readonly deadlineMs: number
}

type Statement<Value> = { readonly member: RpcMember; readonly key: string; readonly value: Value }

/**
 * Asks as many endpoints as must agree, the most trusted first, and more while answers differ, fail, or take longer than
 * `hurryMs` or half of the deadline. Endpoints that contradict the agreed value are noted, also when they answer after it was found. Throws
 * RpcError NO_AGREEMENT when the quorum is not reached, NODE_BEHIND when endpoints that are behind prevent it.
 */
export const reachAgreement = async <Value>(
  members: RpcMembers,
  quorum: number,
  hurryMs: number,
  { work, keyOf = textOf, blames = true, deadlineMs }: RpcAgreement<Value>,
): Promise<Value> => {
  const started = performance.now()
  const leftMs = (): number => Math.floor(deadlineMs - (performance.now() - started))
  const waiting = [...members.inOrderOfTrust()]
  const pending = new Set<Promise<void>>()
  const statements: Statement<Value>[] = []
  const errors: unknown[] = []
  let agreed: Statement<Value> | undefined

  const judge = ({ member, key }: Statement<Value>, { key: expected }: Statement<Value>): void => {
    if (blames) members.compared(member, key === expected ? 'the same' : 'another')
  }
  const listen = async (member: RpcMember): Promise<void> => {
    try {
      const value = await members.run(member, work, Math.max(1, leftMs()))
      const statement = { member, key: keyOf(value), value }
      statements.push(statement)
      if (agreed !== undefined) judge(statement, agreed)
    } catch (error) {
      errors.push(error)
    }
  }
  const ask = (member: RpcMember): void => {
    waiting.splice(waiting.indexOf(member), 1)
    const asking = listen(member).finally(() => pending.delete(asking))
    pending.add(asking)
  }
  const askAsMany = (count: number): void => {
    for (const member of waiting.slice(0, Math.max(0, count))) ask(member)
  }

  askAsMany(quorum)
  for (const member of members.onProbation()) if (waiting.includes(member)) ask(member)
  const { hurry, isHurried, cancel } = createHurry(Math.min(deadlineMs / 2, hurryMs))
  try {
    for (;;) {
      const alike = mostAlike(statements)
      const [first] = alike
      if (first !== undefined && alike.length >= quorum) {
        agreed = first
        for (const statement of statements) judge(statement, first)
        return first.value
      }
      askAsMany(isHurried() ? waiting.length : quorum - alike.length - pending.size)
      if (alike.length + pending.size < quorum) throw noAgreement(statements, errors)
      await Promise.race(isHurried() ? pending : [...pending, hurry])
    }
  } finally {
    cancel()
  }
}

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) => (typeof part === 'bigint' ? part.toString() : part)) ?? ''

/** The statements of the largest group that says the same. */
const mostAlike = <Value>(statements: readonly Statement<Value>[]): readonly Statement<Value>[] =>
  [...Map.groupBy(statements, ({ key }) => key).values()].reduce<readonly Statement<Value>[]>(
    (most, group) => (group.length > most.length ? group : most),
    [],
  )

/** The moment from which slow endpoints are not waited for alone. */
const createHurry = (afterMs: number) => {
  const { promise: hurry, resolve } = Promise.withResolvers<void>()
  let hurried = false
  const cancel = startDeadline(afterMs, () => {
    hurried = true
    resolve()
  })
  return { hurry, isHurried: () => hurried, cancel }
}

const noAgreement = (statements: readonly Statement<unknown>[], errors: readonly unknown[]): RpcError => {
  const behind = errors.find((error) => rpcErrorCode(error) === 'NODE_BEHIND')
  const different = new Set(statements.map(({ key }) => key)).size
  if (behind !== undefined && different < 2)
    return new RpcError('NODE_BEHIND', `too few endpoints say the same: ${reasonOf(behind)}`, {
      cause: behind,
    })
  const answers = `${statements.length} answers, ${different} different, ${errors.length} failures`
  const cause = errors.at(-1)
  const reason = cause === undefined ? '' : `: ${reasonOf(cause)}`
  return new RpcError('NO_AGREEMENT', `too few endpoints say the same (${answers})${reason}`, { cause })
}
