import {
  type AnswerCall,
  itemsOf,
  mapResult,
  membersOf,
  type RpcAnswer,
  type RpcCall,
} from '../rpc-message.ts'
import { createSightings, type Lateness, type Sightings } from '../sightings.ts'
import type { EvmSource } from './evm-source.ts'

/** One endpoint of an EVM chain, as honest as nodes are: it may be some blocks behind. */
export type EvmEndpoint = {
  readonly answer: AnswerCall
  readonly sightings: Sightings
}

type Deps = {
  readonly source: EvmSource
  readonly lateness: Lateness
  readonly now: () => number
  /** Takes signed transactions. */
  readonly send: AnswerCall
}

type Ask = (method: string, params: readonly unknown[]) => Promise<RpcAnswer>

export const quantity = (number: number): string => `0x${number.toString(16)}`
export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value) ? Number(value) : undefined

/** Where methods take a block. */
const BLOCK_AT: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_estimateGas: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
  eth_getStorageAt: 2,
  eth_getBlockByNumber: 0,
}
const UNKNOWN_BLOCK: RpcAnswer = { error: { code: -32000, message: 'header not found' } }
const NULL: RpcAnswer = { result: null }

const isLatest = (tag: unknown): boolean => tag === undefined || tag === null || tag === 'latest'

/** The parameters with the newest block that the endpoint knows; undefined for a block that it does not know. */
const seenParams = (
  method: string,
  params: readonly unknown[],
  view: number,
): readonly unknown[] | undefined => {
  const at = BLOCK_AT[method]
  if (at === undefined) return params
  const tag = params[at]
  if (!isLatest(tag)) return (numberOf(tag) ?? 0) > view ? undefined : params
  return [...params.slice(0, at), quantity(view), ...params.slice(at + 1)]
}

/** What has a block number, if the endpoint knows that block. */
const onlySeen = (
  answer: RpcAnswer,
  isSeen: (number: number) => boolean,
  unseen: (value: unknown) => unknown,
) =>
  mapResult(answer, (value) => {
    const number = numberOf(membersOf(value)['number'] ?? membersOf(value)['blockNumber'])
    return number === undefined || isSeen(number) ? value : unseen(value)
  })

const waiting = (transaction: unknown): unknown => ({
  ...membersOf(transaction),
  blockHash: null,
  blockNumber: null,
  transactionIndex: null,
})

const withoutBlock = (logs: unknown, number: number): unknown =>
  itemsOf(logs).filter((log) => numberOf(membersOf(log)['blockNumber']) !== number)

/** The logs of a filter as of the newest block that the endpoint knows. */
const seenLogs = async (ask: Ask, filter: unknown, { view, isFresh }: Sightings): Promise<RpcAnswer> => {
  const { blockHash, fromBlock, toBlock } = membersOf(filter)
  const hidden = isFresh() ? view() : -1
  if (typeof blockHash === 'string') {
    const block = await ask('eth_getBlockByHash', [blockHash, false])
    const number = 'result' in block ? numberOf(membersOf(block.result)['number']) : undefined
    if (number === undefined || number > view()) return UNKNOWN_BLOCK
  } else if ((numberOf(fromBlock) ?? 0) > view()) return { result: [] }
  const upTo = isLatest(toBlock) ? view() : Math.min(numberOf(toBlock) ?? view(), view())
  const range = typeof blockHash === 'string' ? {} : { toBlock: quantity(upTo) }
  const found = await ask('eth_getLogs', [{ ...membersOf(filter), ...range }])
  return mapResult(found, (logs) => withoutBlock(logs, hidden))
}

/** Answers as a node does that learned of the chain's newest blocks late. */
export const createEvmEndpoint = ({ source, lateness, now, send }: Deps): EvmEndpoint => {
  const sightings = createSightings(lateness, now)
  const { saw, view, isFresh } = sightings
  source.onHead(({ number }, isFork) => saw(number, isFork))
  const ask: Ask = (method, params) => source.ask({ method, params })
  const isSeen = (number: number): boolean => number <= view()
  const hasLogs = (number: number): boolean => isSeen(number) && !(isFresh() && number === view())

  const answer = async ({ method, params: given }: RpcCall): Promise<RpcAnswer> => {
    const params = itemsOf(given)
    if (method === 'eth_sendRawTransaction') return send({ method, params })
    await source.head()
    switch (method) {
      case 'eth_blockNumber':
        return { result: quantity(view()) }
      case 'eth_getLogs':
        return seenLogs(ask, params[0], sightings)
      case 'eth_getBlockByHash':
        return onlySeen(await ask(method, params), isSeen, () => null)
      case 'eth_getTransactionReceipt':
        return onlySeen(await ask(method, params), hasLogs, () => null)
      case 'eth_getTransactionByHash':
        return onlySeen(await ask(method, params), isSeen, waiting)
      default: {
        const seen = seenParams(method, params, view())
        if (seen === undefined) return method === 'eth_getBlockByNumber' ? NULL : UNKNOWN_BLOCK
        return ask(method, seen)
      }
    }
  }
  return { answer, sightings }
}
