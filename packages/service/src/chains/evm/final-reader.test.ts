import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockOf, hashOf, type Node, type Request, withNodes } from '../../../test/json-rpc-node.ts'
import { historyFaultOf } from '../rpc/history-fault.ts'

/** A node that keeps no blocks below the given one. */
const keepingFrom = (first: number): Partial<Node> => ({
  blockNumber: 1_000,
  answer: ({ method, params: [number] }: Request) =>
    method === 'eth_getBlockByNumber' && Number(number) < first ? { result: null } : undefined,
})
const faultOf = (work: Promise<unknown>): Promise<unknown> => work.then(() => 'read', historyFaultOf)

test('blocks that a quorum of endpoints keeps are read although one has lost them', () =>
  withNodes([keepingFrom(900), keepingFrom(0), keepingFrom(0)], async ({ chain }) => {
    assert.equal((await chain.finalBlock(100n)).hash, hashOf(100))
  }))

test('history is lost when too few endpoints keep the block', () =>
  withNodes([keepingFrom(900), keepingFrom(900), keepingFrom(0)], async ({ chain }) => {
    const root = { number: 100n, hash: hashOf(100) }
    assert.equal(await faultOf(chain.finalBlock(100n)), 'history_lost')
    assert.equal(await faultOf(chain.finalLogs(root, 110n, { addresses: [], topics0: [] })), 'history_lost')
  }))

test('history is lost when too few endpoints keep the logs of blocks that they have', async () => {
  const root = { number: 100n, hash: hashOf(100) }
  const expectFault = (error: object, fault: string | undefined): Promise<void> => {
    const node = {
      blockNumber: 1_000,
      answer: ({ method }: Request) => (method === 'eth_getLogs' ? { error } : undefined),
    }
    return withNodes([node, node, { blockNumber: 1_000 }], async ({ chain }) => {
      const read = chain.finalLogs(root, 110n, { addresses: [], topics0: [] })
      assert.equal(await faultOf(read), fault, JSON.stringify(error))
    })
  }
  for (const error of [
    { code: 4444, message: 'pruned history unavailable' },
    { code: -32_000, message: 'old data not available due to pruning' },
    { code: -32_000, message: 'historical logs are not available' },
  ])
    await expectFault(error, 'history_lost')
  await expectFault({ code: -32_005, message: 'query returned too many results' }, undefined)
})

test('a block that a node is about to have is not lost history', () =>
  withNodes([keepingFrom(990), keepingFrom(990)], async ({ chain }) => {
    await assert.rejects(chain.finalBlock(980n), { code: 'NODE_BEHIND' })
  }))

const startedWith = (hash: string): Partial<Node> => ({
  answer: ({ method, params: [number] }: Request) =>
    method === 'eth_getBlockByNumber' && number === '0x0'
      ? { result: { ...blockOf({ blockNumber: 100, baseFee: undefined }, 0), hash } }
      : undefined,
})

test("the chain's first block is the one that a quorum of endpoints tells", () =>
  withNodes([startedWith(hashOf(66)), {}, {}], async ({ chain }) => {
    assert.equal(await chain.genesisHash(), hashOf(0))
  }))

test('endpoints that do not have the first block tell none', () =>
  withNodes([keepingFrom(900), keepingFrom(900), {}], async ({ chain }) => {
    assert.equal(await chain.genesisHash(), undefined)
  }))
