import { RpcError, rpcErrorCode } from './rpc-error.ts'
import { type RpcWork, reasonOf } from './rpc-members.ts'
import type { RpcPool } from './rpc-pool.ts'

/** A list of facts: every endpoint is asked for all of them, and endpoints agree on each fact separately. */
export type ListAgreement<Value> = {
  /** The facts in a fixed order. An endpoint that cannot answer yet throws NODE_BEHIND. */
  readonly work: RpcWork<readonly Value[]>
  readonly count: number
  /** A fact as text; equal texts count as the same answer. */
  readonly keyOf: (value: Value) => string
  readonly deadlineMs: number
}

/** The value of the largest group of equal answers, if it has as many as the quorum. */
const agreedAmong = <Value>(
  values: readonly Value[],
  keyOf: (value: Value) => string,
  quorum: number,
): Value | undefined => [...Map.groupBy(values, keyOf).values()].find((group) => group.length >= quorum)?.[0]

/**
 * The facts that a quorum of endpoints say alike, undefined where they do not: endpoints that read accounts at different
 * slots rarely agree on a long list, but on nearly all of its entries. Resolves as soon as every fact is agreed, and
 * otherwise when all endpoints have answered. Throws RpcError NODE_BEHIND or NO_AGREEMENT if fewer than a quorum answer.
 */
export const agreeOnEach = async <Value>(
  { workEach, quorum }: Pick<RpcPool, 'workEach' | 'quorum'>,
  { work, count, keyOf, deadlineMs }: ListAgreement<Value>,
): Promise<readonly (Value | undefined)[]> => {
  const answers: (readonly Value[])[] = []
  const errors: unknown[] = []
  const { promise: agreed, resolve } = Promise.withResolvers<readonly (Value | undefined)[]>()

  const standing = (): readonly (Value | undefined)[] =>
    Array.from({ length: count }, (_, position) =>
      agreedAmong(
        answers.flatMap((answer) => answer.slice(position, position + 1)),
        keyOf,
        quorum,
      ),
    )
  const listen = async (asked: Promise<readonly Value[]>): Promise<void> => {
    try {
      const answer = await asked
      if (answer.length !== count)
        throw new RpcError('MALFORMED', `expected ${count} answers, not ${answer.length}`)
      answers.push(answer)
    } catch (error) {
      errors.push(error)
      return
    }
    const known = standing()
    if (!known.includes(undefined)) resolve(known)
  }

  const asked = Promise.all(workEach(work, deadlineMs).map(listen)).then(() => {
    if (answers.length >= quorum) return standing()
    const behind = errors.find((error) => rpcErrorCode(error) === 'NODE_BEHIND')
    const cause = behind ?? errors.at(-1)
    throw new RpcError(
      behind === undefined ? 'NO_AGREEMENT' : 'NODE_BEHIND',
      `too few endpoints answered: ${reasonOf(cause)}`,
      { cause },
    )
  })
  return Promise.race([agreed, asked])
}
