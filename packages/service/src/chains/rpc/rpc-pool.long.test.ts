import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { until } from '../../../test/eventually.ts'
import { drop, type Node, type Request, withNodes } from '../../../test/json-rpc-node.ts'
import { uintWord } from '../evm/abi-words.ts'
import type { EvmChain } from '../evm/evm-chain.ts'

const TOKEN = `0x${'a'.repeat(40)}`
const OWNER = `0x${'b'.repeat(40)}`
const SPENDER = `0x${'c'.repeat(40)}`

const neverAnswer = (): boolean => true
const reply =
  (status: number, body: string) =>
  (response: ServerResponse): boolean => {
    response.writeHead(status).end(body)
    return true
  }
const read = (chain: EvmChain) => chain.callMany([{ to: TOKEN, data: '0x' }])
const wordOf = (value: number): readonly string[] => [`0x${uintWord(BigInt(value))}`]

/** Short deadlines, so that the silent endpoint costs the test little time. */
const IMPATIENT = { readMs: 400, observeMs: 400, allowanceMs: 100 }

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
  test(`an endpoint that ${fault} is skipped for the next`, () =>
    withNodes(
      [settings, { blockNumber: 200 }],
      async ({ chain, lines }, first) => {
        assert.equal(chain.head()?.number, 200n)
        assert.deepEqual(await read(chain), wordOf(200))
        const asides = () => lines.filter((line) => line.includes('put_aside')).length
        await until(() => asides() > 0)
        assert.equal(asides(), 1)
        assert.ok(!lines.join().includes(first.url))
      },
      fault === 'never answers' ? { readMs: 2_000, observeMs: 2_000, hurryMs: 10 } : {},
    ))

for (const [fault, settings] of Object.entries(FAULTS))
  test(`when the only endpoint ${fault} there is no head, and reads reject within their deadline`, () =>
    withNodes(
      [settings],
      async ({ chain }) => {
        assert.equal(chain.head(), undefined)
        await assert.rejects(read(chain))
        await assert.rejects(chain.receipt(`0x${'1'.repeat(64)}`))
        await assert.rejects(chain.findLogs({ address: TOKEN, topics: [], fromBlock: 0n, toBlock: 1n }))
        assert.equal(await chain.allowance(TOKEN, OWNER, SPENDER), undefined)
      },
      IMPATIENT,
    ))

/** The honest answers of a node to requests for its chain id and contract reads. */
const answersTo = (requests: readonly Request[]): readonly object[] =>
  requests.map(({ id, method }) => ({
    jsonrpc: '2.0',
    id,
    result: method === 'eth_chainId' ? '0x5' : `0x${uintWord(7n)}`,
  }))

/** Nodes that prove their chain at once, and answer reads once as many of them as `count` have been asked for one. */
const waitForEachOther = (count: number): readonly Partial<Node>[] => {
  const held: (() => void)[] = []
  const exchange: Node['exchange'] = (response, requests, isBatch) => {
    const answers = answersTo(requests)
    const answer = (): unknown => response.end(JSON.stringify(isBatch ? answers : answers[0]))
    if (requests.some(({ method }) => method === 'eth_call')) held.push(answer)
    else answer()
    if (held.length >= count) for (const one of held.splice(0)) one()
    return true
  }
  return Array.from({ length: count }, () => ({ exchange }))
}

// The first is waited for until half of the time is over, the next for half of the rest.
test('a read succeeds when all endpoints take more than half of its time', (context) =>
  withNodes(
    waitForEachOther(3),
    async ({ chain, nodes }) => {
      context.mock.timers.enable({ apis: ['setTimeout'] })
      const reading = read(chain)
      for (const { asked } of nodes.slice(0, 2)) {
        await until(() => asked.some(({ method }) => method === 'eth_call'))
        context.mock.timers.tick(300_000)
      }
      assert.deepEqual(await reading, wordOf(7))
    },
    { readMs: 600_000, hurryMs: 600_000, observeMs: 50, pollMs: 60_000 },
  ))

for (const [limit, timing, limitMs] of [
  ['half of its time', { readMs: 600_000, hurryMs: 600_000 }, 300_000],
  ['hurryMs', { readMs: 600_000, hurryMs: 100 }, 100],
] as const)
  test(`an endpoint that takes long does not delay a read by more than ${limit}`, (context) =>
    withNodes(
      [{ blockNumber: 7 }, { blockNumber: 7 }],
      async ({ chain }, first) => {
        first.exchange = neverAnswer
        const asked = first.asked.length
        context.mock.timers.enable({ apis: ['setTimeout'] })
        const reading = read(chain)
        await until(() => first.asked.length > asked)
        context.mock.timers.tick(limitMs)
        assert.deepEqual(await reading, wordOf(7))
      },
      { ...timing, pollMs: 60_000 },
    ))

test('an endpoint that comes back is used again after a while', () =>
  withNodes([{ exchange: drop }, { blockNumber: 200 }], async ({ chain, lines }, first) => {
    first.exchange = undefined
    assert.deepEqual(await read(chain), wordOf(200))
    first.blockNumber = 300
    await until(() => chain.head()?.number === 300n)
    assert.deepEqual(await read(chain), wordOf(300))
    assert.ok(lines.some((line) => line.includes('endpoint_recovered')))
  }))

for (const [name, exchange, proofs] of [
  ['once, also after a read that took too long', neverAnswer, 1],
  ['again after a connection that failed', drop, 2],
] as const)
  test(`an endpoint proves its chain ${name}`, (context) =>
    withNodes(
      [{}],
      async ({ chain }, node) => {
        node.exchange = exchange
        const asked = node.asked.length
        context.mock.timers.enable({ apis: ['setTimeout'] })
        const reading = assert.rejects(read(chain))
        await until(() => node.asked.length > asked)
        if (exchange === neverAnswer) context.mock.timers.tick(60_000)
        await reading
        context.mock.timers.reset()
        node.exchange = undefined
        await read(chain)
        await read(chain)
        const answered = node.asked.filter(({ method }) => method === 'eth_chainId')
        assert.equal(answered.length, proofs)
      },
      { asideMs: 1, pollMs: 600_000 },
    ))

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

test('only the message of a revert makes a call undefined', async () => {
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

test('an endpoint that is behind is put aside for a while, and is no fault worth reporting', () =>
  withNodes(
    [{ blockNumber: 90 }, { blockNumber: 100 }],
    async ({ chain, lines }, first) => {
      for (let count = 0; count < 20; count += 1) await chain.blocks([95n])
      const asked = first.asked.filter(({ params }) => params[0] === '0x5f')
      assert.equal(asked.length, 1)
      assert.deepEqual(lines, [])
    },
    { asideMs: 60_000, pollMs: 60_000 },
  ))

for (const [nodes, code] of [
  [[{ blockNumber: 90 }, { blockNumber: 91 }], 'NODE_BEHIND'],
  [[{ blockNumber: 90 }, { exchange: drop }], 'NODE_BEHIND'],
  [[{ exchange: drop }, { blockNumber: 90 }], 'NODE_BEHIND'],
  [[{ exchange: drop }, { exchange: reply(503, '') }], 'NO_ANSWER'],
] as const)
  test(`a read that all endpoints fail is ${code} from ${JSON.stringify(nodes.map(Object.keys))}`, () =>
    withNodes(nodes, async ({ chain }) => assert.rejects(chain.blocks([95n]), { code })))

for (const [fault, settings] of [
  ['is starting', { answer: () => ({ error: { code: -32000, message: 'node is starting' } }) }],
  ['answers with a web page', { exchange: reply(403, '<html>quota</html>') }],
] as const)
  test(`an endpoint that failed and ${fault} is waited for before the others decide`, () =>
    withNodes([{}, {}, {}], async ({ chain, nodes }) => {
      const [, , third] = nodes
      assert(third !== undefined)
      const ask = (about: string) =>
        chain.callStatements({ about, call: { to: TOKEN, data: '0x' }, confirms: () => true })
      assert.equal((await ask('before')).length, 3)
      third.exchange = drop
      await assert.rejects(ask('down'), { code: 'NODE_BEHIND' })
      Object.assign(third, { exchange: undefined, ...settings })
      await assert.rejects(ask('starting'), { code: 'NODE_BEHIND' })
      Object.assign(third, { exchange: undefined, answer: undefined })
      assert.equal((await ask('back')).length, 3)
    }))

test('quotes read no endpoint whose calls per minute are spent, while receipts and agreement read all', async () => {
  let time = 1_000_000
  await withNodes(
    [{}, { blockNumber: 100 }],
    async ({ chain, lines }, first, second) => {
      const readsOf = (node: Node) => node.asked.filter(({ method }) => method === 'eth_call').length
      const about = () => lines.filter((line) => /rpc_endpoint_(spent|has_calls)/.test(line)).length
      for (let count = 0; count < 20; count += 1) await read(chain)
      assert.ok(readsOf(first) <= 10, `${readsOf(first)} reads`)
      assert.equal(readsOf(first) + readsOf(second), 20)
      assert.equal(about(), 1)
      const before = readsOf(first) + 1
      for (let count = 0; count < 100; count += 1) await chain.receipt(`0x${String(count).padStart(64, '0')}`)
      await chain.callAgreed([{ to: TOKEN, data: '0x' }], {})
      assert.equal(readsOf(first), before)
      time += 61_000
      await read(chain)
      assert.equal(readsOf(first), before + 1)
      assert.equal(about(), 2)
    },
    { staleMs: 3_600_000, pollMs: 3_600_000 },
    () => time,
    ({ url }, position) => (position === 0 ? { [url]: 60 } : {}),
  )
})

test('nothing is sent to an endpoint before the time that its Retry-After names', async () => {
  let time = 1_000_000
  let isBusy = true
  const exchange = (response: ServerResponse): boolean => {
    if (isBusy) response.writeHead(429, { 'retry-after': '30' }).end()
    return isBusy
  }
  await withNodes(
    [{ exchange }],
    async ({ chain }, node) => {
      const asked = (): number => node.asked.length
      await assert.rejects(read(chain))
      const before = asked()
      time += 29_999
      await assert.rejects(read(chain), /asked to be left alone/)
      assert.equal(asked(), before)
      isBusy = false
      time += 1
      assert.deepEqual(await read(chain), wordOf(100))
    },
    { pollMs: 3_600_000 },
    () => time,
  )
})
