import { EXAGGERATION } from '../lie.ts'
import { itemsOf, mapResult, membersOf, type RpcAnswer, type RpcCall } from '../rpc-message.ts'

const WORD_DIGITS = 64
/** `record` of either settler: a kind, and whom a fill repays. */
const RECORD = '0xb5c645bd'
/**
 * By kind, the one that costs most when it is believed. Of an IntentSettler: none, open, refunded, filled, proven,
 * released; of an AttestedSettler, where a fill has no kind: none, open, refunded, released.
 */
const WRONG_KINDS = [3n, 2n, 1n, 1n, 1n, 1n] as const
const SELECTOR_DIGITS = 10
/** `balanceOf` and `allowance` of tokens. */
const MONEY_READS: ReadonlySet<string> = new Set(['0x70a08231', '0xdd62ed3e'])
/** Larger amounts than this are unlimited allowances. */
const MOST = 1n << 200n

const wordOf = (value: bigint): string => value.toString(16).padStart(WORD_DIGITS, '0')
const more = (value: bigint): bigint => (value > 0n && value < MOST ? value * EXAGGERATION : value)

/** Multiplies the last word of the bytes by a thousand; logs and reads have their amounts there. */
const exaggerate = (data: unknown): unknown => {
  if (typeof data !== 'string' || data.length < 2 + WORD_DIGITS) return data
  return data.slice(0, -WORD_DIGITS) + wordOf(more(BigInt(`0x${data.slice(-WORD_DIGITS)}`)))
}

/** Multiplies the last amount of every log of a receipt by a thousand. */
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

/** A wrong record: a fill where there is none, none where there is one, and another kind of an escrow. */
const wrongRecord = (data: unknown): unknown => {
  if (typeof data !== 'string' || data.length !== 2 + 2 * WORD_DIGITS) return data
  const [kind, account] = [data.slice(0, 2 + WORD_DIGITS), `0x${data.slice(2 + WORD_DIGITS)}`].map(BigInt)
  const isFill = account !== 0n && (kind === 0n || kind === 3n)
  const wrong = isFill ? 0n : (WRONG_KINDS[Number(kind)] ?? 0n)
  return `0x${wordOf(wrong)}${wordOf(kind === 0n && !isFill ? 1n : 0n)}`
}

/** Balances and allowances a thousand times as much, and wrong statuses of orders. */
export const exaggerateCall = ({ method, params }: RpcCall, answer: RpcAnswer): RpcAnswer => {
  if (method === 'eth_getBalance')
    return mapResult(answer, (balance) => `0x${more(BigInt(String(balance))).toString(16)}`)
  if (method !== 'eth_call') return answer
  const { data, input } = membersOf(itemsOf(params)[0])
  const selector = String(data ?? input ?? '').slice(0, SELECTOR_DIGITS)
  if (selector === RECORD) return mapResult(answer, wrongRecord)
  return MONEY_READS.has(selector) ? mapResult(answer, exaggerate) : answer
}
