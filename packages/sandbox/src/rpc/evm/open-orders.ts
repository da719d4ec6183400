import { itemsOf, membersOf } from '../rpc-message.ts'
import { quantity } from './evm-endpoint.ts'
import type { EvmSource } from './evm-source.ts'

/** An order as far as a liar needs it: 32-byte words as 64 hex digits. */
export type OpenOrder = {
  readonly orderId: string
  /** The contract that holds its escrow. */
  readonly settler: string
  /** The number of an EVM chain; the hash of a chain's name in an attested order. */
  readonly destination: string
  readonly solver: string
  readonly filler: string
  readonly recipient: string
  readonly outputToken: string
  readonly outputAmount: string
  readonly depositor: string
  readonly inputToken: string
  readonly inputAmount: string
}

/** A chain, read through an honest endpoint, whose open orders a lying endpoint can use. */
export type OrderChain = {
  readonly chainNumber: number
  /** The IntentSettler and the AttestedSettler, in lower case. */
  readonly settlers: readonly [string, string]
  readonly source: EvmSource
}

const OPEN_TOPIC = '0x3448bbc2203c608599ad448eeb1007cea04b788ac631f9f558e8dd01a3c27b3d'
const ATTESTED_OPEN_TOPIC = '0x2738bc60e0409787553e8f843304fb9303e357a4df7bbb5dc58966305fe7b608'
/** Where the order begins in the data of an IntentSettler's `Open`. */
const OPEN_ORDER_WORD = 25
const WORD_DIGITS = 64
const BLOCKS_BACK = 64

/** Word index of each field. Source: contracts/settlers. */
const INTENT_AT = {
  depositor: 0,
  destination: 3,
  inputToken: 9,
  inputAmount: 10,
  outputToken: 11,
  outputAmount: 12,
  recipient: 13,
  solver: 14,
  filler: 15,
} as const
const ATTESTED_AT = {
  depositor: 3,
  inputToken: 4,
  inputAmount: 5,
  destination: 6,
  outputToken: 8,
  outputAmount: 9,
  recipient: 10,
  solver: 12,
  filler: 13,
} as const

const orderOf = (log: unknown): OpenOrder | undefined => {
  const { address, topics, data } = membersOf(log)
  const [topic, orderId] = itemsOf(topics)
  if (typeof orderId !== 'string' || typeof data !== 'string' || typeof address !== 'string') return undefined
  const isAttested = topic === ATTESTED_OPEN_TOPIC
  const at = isAttested ? ATTESTED_AT : INTENT_AT
  const first = isAttested ? 0 : OPEN_ORDER_WORD
  const word = (field: keyof typeof INTENT_AT): string => {
    const start = 2 + (first + at[field]) * WORD_DIGITS
    return data.slice(start, start + WORD_DIGITS)
  }
  return {
    orderId,
    settler: address,
    destination: word('destination'),
    solver: word('solver'),
    filler: word('filler'),
    recipient: word('recipient'),
    outputToken: word('outputToken'),
    outputAmount: word('outputAmount'),
    depositor: word('depositor'),
    inputToken: word('inputToken'),
    inputAmount: word('inputAmount'),
  }
}

/** The orders that were opened on a chain in its last 64 blocks. */
export const openOrdersOf = async ({ settlers, source }: OrderChain): Promise<readonly OpenOrder[]> => {
  const { number } = await source.head()
  const filter = {
    address: settlers,
    topics: [[OPEN_TOPIC, ATTESTED_OPEN_TOPIC]],
    fromBlock: quantity(Math.max(0, number - BLOCKS_BACK)),
    toBlock: quantity(number),
  }
  const answer = await source.ask({ method: 'eth_getLogs', params: [filter] })
  return 'error' in answer ? [] : itemsOf(answer.result).flatMap((log) => orderOf(log) ?? [])
}
