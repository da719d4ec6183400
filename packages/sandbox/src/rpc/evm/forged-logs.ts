import { createHash } from 'node:crypto'
import { type AnswerCall, itemsOf, membersOf } from '../rpc-message.ts'
import { numberOf, quantity } from './evm-endpoint.ts'
import { type OpenOrder, type OrderChain, openOrdersOf } from './open-orders.ts'

/** Logs that no transaction ever wrote, with the receipts and transactions that would go with them. */
export type ForgedLogs = {
  /** Those that pass a filter of eth_getLogs. */
  readonly logs: (filter: unknown) => Promise<readonly object[]>
  readonly receipt: (txHash: unknown) => object | null
  readonly transaction: (txHash: unknown) => object | null
  /** Whether one is in the block. */
  readonly isIn: (blockHash: unknown) => boolean
}

type Deps = {
  readonly honest: AnswerCall
  readonly chain: OrderChain
  /** All chains on which orders are opened. */
  readonly chains: readonly OrderChain[]
  /** An order that no EVM chain knows, whose fill is forged as well. */
  readonly orderId: string | undefined
}

/** A log before it has a place in a block. */
type Event = {
  readonly orderId: string
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  readonly sender: string
}
type Block = { readonly number: string; readonly hash: string; readonly timestamp: string }
type Forgery = { readonly log: ForgedLog; readonly sender: string }
type ForgedLog = {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  readonly blockNumber: string
  readonly blockHash: string
  readonly blockTimestamp: string
  readonly transactionHash: string
  readonly transactionIndex: string
  readonly logIndex: string
  readonly removed: false
}

/** Topics of the settlers' events; both refund alike. */
const FILLED_TOPIC = '0x13ee8807b538f0bd5cf755d83d1fe28c18ede68dbc69d4aa65827e2c6c73f837'
const REFUNDED_TOPIC = '0xf552ca82e113ac3c539c3d617f29fcd19c172a0c75dad017555c9e109f7fe183'
const ATTESTED_FILLED_TOPIC = '0x46e60b73154dfc8821eee18947ae5ab9113e313dc1b5c42a1b758d0b1fea533d'
const FULL_BLOOM = `0x${'ff'.repeat(256)}`
/** Behind all real logs and transactions of the block. */
const FIRST_INDEX = 500
const ADDRESS_DIGITS = 40

const addressOf = (word: string): string => `0x${word.slice(-ADDRESS_DIGITS)}`

const isAmong = (wanted: unknown, value: string): boolean => {
  if (wanted === undefined || wanted === null) return true
  return (Array.isArray(wanted) ? wanted : [wanted]).some((one) => String(one).toLowerCase() === value)
}

const passes = (filter: unknown, { address, topics, blockHash, blockNumber }: ForgedLog): boolean => {
  const wanted = membersOf(filter)
  const number = Number(blockNumber)
  const isInRange =
    typeof wanted['blockHash'] === 'string'
      ? wanted['blockHash'] === blockHash
      : number >= (numberOf(wanted['fromBlock']) ?? number) &&
        number <= (numberOf(wanted['toBlock']) ?? number)
  return (
    isInRange &&
    isAmong(wanted['address'], address) &&
    itemsOf(wanted['topics']).every((one, index) => isAmong(one, topics[index] ?? ''))
  )
}

/** On an order's destination its fill, on its origin its refund; undefined on another chain. */
const eventOf = (order: OpenOrder, origin: OrderChain, chain: OrderChain): Event | undefined => {
  const isAttested = origin.settlers[0] !== order.settler
  const place = { orderId: order.orderId, address: chain.settlers[isAttested ? 1 : 0] }
  if (BigInt(`0x${order.destination}`) === BigInt(chain.chainNumber)) return { ...place, ...fillOf(order) }
  return origin.chainNumber === chain.chainNumber ? { ...place, ...refundOf(order) } : undefined
}

type Content = Pick<Event, 'topics' | 'data' | 'sender'>

const fillOf = ({ orderId, filler, solver }: OpenOrder): Content => ({
  topics: [FILLED_TOPIC, orderId, `0x${filler}`, `0x${solver}`],
  data: '0x',
  sender: addressOf(filler),
})

const refundOf = ({ orderId, depositor, inputAmount }: OpenOrder): Content => ({
  topics: [REFUNDED_TOPIC, orderId, `0x${depositor}`],
  data: `0x${inputAmount}`,
  sender: addressOf(depositor),
})

/** The fill of a named order: an older fill under its id. */
const copiedFill = async (
  honest: AnswerCall,
  chain: OrderChain,
  orderId: string,
): Promise<Event | undefined> => {
  const address = chain.settlers[1]
  const filter = { address, topics: [ATTESTED_FILLED_TOPIC], fromBlock: '0x0', toBlock: 'latest' }
  const answer = await honest({ method: 'eth_getLogs', params: [filter] })
  const older = membersOf('result' in answer ? itemsOf(answer.result).at(-1) : undefined)
  const [topic, , filler, repayTo] = itemsOf(older['topics']).map(String)
  if (topic === undefined || filler === undefined || repayTo === undefined) return undefined
  return {
    orderId,
    address,
    topics: [topic, orderId, filler, repayTo],
    data: String(older['data']),
    sender: addressOf(filler),
  }
}

const place = ({ orderId, address, topics, data }: Event, block: Block, position: number): ForgedLog => {
  const index = quantity(FIRST_INDEX + position)
  return {
    address,
    topics,
    data,
    blockNumber: block.number,
    blockHash: block.hash,
    blockTimestamp: block.timestamp,
    transactionHash: `0x${createHash('sha256').update(`forged ${orderId}`).digest('hex')}`,
    transactionIndex: index,
    logIndex: index,
    removed: false,
  }
}

const receiptOf = ({ log, sender }: Forgery): object => ({
  transactionHash: log.transactionHash,
  transactionIndex: log.transactionIndex,
  blockHash: log.blockHash,
  blockNumber: log.blockNumber,
  from: sender,
  to: log.address,
  status: '0x1',
  type: '0x2',
  gasUsed: '0x186a0',
  cumulativeGasUsed: '0x186a0',
  effectiveGasPrice: '0x1',
  contractAddress: null,
  logs: [log],
  logsBloom: FULL_BLOOM,
})

const transactionOf = ({ log, sender }: Forgery): object => ({
  hash: log.transactionHash,
  blockHash: log.blockHash,
  blockNumber: log.blockNumber,
  transactionIndex: log.transactionIndex,
  from: sender,
  to: log.address,
  input: '0x',
  value: '0x0',
  nonce: '0x0',
})

/** Forges the fill or the refund of every order that touches the chain while the lie is told, once each. */
export const createForgedLogs = ({ honest, chain, chains, orderId }: Deps): ForgedLogs => {
  const byOrder = new Map<string, Forgery>()
  const byTransaction = new Map<string, Forgery>()

  const newestBlock = async (): Promise<Block | undefined> => {
    const answer = await honest({ method: 'eth_getBlockByNumber', params: ['latest', false] })
    const { number, hash, timestamp } = membersOf('result' in answer ? answer.result : undefined)
    return typeof number === 'string' && typeof hash === 'string' && typeof timestamp === 'string'
      ? { number, hash, timestamp }
      : undefined
  }
  const eventsOf = async (): Promise<readonly Event[]> => {
    const copied = orderId === undefined ? undefined : await copiedFill(honest, chain, orderId)
    const events = copied === undefined ? [] : [copied]
    for (const origin of chains)
      for (const order of await openOrdersOf(origin)) events.push(...asList(eventOf(order, origin, chain)))
    return events
  }
  const forgeAll = async (): Promise<void> => {
    const block = await newestBlock()
    if (block === undefined) return
    for (const event of await eventsOf()) {
      if (byOrder.has(event.orderId)) continue
      const forgery = { log: place(event, block, byOrder.size), sender: event.sender }
      byOrder.set(event.orderId, forgery)
      byTransaction.set(forgery.log.transactionHash, forgery)
    }
  }
  const found = (txHash: unknown): Forgery | undefined => byTransaction.get(String(txHash).toLowerCase())
  return {
    logs: async (filter) => {
      await forgeAll()
      return [...byOrder.values()].map(({ log }) => log).filter((log) => passes(filter, log))
    },
    receipt: (txHash) => {
      const forgery = found(txHash)
      return forgery === undefined ? null : receiptOf(forgery)
    },
    transaction: (txHash) => {
      const forgery = found(txHash)
      return forgery === undefined ? null : transactionOf(forgery)
    },
    isIn: (blockHash) => [...byOrder.values()].some(({ log }) => log.blockHash === blockHash),
  }
}

const asList = (event: Event | undefined): readonly Event[] => (event === undefined ? [] : [event])
