import type { OrderTerms } from '../guard/order-terms.ts'

/** An order in a settler's calldata, and how many hex digits of the calldata it takes with everything before it. */
export type OrderCall = {
  readonly terms: OrderTerms
  /** The order's fields in their order, each a word of 64 hex digits. */
  readonly words: readonly string[]
  readonly names: 'number' | 'hash'
  readonly digits: number
}

const SELECTOR_DIGITS = 10
const WORD_DIGITS = 64
const NO_TAG = '0'.repeat(WORD_DIGITS)

/** Fields of an order, a word each, in order. Sources: contracts/settlers/IntentOrder.sol, contracts/settlers/AttestedOrder.sol. */
const INTENT = `depositor salt originChain destinationChain destinationName openDeadline exclusiveUntil fillDeadline
  refundAfter inputToken inputAmount outputToken outputAmount recipient solver filler integrator integratorFee`
const ATTESTED = `salt originChain originSettler depositor inputToken inputAmount destinationChain destinationSettler
  outputToken outputAmount recipient recipientTag solver filler openDeadline exclusiveUntil fillDeadline refundAfter attester
  integrator integratorFee`

/** `open` of ERC-7683: the order lies after a deadline, the hash of its type, two offsets and its length. */
const ERC_7683_OPEN = '0xe917a962'
const ERC_7683_HEAD_WORDS = 5

/** Calls by their selector: the words before the order, and the layouts that it may have. */
const CALLS = {
  [ERC_7683_OPEN]: { head: ERC_7683_HEAD_WORDS, layouts: [INTENT], names: 'number' },
  '0xefe16e13': { head: 0, layouts: [ATTESTED], names: 'hash' },
} as const

const uint = (value: number): string => value.toString(16).padStart(WORD_DIGITS, '0')

/** Reads the order of a call that opens one; undefined for any other calldata. */
export const readOrderCall = (data: string): OrderCall | undefined => {
  const selector = data.slice(0, SELECTOR_DIGITS).toLowerCase()
  const call = Object.entries(CALLS).find(([known]) => known === selector)?.[1]
  if (call === undefined) return undefined
  const words = data.slice(SELECTOR_DIGITS).toLowerCase().match(/.{64}/g) ?? []
  const { head, names } = call
  for (const layout of call.layouts) {
    const fields = layout.split(/\s+/)
    const order = words.slice(head, head + fields.length)
    const isHere = head === 0 || words[head - 1] === uint(fields.length * (WORD_DIGITS / 2))
    if (!isHere || order.length < fields.length || (head > 0 && !hasPlainHead(words))) continue
    const named = new Map(fields.map((field, index) => [field, order[index] ?? '']))
    const word = (field: string): string => named.get(field) ?? ''
    return {
      names,
      words: order,
      digits: SELECTOR_DIGITS + (head + fields.length) * WORD_DIGITS,
      terms: {
        depositor: word('depositor'),
        originChain: word('originChain'),
        originSettler: named.get('originSettler'),
        inputToken: word('inputToken'),
        inputAmount: word('inputAmount'),
        destinationChain: word('destinationChain'),
        outputToken: word('outputToken'),
        outputAmount: word('outputAmount'),
        recipient: word('recipient'),
        recipientTag: named.get('recipientTag') ?? NO_TAG,
        destinationName: named.get('destinationName'),
        openDeadline: word('openDeadline'),
        fillDeadline: word('fillDeadline'),
        refundAfter: word('refundAfter'),
        attester: named.get('attester'),
      },
    }
  }
  return undefined
}

/** Whether the offsets of `open` are those of an encoder, so that the contract reads the words that are read here. */
const hasPlainHead = (words: readonly string[]): boolean => words[0] === uint(32) && words[3] === uint(96)
