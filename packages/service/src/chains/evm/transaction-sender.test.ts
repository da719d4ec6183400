import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drop, hashOf, type Node, quantity, type Request, withNodes } from '../../../test/json-rpc-node.ts'

const SENDER = `0x${'b'.repeat(40)}`
const RAW = '0x02c0'

const refusing =
  (message: string) =>
  ({ method }: Request) =>
    method === 'eth_sendRawTransaction' ? { error: { code: -32000, message } } : undefined
const sent = (asked: readonly Request[]) =>
  asked.filter(({ method }) => method === 'eth_sendRawTransaction').map(({ params }) => params)

test('sends a transaction to every endpoint, including those put aside', () =>
  withNodes(
    [{ exchange: drop }, { answer: refusing('gas price too low') }, {}],
    async ({ chain, nodes }, first) => {
      first.exchange = undefined
      assert.equal(await chain.sendRawTransaction(RAW), 'taken')
      for (const node of nodes) assert.deepEqual(sent(node.asked), [[RAW]])
    },
  ))

for (const words of [
  'already known',
  'transaction already imported',
  'ALREADY_EXISTS: already known',
  'AlreadyKnown',
])
  test(`a transaction counts as accepted when the node says: ${words}`, () =>
    withNodes([{ answer: refusing(words) }], async ({ chain }) => {
      assert.equal(await chain.sendRawTransaction(RAW), 'taken')
    }))

test("when every answering endpoint rejects, returns the first one's message", () =>
  withNodes(
    [{ answer: refusing('nonce too low') }, { answer: refusing('underpriced') }, {}],
    async ({ chain, nodes }) => {
      const last = nodes[2]
      assert(last !== undefined)
      last.exchange = drop
      assert.deepEqual(await chain.sendRawTransaction(RAW), { refused: 'nonce too low' })
    },
  ))

test('rejects in time when no endpoint answers', () =>
  withNodes(
    [{ exchange: drop }, { exchange: () => true }],
    async ({ chain }) => {
      await assert.rejects(chain.sendRawTransaction(RAW), /no endpoint answered/)
    },
    { observeMs: 300 },
  ))

test('never sends to an endpoint of another chain', () =>
  withNodes([{ chainId: 6 }], async ({ chain }) => {
    await assert.rejects(chain.sendRawTransaction(RAW), /no endpoint answered/)
  }))

const counting = (count: string): Partial<Node> => ({
  answer: ({ method, params }) =>
    method === 'eth_getTransactionCount' && params[1] === 'latest' ? { result: count } : undefined,
})

for (const [name, settings, counted] of [
  ['the only endpoint of a chain tells it', [counting('0x9')], 9],
  ['sound endpoints differ by a block', [counting('0x9'), counting('0x8'), counting('0x9')], 9],
  ['one of three makes up 2^40', [counting('0x10000000000'), counting('0x8'), counting('0x9')], 9],
  ['one of three counts none', [counting('0x0'), counting('0x8'), counting('0x9')], 8],
  ['one of three fails', [{ exchange: drop }, counting('0x9'), counting('0x9')], 9],
] as const)
  test(`an account has ${counted} transactions when ${name}`, () =>
    withNodes(settings, async ({ chain }) => assert.equal(await chain.transactionCount(SENDER), counted)))

for (const [name, settings] of [
  ['without a quorum', [counting('0x9'), { exchange: drop }, { exchange: drop }]],
  [
    'while one of three fails and another counts none',
    [{ exchange: drop }, counting('0x0'), counting('0x9')],
  ],
  ['while one of two counts none', [counting('0x0'), counting('0x9')]],
] as const)
  test(`nothing is counted ${name}`, () =>
    withNodes(settings, async ({ chain }) => {
      await assert.rejects(chain.transactionCount(SENDER), { code: 'NO_AGREEMENT' })
    }))

const used = (count: string, receipt: object | null = null): Partial<Node> => ({
  answer: ({ method }) => {
    if (method === 'eth_getTransactionCount') return { result: count }
    return method === 'eth_getTransactionReceipt' ? { result: receipt } : undefined
  },
})
const SIGNED = { sender: SENDER, nonce: 7, txHashes: [hashOf(1), hashOf(2)] }
const MINED = {
  transactionHash: hashOf(1),
  blockHash: hashOf(80),
  blockNumber: quantity(80),
  status: '0x1',
  logs: [],
}

for (const [name, settings, isReplaced] of [
  ['all count the nonce as used', [used('0x8'), used('0x8'), used('0x8')], true],
  ['all count it as unused', [used('0x7'), used('0x7'), used('0x7')], false],
  ['one of three counts it as used', [used('0x8'), used('0x7'), used('0x7')], false],
  ['two of three know our signature', [used('0x8'), used('0x8', MINED), used('0x8', MINED)], false],
  ['one of three makes up its receipt', [used('0x8', MINED), used('0x8'), used('0x8')], true],
] as const)
  test(`a transaction ${isReplaced ? 'is' : 'is not'} replaced when ${name}`, () =>
    withNodes(settings, async ({ chain }) => {
      assert.equal(await chain.isReplaced(SIGNED, 90n), isReplaced)
    }))

test('nothing is replaced while endpoints differ, or the block is final to too few', () =>
  withNodes([used('0x8'), { ...used('0x7'), blockNumber: 99 }], async ({ chain }) => {
    await assert.rejects(chain.isReplaced(SIGNED, 89n), { code: 'NO_AGREEMENT' })
    await assert.rejects(chain.isReplaced(SIGNED, 90n), { code: 'NODE_BEHIND' })
  }))
