import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { uintWord } from './abi-words.ts'
import type { EvmChain } from './evm-chain.ts'
import { createEvmChain } from './index.ts'
import type { EvmTiming } from './timing.ts'

const TOKEN = `0x${'a'.repeat(40)}`
const OWNER = `0x${'b'.repeat(40)}`
const SPENDER = `0x${'c'.repeat(40)}`

const Request = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) })
type Request = z.infer<typeof Request>

/** A node whose behaviour the test changes while it runs. */
type Node = {
  readonly url: string
  readonly asked: Request[]
  chainId: number
  blockNumber: number
  baseFee: string | undefined
  /** Answers in place of the honest one. */
  answer: ((request: Request) => object | undefined) | undefined
  /** Treats the whole exchange in place of JSON-RPC. */
  exchange:
    | ((response: ServerResponse, requests: readonly Request[], isBatch: boolean) => boolean)
    | undefined
  readonly stop: () => void
}

const hashOf = (number: number): string => `0x${uintWord(BigInt(number) + 1_000n)}`
const quantity = (value: number): string => `0x${value.toString(16)}`

const honest = (node: Node, { method }: Request): object => {
  const results: Readonly<Record<string, unknown>> = {
    eth_chainId: quantity(node.chainId),
    eth_blockNumber: quantity(node.blockNumber),
    eth_gasPrice: '0x5',
    eth_maxPriorityFeePerGas: '0x2',
    eth_call: `0x${uintWord(BigInt(node.blockNumber))}`,
    eth_getLogs: [],
    eth_getTransactionReceipt: null,
    eth_getTransactionByHash: null,
    eth_getBlockByNumber: {
      number: quantity(node.blockNumber),
      hash: hashOf(node.blockNumber),
      parentHash: hashOf(node.blockNumber - 1),
      timestamp: '0x64',
      ...(node.baseFee === undefined ? {} : { baseFeePerGas: node.baseFee }),
    },
  }
  return { result: results[method] }
}

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return JSON.parse(text)
}

const startNode = async (settings: Partial<Node> = {}): Promise<Node> => {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request)
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
  }
  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const node: Node = {
    url: `http://127.0.0.1:${port}`,
    asked: [],
    chainId: 5,
    blockNumber: 100,
    baseFee: '0x7',
    answer: undefined,
    exchange: undefined,
    ...settings,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
  return node
}

type World = { readonly chain: EvmChain; readonly nodes: readonly Node[]; readonly lines: string[] }

/** A chain over one node for each entry; polls only when the test says so unless `timing` says otherwise. */
const withNodes = async (
  settings: readonly Partial<Node>[],
  work: (world: World, first: Node, second: Node) => Promise<void>,
  timing: Partial<EvmTiming> = {},
  clock: () => number = Date.now,
): Promise<void> => {
  const nodes = await Promise.all(settings.map(startNode))
  const lines: string[] = []
  const chain = createEvmChain({
    chainId: 'eip155:5',
    rpcUrls: nodes.map(({ url }) => url),
    finality: 10,
    now: clock,
    log: (level, message, fields) => lines.push(`${level} ${message} ${JSON.stringify(fields)}`),
    timing: { pollMs: 20, tipMs: 0, asideMs: 200, readMs: 400, observeMs: 400, allowanceMs: 100, ...timing },
  })
  try {
    const [first, second = first] = nodes
    if (first === undefined || second === undefined) throw new Error('no node')
    await chain.start()
    await work({ chain, nodes, lines }, first, second)
  } finally {
    chain.stop()
    for (const node of nodes) node.stop()
  }
}

const drop = (response: ServerResponse): boolean => {
  response.destroy()
  return true
}
const neverAnswer = (): boolean => true
const reply =
  (status: number, body: string) =>
  (response: ServerResponse): boolean => {
    response.writeHead(status).end(body)
    return true
  }
const read = (chain: EvmChain) => chain.callMany([{ to: TOKEN, data: '0x' }])
const wordOf = (value: number): readonly string[] => [`0x${uintWord(BigInt(value))}`]

const FAULTS: Readonly<Record<string, Partial<Node>>> = {
  'drops connections': { exchange: drop },
  'never answers': { exchange: neverAnswer },
  'answers with status 503': { exchange: reply(503, '[]') },
  'is rate limited': { exchange: reply(429, '[]') },
  'answers with a web page': { exchange: reply(200, '<html>') },
  'answers only some requests of a batch': { exchange: reply(200, '[]') },
  'answers more than it may': { exchange: reply(200, `"${'x'.repeat(9 * 1024 * 1024)}"`) },
  'breaks off its answer': {
    exchange: (response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{')
      setTimeout(() => response.destroy(), 5)
      return true
    },
  },
  'is of another chain': { chainId: 6 },
  'refuses every call': { answer: () => ({ error: { code: -32005, message: 'limit exceeded' } }) },
  'answers in another form': { answer: () => ({ result: 'nonsense' }) },
}

for (const [fault, settings] of Object.entries(FAULTS))
  test(`an endpoint that ${fault} is passed over for the next`, () =>
    withNodes([settings, { blockNumber: 200 }], async ({ chain, lines }, first) => {
      assert.equal(chain.head()?.number, 200n)
      assert.deepEqual(await read(chain), wordOf(200))
      assert.equal(lines.filter((line) => line.includes('put aside')).length, 1)
      assert.ok(!lines.join().includes(first.url))
    }))

for (const [fault, settings] of Object.entries(FAULTS))
  test(`when the only endpoint ${fault} there is no head and reads reject within their deadline`, () =>
    withNodes([settings], async ({ chain }) => {
      assert.equal(chain.head(), undefined)
      const started = performance.now()
      await assert.rejects(read(chain))
      await assert.rejects(chain.receipt(`0x${'1'.repeat(64)}`))
      await assert.rejects(chain.findLogs({ address: TOKEN, topics: [], fromBlock: 0n, toBlock: 1n }))
      assert.equal(await chain.allowance(TOKEN, OWNER, SPENDER), undefined)
      assert.ok(performance.now() - started < 2_000)
    }))

test('an endpoint that comes back is used again after a while', () =>
  withNodes([{ exchange: drop }, { blockNumber: 200 }], async ({ chain, lines }, first) => {
    first.exchange = undefined
    assert.deepEqual(await read(chain), wordOf(200))
    first.blockNumber = 300
    await sleep(400)
    assert.deepEqual(await read(chain), wordOf(300))
    assert.ok(lines.some((line) => line.includes('answers again')))
  }))

test('an endpoint without batches is asked one by one', () =>
  withNodes(
    [
      {
        exchange: (response, _requests, isBatch) =>
          isBatch &&
          reply(400, '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no batches"}}')(response),
      },
    ],
    async ({ chain }) => {
      assert.equal(chain.head()?.number, 100n)
      const answers = await chain.callMany(Array.from({ length: 30 }, () => ({ to: TOKEN, data: '0x' })))
      assert.deepEqual(answers, Array(30).fill(`0x${uintWord(100n)}`))
    },
  ))

test('a lagging endpoint does not move the head backwards and is passed over', () =>
  withNodes([{}, { blockNumber: 99 }], async ({ chain }, first, second) => {
    first.exchange = drop
    await sleep(100)
    assert.equal(chain.head()?.number, 100n)
    second.blockNumber = 101
    await sleep(100)
    assert.equal(chain.head()?.number, 101n)
  }))

test('a lagging endpoint never says that a transaction is unknown', () =>
  withNodes([{}, { blockNumber: 99 }], async ({ chain }, first) => {
    assert.equal(await chain.receipt(hashOf(1)), undefined)
    first.exchange = drop
    await assert.rejects(chain.receipt(hashOf(2)))
  }))

test('a head that was not seen again for too long prices nothing', () => {
  let skippedMs = 0
  return withNodes(
    [{}],
    async ({ chain }, first) => {
      assert.equal(chain.head()?.number, 100n)
      first.exchange = drop
      await sleep(50)
      skippedMs = 14_000
      assert.equal(chain.head()?.number, 100n)
      skippedMs = 16_000
      assert.equal(chain.head(), undefined)
      first.exchange = undefined
      first.blockNumber = 90
      await sleep(100)
      assert.equal(chain.head()?.number, 90n)
    },
    {},
    () => Date.now() + skippedMs,
  )
})

test('fees come from the base fee and the tip, or from the gas price where either is missing', async () => {
  const noTip = ({ method }: Request): object | undefined =>
    method === 'eth_maxPriorityFeePerGas' ? { error: { code: -32601, message: 'no such method' } } : undefined
  const cases: readonly (readonly [Partial<Node>, bigint, bigint])[] = [
    [{}, 16n, 2n],
    [{ answer: noTip }, 14n, 0n],
    [{ answer: noTip, baseFee: '0x3' }, 8n, 2n],
    [{ baseFee: undefined }, 5n, 5n],
  ]
  for (const [settings, max, tip] of cases)
    await withNodes([settings], async ({ chain }) => {
      assert.equal(chain.head()?.maxFeePerGas, max)
      assert.equal(chain.head()?.maxPriorityFeePerGas, tip)
    })
})

const allowanceCalls = (node: Node): number => node.asked.filter(({ method }) => method === 'eth_call').length

test('one allowance is read once for all who ask under one head', () =>
  withNodes([{}], async ({ chain }, first) => {
    const all = await Promise.all(Array.from({ length: 64 }, () => chain.allowance(TOKEN, OWNER, SPENDER)))
    assert.deepEqual(new Set(all), new Set([100n]))
    assert.equal(await chain.allowance(TOKEN, OWNER, SPENDER), 100n)
    assert.equal(allowanceCalls(first), 1)
    first.blockNumber = 101
    await sleep(100)
    assert.equal(await chain.allowance(TOKEN, OWNER, SPENDER), 101n)
    assert.equal(allowanceCalls(first), 2)
  }))

test('many allowances share round trips', () =>
  withNodes([{}], async ({ chain }, first) => {
    let exchanges = 0
    first.exchange = (_response, requests) => {
      if (requests.some(({ method }) => method === 'eth_call')) exchanges += 1
      return false
    }
    const owners = Array.from({ length: 200 }, (_, index) => `0x${index.toString(16).padStart(40, '0')}`)
    const all = await Promise.all(owners.map((owner) => chain.allowance(TOKEN, owner, SPENDER)))
    assert.deepEqual(new Set(all), new Set([100n]))
    assert.equal(exchanges, 4)
  }))

test('an allowance that is not read in time is unknown, and known once it has come', () =>
  withNodes([{}], async ({ chain }, first) => {
    first.exchange = (response, requests) => {
      if (!requests.some(({ method }) => method === 'eth_call')) return false
      const answers = requests.map(({ id }) => ({ jsonrpc: '2.0', id, result: `0x${uintWord(8n)}` }))
      setTimeout(() => response.end(JSON.stringify(answers.length === 1 ? answers[0] : answers)), 200)
      return true
    }
    const started = performance.now()
    assert.equal(await chain.allowance(TOKEN, OWNER, SPENDER), undefined)
    assert.ok(performance.now() - started < 180)
    await sleep(200)
    assert.equal(await chain.allowance(TOKEN, OWNER, SPENDER), 8n)
  }))

test('only the words of a revert make a call undefined', async () => {
  const failing = (code: number, message: string): Partial<Node> => ({
    answer: ({ method }) => (method === 'eth_call' ? { error: { code, message } } : undefined),
  })
  for (const [code, message] of [
    [3, 'execution reverted: no'],
    [-32000, 'execution reverted'],
    [-32015, 'VM execution error.'],
    [-32000, 'out of gas'],
  ] as const)
    await withNodes([failing(code, message)], async ({ chain }) =>
      assert.deepEqual(await read(chain), [undefined]),
    )
  for (const [code, message] of [
    [-32000, 'header not found'],
    [-32603, 'internal error'],
    [-32005, 'too many requests'],
  ] as const)
    await withNodes([failing(code, message)], async ({ chain }) => assert.rejects(read(chain)))
})

const TX = `0x${'1'.repeat(64)}`
const mined = (number: number, hash: string) => ({
  transactionHash: TX,
  blockNumber: quantity(number),
  blockHash: hash,
  status: '0x1',
  logs: [] as object[],
})
const transaction = (hash: string) => ({
  hash: TX,
  blockHash: hash,
  from: OWNER,
  to: null,
  input: '0x',
  value: '0x0',
})
const answering =
  (results: Readonly<Record<string, object>>) =>
  ({ method }: Request): object | undefined =>
    results[method] === undefined ? undefined : { result: results[method] }

test('a receipt is read once per head for all who ask, and after a new head again', () =>
  withNodes([{}], async ({ chain }, first) => {
    const reads = (): number =>
      first.asked.filter(({ method }) => method === 'eth_getTransactionReceipt').length
    const all = await Promise.all(Array.from({ length: 20 }, () => chain.receipt(TX)))
    assert.deepEqual(new Set(all), new Set([undefined]))
    assert.equal(await chain.receipt(TX), undefined)
    assert.equal(reads(), 1)
    first.blockNumber = 101
    first.answer = answering({
      eth_getTransactionReceipt: mined(101, hashOf(101)),
      eth_getTransactionByHash: transaction(hashOf(101)),
    })
    await sleep(100)
    assert.equal((await chain.receipt(TX))?.blockNumber, 101n)
    assert.equal(reads(), 2)
  }))

test('a receipt whose block is not the chain’s, or that contradicts itself, is unreadable and never a fact', async () => {
  const log = { address: TOKEN, topics: [], data: '0x', logIndex: '0x1' }
  const good = mined(100, hashOf(100))
  const tx = transaction(hashOf(100))
  const wrong: readonly Readonly<Record<string, object>>[] = [
    { eth_getTransactionReceipt: mined(100, hashOf(7)), eth_getTransactionByHash: transaction(hashOf(7)) },
    { eth_getTransactionReceipt: good, eth_getTransactionByHash: transaction(hashOf(99)) },
    { eth_getTransactionReceipt: { ...good, transactionHash: hashOf(1) }, eth_getTransactionByHash: tx },
    { eth_getTransactionReceipt: { ...good, status: '0x2' }, eth_getTransactionByHash: tx },
    { eth_getTransactionReceipt: { ...good, logs: [log, log] }, eth_getTransactionByHash: tx },
    { eth_getTransactionReceipt: good, eth_getTransactionByHash: { ...tx, value: '1' } },
  ]
  for (const results of wrong)
    await withNodes([{ answer: answering(results) }], async ({ chain }) => assert.rejects(chain.receipt(TX)))
  const right = { eth_getTransactionReceipt: good, eth_getTransactionByHash: tx }
  await withNodes([{ answer: answering(right) }], async ({ chain }) =>
    assert.equal((await chain.receipt(TX))?.final, false),
  )
})

test('logs that were not asked for are no answer', () => {
  const log = {
    address: OWNER,
    topics: [],
    data: '0x',
    logIndex: '0x1',
    transactionHash: TX,
    blockNumber: '0x1',
  }
  return withNodes([{ answer: answering({ eth_getLogs: [log] }) }], async ({ chain }) => {
    const query = { topics: [], fromBlock: 0n, toBlock: 5n }
    await assert.rejects(chain.findLogs({ ...query, address: TOKEN }))
    assert.equal((await chain.findLogs({ ...query, address: OWNER })).length, 1)
  })
})
