import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../test/eventually.ts'
import { hashOf, type Node, quantity, type Request, withNodes } from '../../test/json-rpc-node.ts'
import { testAnswer } from '../../test/test-quotes.ts'
import type { EvmChain } from '../chains/evm/evm-chain.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import { type ExpectedMessage, readSource } from './source-message.ts'

const FROM = 'eip155:5'
const GATEWAY = `0x${'a'.repeat(40)}`
const SENDER = `0x${'b'.repeat(40)}`
const TX = `0x${'1'.repeat(64)}`
const TOPIC = `0x${'2'.repeat(64)}`
const MINED_AT = 95

const [first] = testAnswer(0, 1n)
assert.ok(first)
const quote: QuoteRecord = { ...first, createdAt: 0, fromChain: FROM, sender: SENDER }
const expected: ExpectedMessage = {
  contract: GATEWAY,
  calldata: () => '0x01',
  matches: ({ address }) => address === GATEWAY,
  among: { address: GATEWAY, topics: [TOPIC] },
}

/** What a sound node knows about the quote's transaction, mined in a block that is not final. */
const TRUTH: Readonly<Record<string, object>> = {
  eth_getTransactionReceipt: {
    transactionHash: TX,
    blockNumber: quantity(MINED_AT),
    blockHash: hashOf(MINED_AT),
    status: '0x1',
    logs: [{ address: GATEWAY, topics: [TOPIC], data: '0x', logIndex: '0x0' }],
  },
  eth_getTransactionByHash: {
    hash: TX,
    blockHash: hashOf(MINED_AT),
    from: SENDER,
    to: GATEWAY,
    input: '0x01',
    value: '0x0',
  },
}
const saying =
  (changes: Readonly<Record<string, object | null>> = {}) =>
  ({ method }: Request): object | undefined => {
    const said = { ...TRUTH, ...changes }[method]
    return said === undefined ? undefined : { result: said }
  }
const sound: Partial<Node> = { answer: saying() }
const WITHOUT_RECEIPT = saying({ eth_getTransactionReceipt: null })
const UNKNOWN = saying({ eth_getTransactionReceipt: null, eth_getTransactionByHash: null })
const REVERTED = saying({
  eth_getTransactionReceipt: { ...TRUTH['eth_getTransactionReceipt'], status: '0x0', logs: [] },
})

const seenOn = async (chain: EvmChain): Promise<string> => {
  const deps = { evmChains: new Map([[FROM, chain]]), log: () => undefined }
  const lookup = { messageId: `${TX}-0`, sourceChain: FROM }
  const reading = await readSource(deps, { quote, lookup, expected })
  return reading.found === undefined ? reading.observation.seen : 'message'
}

/** Adds one block to every node and waits for the chain's next head, so that nothing is answered from memory. */
const mine = async (chain: EvmChain, nodes: readonly Node[]): Promise<void> => {
  for (const node of nodes) node.blockNumber += 1
  await until(() => chain.head()?.number === BigInt(nodes[0]?.blockNumber ?? 0))
}

const LIES = { 'a hidden transaction': UNKNOWN, 'a hidden receipt': WITHOUT_RECEIPT, 'a revert': REVERTED }

for (const [lie, answer] of Object.entries(LIES))
  test(`${lie}, told by one endpoint of three, does not end what the others know`, () =>
    withNodes([sound, sound, sound], async ({ chain, nodes }, liar) => {
      assert.equal(await seenOn(chain), 'message')
      liar.answer = answer
      await mine(chain, nodes)
      assert.equal(await seenOn(chain), 'message')
      await mine(chain, nodes)
      assert.equal(await seenOn(chain), 'message')
    }))

for (const [lie, answer] of Object.entries(LIES))
  test(`${lie}, told by one endpoint of two, proves nothing while the other is silent`, () =>
    withNodes([sound, sound], async ({ chain, nodes }, liar, other) => {
      assert.equal(await seenOn(chain), 'message')
      liar.answer = answer
      await mine(chain, nodes)
      assert.equal(await seenOn(chain), lie === 'a revert' ? 'unreadable' : 'message')
      other.exchange = (response) => {
        response.destroy()
        return true
      }
      await mine(chain, nodes)
      assert.equal(await seenOn(chain), 'unreadable')
    }))

for (const [lie, answer] of Object.entries(LIES))
  test(`${lie}, told by one endpoint of three about a transaction not read before, proves nothing`, () =>
    withNodes([{ answer }, sound, sound], async ({ chain, nodes }) => {
      assert.notEqual(await seenOn(chain), 'nothing')
      await mine(chain, nodes)
      assert.equal(await seenOn(chain), 'message')
    }))

for (const answer of [UNKNOWN, WITHOUT_RECEIPT])
  test('endpoints that still have the block of a transaction without its receipt are late', () =>
    withNodes([sound, sound, sound], async ({ chain, nodes }) => {
      assert.equal(await seenOn(chain), 'message')
      for (const node of nodes) node.answer = answer
      await mine(chain, nodes)
      assert.equal(await seenOn(chain), 'unreadable')
    }))

test('an endpoint that has a transaction in a newer block than the others is not accused', () =>
  withNodes(
    [{ blockNumber: MINED_AT - 1 }, { ...sound, blockNumber: MINED_AT }, { blockNumber: MINED_AT - 1 }],
    async ({ chain, lines }) => {
      assert.equal(await seenOn(chain), 'nothing')
      assert.ok(chain.faults().every(({ disagreements }) => disagreements === 0))
      assert.ok(lines.every((line) => !line.includes('rpc_endpoint_disagrees')))
    },
    { pollMs: 60_000 },
  ))

test('a transaction that one endpoint invents is forgotten once its block would be final', () =>
  withNodes([sound, {}, {}], async ({ chain, nodes }, liar) => {
    assert.equal(await seenOn(chain), 'message')
    liar.answer = undefined
    for (const node of nodes) node.blockNumber += 10
    await mine(chain, nodes)
    assert.equal(await seenOn(chain), 'nothing')
  }))

test('a transaction that left the chain of a quorum of endpoints is gone', () =>
  withNodes([sound, sound, sound], async ({ chain, nodes }) => {
    assert.equal(await seenOn(chain), 'message')
    const fork = hashOf(9_000)
    for (const node of nodes)
      node.answer = (request) => {
        const isReplaced =
          request.method === 'eth_getBlockByNumber' && request.params[0] === quantity(MINED_AT)
        if (!isReplaced) return UNKNOWN(request)
        return {
          result: {
            number: quantity(MINED_AT),
            hash: fork,
            parentHash: hashOf(94),
            timestamp: quantity(100),
          },
        }
      }
    await mine(chain, nodes)
    assert.equal(await seenOn(chain), 'nothing')
  }))

/** A node that keeps the receipt of a block that has left its chain. */
const orphaned: Partial<Node> = {
  answer: saying({
    eth_getTransactionReceipt: { ...TRUTH['eth_getTransactionReceipt'], blockHash: hashOf(9_000) },
    eth_getTransactionByHash: { ...TRUTH['eth_getTransactionByHash'], blockHash: hashOf(9_000) },
  }),
}

for (const [name, settings] of Object.entries({
  'one endpoint of two keeps': [orphaned, {}],
  'both endpoints keep': [orphaned, orphaned],
  'the only endpoint keeps': [orphaned],
}))
  test(`an orphaned receipt that ${name} proves nothing until its block would be final, and then is absent`, () =>
    withNodes(settings, async ({ chain, nodes }) => {
      assert.equal(await seenOn(chain), 'unreadable')
      for (const node of nodes) node.blockNumber += 10
      await mine(chain, nodes)
      assert.equal(await seenOn(chain), 'nothing')
    }))

test('an orphaned receipt that one endpoint of two keeps does not hide the transaction mined again', () =>
  withNodes([orphaned, sound], async ({ chain, nodes }) => {
    for (const node of nodes) node.blockNumber += 10
    await mine(chain, nodes)
    assert.equal(await seenOn(chain), 'message')
  }))

test('a transaction that one endpoint of three hides becomes final', () =>
  withNodes([{ answer: UNKNOWN }, sound, sound], async ({ chain, nodes }) => {
    for (const node of nodes) node.blockNumber += 10
    await mine(chain, nodes)
    assert.equal(await seenOn(chain), 'message')
    assert.equal((await chain.receipt(TX))?.final, true)
    assert.ok((chain.faults()[0]?.disagreements ?? 0) > 0)
  }))

test('a transaction that no endpoint has ever shown is unknown, and one that reverts deposits nothing', async () => {
  await withNodes([{}, {}, {}], async ({ chain }) => assert.equal(await seenOn(chain), 'nothing'))
  const reverted = { answer: REVERTED }
  await withNodes([reverted, reverted, reverted], async ({ chain }) =>
    assert.equal(await seenOn(chain), 'nothing'),
  )
})
