import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/eventually.ts'
import { drop, hashOf, quantity, type Request, withNodes } from '../../../test/json-rpc-node.ts'

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

test('a lagging endpoint never makes a transaction unknown', () =>
  withNodes([{}, { blockNumber: 99 }], async ({ chain }, first) => {
    assert.equal(await chain.receipt(hashOf(1)), undefined)
    first.exchange = drop
    await assert.rejects(chain.receipt(hashOf(2)))
  }))
