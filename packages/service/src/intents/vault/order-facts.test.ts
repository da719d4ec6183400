import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockOf, hashOf, type Node, quantity, withNodes } from '../../../test/json-rpc-node.ts'
import { testOrder, testOrderId } from '../../../test/test-deposits.ts'
import { uintWord } from '../../chains/evm/abi-words.ts'
import { createOrderFacts } from './order-facts.ts'

/** The records of an AttestedSettler on an order's destination: its kind, and the account that the fill repays. */
const NONE = { repayTo: 0n }
const FILLED = { repayTo: 0xf111n }
const FINAL = { number: 90n, hash: hashOf(90), parentHash: hashOf(89), timestampSeconds: 1_000 }
const ORDER_ID = testOrderId(1)

const recordOf = ({ repayTo }: typeof NONE) => ({ result: `0x${uintWord(0n)}${uintWord(repayTo)}` })
const says = (record: typeof NONE): Partial<Node> => ({
  answer: ({ method }) => (method === 'eth_call' ? recordOf(record) : undefined),
})
const silent: Partial<Node> = {
  exchange: (response) => {
    response.destroy()
    return true
  },
}
const lagging: Partial<Node> = { ...says(NONE), blockNumber: 89 }
/** At a lower block than the final one, and at a later time. */
const excluding: Partial<Node> = { ...lagging, dated: () => FINAL.timestampSeconds + 1 }
const forked: Partial<Node> = {
  answer: ({ method, params: [number] }) => {
    if (method === 'eth_call') return recordOf(FILLED)
    if (method !== 'eth_getBlockByNumber' || number !== quantity(90)) return undefined
    return { result: { ...blockOf({ blockNumber: 90, baseFee: undefined }, 90), hash: hashOf(900) } }
  },
}
const elsewhere: Partial<Node> = { ...says(NONE), chainId: 6 }

/** How long a silent endpoint is waited for. */
const WAIT_MS = 20_000

/** Which endpoints confirm and which deny that an order is filled, or is not, after waiting for silent ones. */
const ask = async (nodes: readonly Partial<Node>[], fact: 'filled' | 'unfilled') => {
  let told: unknown
  let now = Date.now()
  const work: Parameters<typeof withNodes>[1] = async ({ chain }) => {
    const order = testOrder({ destinationChain: chain.chainId, destinationSettler: `0x${'a'.repeat(40)}` })
    const facts = createOrderFacts({
      evmChains: new Map([[chain.chainId, chain]]),
      paymentChains: new Map(),
      orders: { finalBlock: () => FINAL },
      now: Date.now,
    })
    const { ask: statements } =
      fact === 'filled' ? facts.filledAtSettler(ORDER_ID, order) : facts.unfilled(ORDER_ID, order, 0)
    const tell = () =>
      statements().then(
        (all) => all.map(({ endpoint, confirms }) => `${endpoint} ${confirms ? 'confirms' : 'denies'}`),
        ({ code }: { readonly code: string }) => code,
      )
    told = await tell()
    if (told !== 'NODE_BEHIND') return
    now += WAIT_MS
    told = await tell()
  }
  await withNodes(nodes, work, {}, () => now)
  return told
}

const CASES = [
  ['every endpoint', [says(FILLED), says(FILLED), says(FILLED)], ['0 confirms', '1 confirms', '2 confirms']],
  [
    'one that denies what two confirm',
    [says(FILLED), says(FILLED), says(NONE)],
    ['0 confirms', '1 confirms', '2 denies'],
  ],
  ['silent ones, which say nothing', [silent, says(FILLED), silent], ['1 confirms']],
  [
    'one behind the final block, which says nothing',
    [says(FILLED), lagging, says(FILLED)],
    ['0 confirms', '2 confirms'],
  ],
  [
    'one of another chain, which says nothing',
    [elsewhere, says(FILLED), says(FILLED)],
    ['1 confirms', '2 confirms'],
  ],
  [
    'one that has another final block in its chain, which denies',
    [says(FILLED), forked, says(FILLED)],
    ['0 confirms', '1 denies', '2 confirms'],
  ],
  [
    'one that is past the time of the final block without it, which denies',
    [says(FILLED), excluding, says(FILLED)],
    ['0 confirms', '1 denies', '2 confirms'],
  ],
  ['none that answers', [silent, silent, silent], 'NO_ANSWER'],
] as const

for (const [name, nodes, expected] of CASES)
  test(`the fact that an order is filled is asked of ${name}`, async () => {
    assert.deepEqual(await ask(nodes, 'filled'), expected)
  })

test('one endpoint of three that knows a fill denies that the order is not filled', async () => {
  assert.deepEqual(await ask([says(NONE), says(NONE), says(FILLED)], 'unfilled'), [
    '0 confirms',
    '1 confirms',
    '2 denies',
  ])
})
