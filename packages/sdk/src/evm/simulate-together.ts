import { numberToHex } from 'viem'
import { withDeadline } from '../client/deadline.ts'
import { actionsOf } from '../execute/checked-quote.ts'
import { ExecutionError } from '../execute/execution-error.ts'
import type { Quote } from '../wire/quote.ts'
import type { Eip1193Provider } from './eip1193-provider.ts'

const DEADLINE_MS = 10_000

/**
 * Asks the wallet's node what all actions of a quote would do one after the other, as a batch is executed: `eth_simulateV1`. Says
 * nothing where the node does not have the method or the wallet does not pass it on. Throws ExecutionError `refused` for the
 * first action that would fail.
 */
export const simulateTogether = async (provider: Eip1193Provider, quote: Quote): Promise<void> => {
  const actions = actionsOf(quote, 'evm_transaction')
  if (actions.length < 2) return
  const calls = actions.map(({ payload: { from, to, data, value } }) => ({
    ...{ from, to, data },
    value: numberToHex(BigInt(value)),
  }))
  const params = [{ blockStateCalls: [{ calls }] }, 'latest']
  const asked = (): Promise<unknown> => provider.request({ method: 'eth_simulateV1', params })
  const answer = await withDeadline({ timeoutMs: DEADLINE_MS, signal: undefined }, asked).catch(
    () => undefined,
  )
  const results: unknown = Array.isArray(answer) ? Object(answer[0]).calls : undefined
  if (!Array.isArray(results) || results.length !== actions.length) return
  const failed = results.findIndex((result) => Object(result).status === '0x0')
  const action = actions[failed]
  if (action === undefined) return
  const reason = String(Object(Object(results[failed]).error).message)
  throw new ExecutionError('refused', `action "${action.id}" would fail after those before it: ${reason}`, {
    actionId: action.id,
  })
}
