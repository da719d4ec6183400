import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/eventually.ts'
import { drop, hashOf, type Node, quantity, type Request, withNodes } from '../../../test/json-rpc-node.ts'

const TOKEN = `0x${'a'.repeat(40)}`
const OWNER = `0x${'b'.repeat(40)}`
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

test('concurrent reads of a receipt share one request per head', () =>
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
    await until(() => chain.head()?.number === 101n)
    assert.equal((await chain.receipt(TX))?.blockNumber, 101n)
    assert.equal(reads(), 2)
  }))

test('rejects a receipt whose block is not on the chain, or that contradicts itself', async () => {
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

test('rejects logs that were not requested', () => {
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

test('a lagging endpoint never makes a transaction unknown', () =>
  withNodes([{}, { blockNumber: 99 }], async ({ chain }, first) => {
    assert.equal(await chain.receipt(hashOf(1)), undefined)
    first.exchange = drop
    await assert.rejects(chain.receipt(hashOf(2)))
  }))

test('endpoints that have not reached the block in which another showed a transaction do not make it unknown', () =>
  withNodes(
    [{}, {}, {}],
    async ({ chain, nodes }, first) => {
      first.blockNumber = 102
      first.answer = answering({
        eth_getTransactionReceipt: mined(102, hashOf(102)),
        eth_getTransactionByHash: transaction(hashOf(102)),
      })
      assert.equal((await chain.receipt(TX))?.succeeded, true)
      first.exchange = drop
      for (const other of nodes.slice(1)) other.blockNumber = 101
      await assert.rejects(chain.agreedReceipt(TX))
      for (const other of nodes.slice(1)) Object.assign(other, { blockNumber: 103, answer: first.answer })
      assert.equal((await chain.agreedReceipt(TX))?.succeeded, true)
    },
    { pollMs: 3_600_000 },
  ))

test('an endpoint that shows a transaction in a block of years to come does not keep it from being unknown', () =>
  withNodes(
    [{}, {}, {}],
    async ({ chain }, first) => {
      first.blockNumber = 900_000
      first.answer = answering({
        eth_getTransactionReceipt: mined(900_000, hashOf(900_000)),
        eth_getTransactionByHash: transaction(hashOf(900_000)),
      })
      await chain.receipt(TX).catch(() => undefined)
      first.exchange = drop
      assert.equal(await chain.agreedReceipt(TX), undefined)
    },
    { pollMs: 3_600_000 },
  ))

const LOG = { address: TOKEN, topics: [hashOf(3)], data: '0x07', logIndex: '0x0' }
const truth = {
  eth_getTransactionReceipt: { ...mined(80, hashOf(80)), logs: [LOG] },
  eth_getTransactionByHash: transaction(hashOf(80)),
}
const honest: Partial<Node> = { answer: answering(truth) }
const forged = (change: Readonly<Record<string, object>>): Partial<Node> => ({
  answer: answering({ ...truth, ...change }),
})
const forgedReceipt = (change: object): Partial<Node> =>
  forged({ eth_getTransactionReceipt: { ...truth.eth_getTransactionReceipt, ...change } })

/** Lies of one endpoint about a final transaction that the others know. */
const LIES: Readonly<Record<string, Partial<Node>>> = {
  'a revert': forgedReceipt({ status: '0x0', logs: [] }),
  'no logs': forgedReceipt({ logs: [] }),
  'a log of another contract': forgedReceipt({ logs: [{ ...LOG, address: OWNER }] }),
  'other data': forgedReceipt({ logs: [{ ...LOG, data: '0x08' }] }),
  'one log more': forgedReceipt({ logs: [LOG, { ...LOG, logIndex: '0x1' }] }),
  'another sender': forged({ eth_getTransactionByHash: { ...transaction(hashOf(80)), from: TOKEN } }),
  'another input': forged({ eth_getTransactionByHash: { ...transaction(hashOf(80)), input: '0x01' } }),
  'another value': forged({ eth_getTransactionByHash: { ...transaction(hashOf(80)), value: '0x1' } }),
  'another block': forged({
    eth_getTransactionReceipt: mined(79, hashOf(79)),
    eth_getTransactionByHash: transaction(hashOf(79)),
  }),
  'another time': {
    answer: (request) =>
      request.method === 'eth_getBlockByNumber' && request.params[0] === quantity(80)
        ? { result: { number: quantity(80), hash: hashOf(80), parentHash: hashOf(79), timestamp: '0xffff' } }
        : honest.answer?.(request),
  },
}

for (const [lie, liar] of Object.entries(LIES))
  for (const position of [0, 1, 2])
    test(`${lie}, returned by endpoint ${position} of three for a final transaction, is never final`, () =>
      withNodes(
        [0, 1, 2].map((other) => (other === position ? liar : honest)),
        async ({ chain }) => {
          const receipt = await chain.receipt(TX)
          assert.equal(receipt?.final, true)
          assert.deepEqual(
            [receipt?.succeeded, receipt?.from, receipt?.input, receipt?.value, receipt?.timestampSeconds],
            [true, OWNER, '0x', 0n, 100],
          )
          assert.deepEqual(receipt?.logs, [{ address: TOKEN, topics: [hashOf(3)], data: '0x07' }])
        },
      ))

for (const [lie, liar] of Object.entries(LIES))
  test(`when one of two endpoints returns ${lie}, the transaction is not final until both agree`, () =>
    withNodes([liar, honest], async ({ chain }, first) => {
      assert.notEqual((await chain.receipt(TX))?.final, true)
      first.answer = honest.answer
      first.blockNumber = 101
      await until(() => chain.head()?.number === 101n)
      const receipt = await chain.receipt(TX)
      assert.equal(receipt?.final, true)
      assert.equal(receipt?.succeeded, true)
    }))

test('a transaction that one endpoint invents is never final', () =>
  withNodes([honest, {}, {}], async ({ chain }) => assert.equal(await chain.receipt(TX), undefined)))

test('a transaction is final only when it is final to a quorum of endpoints', () =>
  withNodes([honest, { ...honest, blockNumber: 89 }], async ({ chain }, first, second) => {
    assert.equal((await chain.receipt(TX))?.final, false)
    second.blockNumber = 90
    first.blockNumber = 101
    await until(() => chain.head()?.number === 101n)
    assert.equal((await chain.receipt(TX))?.final, true)
  }))

test('reads a final receipt once, from as few endpoints as the quorum needs', () =>
  withNodes([honest, honest, honest], async ({ chain, nodes }) => {
    await chain.receipt(TX)
    await chain.receipt(TX)
    const isRead = ({ method }: Request): boolean => method === 'eth_getTransactionReceipt'
    assert.deepEqual(
      nodes.map(({ asked }) => asked.filter(isRead).length),
      [2, 1, 0],
    )
  }))
