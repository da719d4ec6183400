import type { ServerResponse } from 'node:http'
import { z } from 'zod'
import { uintWord } from '../src/chains/evm/abi-words.ts'
import { type Asked, startLocalServer } from './local-server.ts'

const Call = z.looseObject({ id: z.unknown(), method: z.string(), params: z.array(z.unknown()).catch([]) })
type Call = z.infer<typeof Call>

/** A block as JSON-RPC writes it. */
const Header = z.looseObject({ number: z.string(), hash: z.string(), timestamp: z.string() })
type Header = z.infer<typeof Header>

/**
 * A node in front of a real chain that shows thousands of blocks on top of it. They are empty and computed, since no local node
 * mines so many in a test's time; everything up to the block that they stand on is the chain's own.
 */
export type DeepNode = {
  readonly url: string
  /** How often each method was asked for. */
  readonly asked: Map<string, number>
  /** Puts so many blocks on the chain's present head, instead of those before. */
  readonly bury: (blocks: number) => Promise<void>
  /** Adds blocks on top of those that there are. */
  readonly grow: (blocks: number) => void
  readonly stop: () => void
}

const ZERO_HASH = `0x${'0'.repeat(64)}`
const ZERO_BLOOM = `0x${'0'.repeat(512)}`
const NUMBER_DIGITS = 16
/** The place of the block in a call's parameters. */
const BLOCK_AT: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_estimateGas: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
  eth_getStorageAt: 2,
}

const quantity = (value: bigint): string => `0x${value.toString(16)}`
const isQuantity = (text: unknown): text is string =>
  typeof text === 'string' && /^0x[0-9a-f]{1,16}$/.test(text)

const ask = async (url: string, body: unknown): Promise<unknown> => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return response.json()
}

/** The blocks on top of `base`: each hash holds the start of the base's, so that blocks on another base are others. */
const computedOn = (base: Header, count: () => bigint) => {
  const first = BigInt(base.number) + 1n
  const stem = base.hash.slice(0, -NUMBER_DIGITS)
  const hashOf = (number: bigint): string =>
    number < first ? base.hash : `${stem}${uintWord(number).slice(-NUMBER_DIGITS)}`
  const top = (): bigint => first - 1n + count()
  const at = (number: bigint): object | null =>
    number > top()
      ? null
      : {
          ...base,
          ...{ number: quantity(number), hash: hashOf(number), parentHash: hashOf(number - 1n) },
          ...{ logsBloom: ZERO_BLOOM, transactions: [], gasUsed: '0x0', mixHash: ZERO_HASH },
        }
  const numberOf = (hash: string): bigint | undefined => {
    if (!hash.startsWith(stem) || hash === base.hash) return undefined
    const number = BigInt(`0x${hash.slice(-NUMBER_DIGITS)}`)
    return number >= first && number <= top() ? number : undefined
  }
  return { base: first - 1n, top, at, numberOf }
}

type Computed = ReturnType<typeof computedOn>

/** The answer from computed blocks, or the call to make of the chain itself. */
const answerOf = (
  computed: Computed,
  { method, params }: Call,
): { result: unknown } | { params: unknown[] } => {
  const { base, top, at, numberOf } = computed
  const [first] = params
  if (method === 'eth_blockNumber') return { result: quantity(top()) }
  if (method === 'eth_getBlockByNumber') {
    const number = first === 'latest' || first === 'pending' ? top() : isQuantity(first) ? BigInt(first) : 0n
    return number > base ? { result: at(number) } : { params }
  }
  if (method === 'eth_getBlockByHash') {
    const number = numberOf(String(first))
    return number === undefined ? { params } : { result: at(number) }
  }
  if (method === 'eth_getLogs') {
    const { blockHash, fromBlock, toBlock, ...filter } = Object(first)
    if (blockHash !== undefined) return numberOf(blockHash) === undefined ? { params } : { result: [] }
    if (isQuantity(fromBlock) && BigInt(fromBlock) > base) return { result: [] }
    const last = isQuantity(toBlock) && BigInt(toBlock) < base ? toBlock : quantity(base)
    return { params: [{ ...filter, fromBlock, toBlock: last }] }
  }
  const place = BLOCK_AT[method]
  const block = place === undefined ? undefined : params[place]
  const isAbove =
    (isQuantity(block) && BigInt(block) > base) ||
    (typeof block === 'object' && numberOf(String(Object(block).blockHash)) !== undefined)
  return { params: place !== undefined && isAbove ? params.with(place, quantity(base)) : params }
}

/** Starts the node in front of the chain at the URL, without blocks of its own. The caller stops it. */
export const startDeepNode = async (chainUrl: string): Promise<DeepNode> => {
  const asked = new Map<string, number>()
  let count = 0n
  let computed: Computed | undefined
  const reply = async (call: Call): Promise<object> => {
    asked.set(call.method, (asked.get(call.method) ?? 0) + 1)
    const { id } = call
    const answer = computed === undefined ? call : answerOf(computed, call)
    if ('result' in answer) return { jsonrpc: '2.0', id, result: answer.result }
    return Object(await ask(chainUrl, { ...call, params: answer.params }))
  }
  const respond = async ({ body: text }: Asked, response: ServerResponse): Promise<void> => {
    const body: unknown = JSON.parse(text)
    const answers = await Promise.all(
      z
        .array(Call)
        .parse(Array.isArray(body) ? body : [body])
        .map(reply),
    )
    response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]))
  }
  const { url, stop } = await startLocalServer(respond)
  return {
    url,
    stop,
    asked,
    bury: async (blocks) => {
      const request = { jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['latest', false] }
      const { result } = Object(await ask(chainUrl, request))
      count = BigInt(blocks)
      computed = computedOn(Header.parse(result), () => count)
    },
    grow: (blocks) => {
      count += BigInt(blocks)
    },
  }
}
