import { EXAGGERATION } from '../lie.ts'
import { itemsOf, mapResult, membersOf, type RpcAnswer, type RpcCall } from '../rpc-message.ts'

const WORD_DIGITS = 64
/**
 * By the call that reads an order's status, and by status, the one that costs most when it is believed: `record` of an
 * IntentSettler (none, open, refunded, filled, proven, released), `statusOf` of an AttestedSettler (none, open, released,
 * refunded, filled).
 */
const WRONG_STATUS: ReadonlyMap<string, readonly bigint[]> = new Map([
  ['0xb5c645bd', [3n, 2n, 1n, 0n, 1n, 1n]],
  ['0xc7df14e2', [4n, 3n, 1n, 1n, 0n]],
])
const SELECTOR_DIGITS = 10
/** `balanceOf` and `allowance` of tokens. */
const MONEY_READS: ReadonlySet<string> = new Set(['0x70a08231', '0xdd62ed3e'])
/** Larger amounts than this are unlimited allowances. */
const MOST = 1n << 200n

const wordOf = (value: bigint): string => value.toString(16).padStart(WORD_DIGITS, '0')
const more = (value: bigint): bigint => (value > 0n && value < MOST ? value * EXAGGERATION : value)

/** Bytes whose last word, where logs and reads have amounts, is a thousand times as much. */
const exaggerate = (data: unknown): unknown => {
  if (typeof data !== 'string' || data.length < 2 + WORD_DIGITS) return data
  return data.slice(0, -WORD_DIGITS) + wordOf(more(BigInt(`0x${data.slice(-WORD_DIGITS)}`)))
}

/** A receipt in whose logs every last amount is a thousand times as much. */
export const exaggerateReceipt = (receipt: unknown): unknown =>
  receipt === null
    ? null
    : {
        ...membersOf(receipt),
        logs: itemsOf(membersOf(receipt)['logs']).map((log) => ({
          ...membersOf(log),
          data: exaggerate(membersOf(log)['data']),
        })),
      }

/** An answer whose first word, the status, is wrong. */
const wrongStatus = (data: unknown, wrong: readonly bigint[]): unknown => {
  if (typeof data !== 'string' || data.length < 2 + WORD_DIGITS) return data
  const [status, rest] = [data.slice(0, 2 + WORD_DIGITS), data.slice(2 + WORD_DIGITS)]
  return `0x${wordOf(wrong[Number(status)] ?? 0n)}${rest}`
}

/** Balances and allowances a thousand times as much, and wrong statuses of orders. */
export const exaggerateCall = ({ method, params }: RpcCall, answer: RpcAnswer): RpcAnswer => {
  if (method === 'eth_getBalance')
    return mapResult(answer, (balance) => `0x${more(BigInt(String(balance))).toString(16)}`)
  if (method !== 'eth_call') return answer
  const { data, input } = membersOf(itemsOf(params)[0])
  const selector = String(data ?? input ?? '').slice(0, SELECTOR_DIGITS)
  const wrong = WRONG_STATUS.get(selector)
  if (wrong !== undefined) return mapResult(answer, (result) => wrongStatus(result, wrong))
  return MONEY_READS.has(selector) ? mapResult(answer, exaggerate) : answer
}
