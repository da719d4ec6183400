import type { ServerResponse } from 'node:http'
import { z } from 'zod'
import { uintWord } from '../src/chains/evm/abi-words.ts'
import type { EvmChain } from '../src/chains/evm/evm-chain.ts'
import { createEvmChain } from '../src/chains/evm/index.ts'
import type { EvmTiming } from '../src/chains/evm/timing.ts'
import { startLocalServer } from './local-server.ts'

const Request = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) })
/** One JSON-RPC request. */
export type Request = z.infer<typeof Request>

/** A node whose behaviour the test changes while it runs. */
export type Node = {
  readonly url: string
  readonly asked: Request[]
  chainId: number
  blockNumber: number
  baseFee: string | undefined
  /** The time of all its blocks in seconds; 100 by default. */
  dated: (() => number) | undefined
  /** Replaces the honest answer. */
  answer: ((request: Request) => object | undefined) | undefined
  /** Replaces the whole HTTP exchange. */
  exchange:
    | ((response: ServerResponse, requests: readonly Request[], isBatch: boolean) => boolean)
    | undefined
  readonly stop: () => void
}

const HASH_OFFSET = 1_000
/** The hash of the node's block with that number. */
export const hashOf = (number: number): string => `0x${uintWord(BigInt(number + HASH_OFFSET))}`
/** A number in JSON-RPC's hex form. */
export const quantity = (value: number): string => `0x${value.toString(16)}`

/** The node's block of that number as JSON-RPC writes it; null above its newest. */
export const blockOf = (
  node: Pick<Node, 'blockNumber' | 'baseFee'> & Partial<Pick<Node, 'dated'>>,
  number: number,
): object | null =>
  number > node.blockNumber
    ? null
    : {
        number: quantity(number),
        hash: hashOf(number),
        parentHash: hashOf(number - 1),
        timestamp: quantity(node.dated?.() ?? 100),
        ...(node.baseFee === undefined ? {} : { baseFeePerGas: node.baseFee }),
      }

const numberOf = (node: Node, tag: unknown): number =>
  typeof tag === 'string' && tag.startsWith('0x') ? Number(tag) : node.blockNumber

const honest = (node: Node, { method, params: [first] }: Request): object => {
  const results: Readonly<Record<string, () => unknown>> = {
    eth_chainId: () => quantity(node.chainId),
    eth_blockNumber: () => quantity(node.blockNumber),
    eth_gasPrice: () => '0x5',
    eth_maxPriorityFeePerGas: () => '0x2',
    eth_call: () => `0x${uintWord(BigInt(node.blockNumber))}`,
    eth_getLogs: () => [],
    eth_getCode: () => '0x',
    eth_getTransactionReceipt: () => null,
    eth_getTransactionByHash: () => null,
    eth_getBlockByHash: () => blockOf(node, Number(BigInt(String(first))) - HASH_OFFSET),
    eth_getBlockByNumber: () => blockOf(node, numberOf(node, first)),
  }
  return { result: results[method]?.() }
}

/** Starts a node on its own port. */
export const startNode = async (settings: Partial<Node> = {}): Promise<Node> => {
  const { url, stop } = await startLocalServer(({ body: text }, response) => {
    const body: unknown = JSON.parse(text)
    const isBatch = Array.isArray(body)
    const requests = z.array(Request).parse(isBatch ? body : [body])
    node.asked.push(...requests)
    if (node.exchange?.(response, requests, isBatch) === true) return
    const answers = requests.map((one) => ({
      jsonrpc: '2.0',
      id: one.id,
      ...(node.answer?.(one) ?? honest(node, one)),
    }))
    response.end(JSON.stringify(isBatch ? answers.reverse() : answers[0]))
  })
  const node: Node = {
    url,
    stop,
    asked: [],
    chainId: 5,
    blockNumber: 100,
    baseFee: '0x7',
    dated: undefined,
    answer: undefined,
    exchange: undefined,
    ...settings,
  }
  return node
}

type World = { readonly chain: EvmChain; readonly nodes: readonly Node[]; readonly lines: string[] }

/** A chain over one node per entry, polled every 20 ms and with long timeouts unless `timing` overrides them. */
export const withNodes = async (
  settings: readonly Partial<Node>[],
  work: (world: World, first: Node, second: Node) => Promise<void>,
  timing: Partial<EvmTiming> = {},
  clock: () => number = Date.now,
  callsPerMinute: (node: Node, position: number) => Readonly<Record<string, number>> = () => ({}),
): Promise<void> => {
  const nodes = await Promise.all(settings.map(startNode))
  const lines: string[] = []
  const chain = createEvmChain({
    chainId: 'eip155:5',
    rpcUrls: nodes.map(({ url }) => url),
    rpcCallsPerMinute: Object.assign({}, ...nodes.map(callsPerMinute)),
    finality: 10,
    now: clock,
    log: (level, message, fields) => lines.push(`${level} ${message} ${JSON.stringify(fields)}`),
    timing: {
      pollMs: 20,
      tipMs: 0,
      asideMs: 200,
      readMs: 60_000,
      observeMs: 60_000,
      allowanceMs: 60_000,
      ...timing,
    },
  })
  try {
    const [first, second = first] = nodes
    if (first === undefined || second === undefined) throw new Error('no node')
    await chain.start()
    await work({ chain, nodes, lines }, first, second)
  } finally {
    await chain.stop()
    for (const node of nodes) node.stop()
  }
}

/** Closes the connection without an answer. */
export const drop = (response: ServerResponse): boolean => {
  response.destroy()
  return true
}
