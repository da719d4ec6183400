import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/eventually.ts'
import { drop, type Node, startNode } from '../../../test/json-rpc-node.ts'
import { uintWord } from '../evm/abi-words.ts'
import { canMoveMoney, quorumOf } from './quorum.ts'
import { RpcError } from './rpc-error.ts'
import { createRpcPool, type RpcPool } from './rpc-pool.ts'

const says = (value: number): Partial<Node> => ({
  answer: ({ method }) => (method === 'eth_call' ? { result: `0x${uintWord(BigInt(value))}` } : undefined),
})
const silent: Partial<Node> = { exchange: () => true }
const behind: Partial<Node> = {
  answer: ({ method }) => (method === 'eth_call' ? { result: '0x' } : undefined),
}
const dropping: Partial<Node> = { exchange: drop }

type Line = { readonly event: string; readonly fields: Readonly<Record<string, unknown>> }
type World = { readonly pool: RpcPool; readonly nodes: readonly Node[]; readonly lines: Line[] }

const withPool = async (
  settings: readonly Partial<Node>[],
  work: (world: World) => Promise<void>,
  options: { readonly now?: () => number } = {},
): Promise<void> => {
  const nodes = await Promise.all(settings.map(startNode))
  const lines: Line[] = []
  const pool = createRpcPool({
    chainId: 'eip155:5',
    rpcUrls: nodes.map(({ url }) => url),
    proof: {
      call: { method: 'eth_chainId', params: [] },
      nameIn: (result) => (typeof result === 'string' ? result : undefined),
      expected: '0x5',
    },
    asideMs: 1_000,
    hurryMs: 60_000,
    now: Date.now,
    log: (_level, event, fields = {}) => lines.push({ event, fields }),
    ...options,
  })
  try {
    await work({ pool, nodes, lines })
  } finally {
    pool.close()
    for (const node of nodes) node.stop()
  }
}

/** The number that a quorum answers to a call. */
const agree = (pool: RpcPool, deadlineMs = 2_000): Promise<number> =>
  pool.agree({
    work: async (ask) => {
      const [answer] = await ask([{ method: 'eth_call', params: [] }])
      if (answer?.ok !== true) throw new RpcError('REFUSED', 'refused')
      if (answer.result === '0x') throw new RpcError('NODE_BEHIND', 'behind')
      return Number(answer.result)
    },
    keyOf: String,
    deadlineMs,
  })
/** The contradictions of each endpoint. */
const disagreementsOf = (pool: RpcPool): readonly number[] =>
  pool.faults().map(({ disagreements }) => disagreements)
const callsTo = (node: Node | undefined): number =>
  node?.asked.filter(({ method }) => method === 'eth_call').length ?? 0

for (const [endpoints, quorum] of [
  [1, 1],
  [2, 2],
  [3, 2],
  [4, 3],
  [5, 3],
] as const)
  test(`the quorum of ${endpoints} endpoints is ${quorum}`, () => {
    const rpcUrls = Array.from({ length: endpoints }, (_, position) => `https://rpc${position}.example`)
    assert.equal(quorumOf({ rpcUrls }), quorum)
  })

test('money moves by the word of several endpoints or of a trusted one, and a repeated URL counts once', () => {
  const [one, other] = ['https://rpc.example', 'https://other.example']
  assert.equal(canMoveMoney({ rpcUrls: [one, other] }), true)
  assert.equal(canMoveMoney({ rpcUrls: [one] }), false)
  assert.equal(canMoveMoney({ rpcUrls: [one, one] }), false)
  assert.equal(canMoveMoney({ rpcUrls: [one], trustSingleEndpoint: true }), true)
})

test('agrees on equal answers, and asks no more endpoints than necessary', () =>
  withPool([says(7), says(7), says(7)], async ({ pool, nodes }) => {
    assert.equal(await agree(pool), 7)
    assert.deepEqual(nodes.map(callsTo), [1, 1, 0])
  }))

for (const position of [0, 1, 2])
  test(`the lie of endpoint ${position} of three is never the agreed value`, () =>
    withPool(
      [0, 1, 2].map((other) => says(other === position ? 666 : 7)),
      async ({ pool }) => {
        for (let count = 0; count < 5; count += 1) assert.equal(await agree(pool), 7)
      },
    ))

for (const [name, settings] of Object.entries({
  'contradict each other': [says(1), says(2)],
  'all say something else': [says(1), says(2), says(3)],
  'are one that answers and two that do not': [says(1), dropping, dropping],
  'are four, and two pairs contradict each other': [says(1), says(1), says(2), says(2)],
}))
  test(`there is no agreement when the endpoints ${name}`, () =>
    withPool(settings, async ({ pool }) => {
      await assert.rejects(agree(pool), { code: 'NO_AGREEMENT' })
      assert.deepEqual(
        disagreementsOf(pool),
        settings.map(() => 0),
      )
    }))

for (const [fault, settings] of Object.entries({ 'drops connections': dropping, 'never answers': silent }))
  test(`an endpoint that ${fault} is replaced by the next in an agreement`, () =>
    withPool([settings, says(7), says(7)], async ({ pool }) => assert.equal(await agree(pool, 1_000), 7)))

test('too few endpoints that have reached a block give NODE_BEHIND, not a contradiction', () =>
  withPool([says(7), behind], async ({ pool }) => {
    await assert.rejects(agree(pool), { code: 'NODE_BEHIND' })
    assert.deepEqual(disagreementsOf(pool), [0, 0])
  }))

test('an endpoint that contradicts the others is logged once, counted each time, and asked last', () => {
  let time = 0
  return withPool(
    [says(666), says(7), says(7)],
    async ({ pool, nodes, lines }) => {
      assert.equal(await agree(pool), 7)
      const read = await pool.work(async (ask) => ask([{ method: 'eth_call', params: [] }]), 1_000)
      assert.deepEqual(read, [{ ok: true, result: `0x${uintWord(7n)}` }])
      const before = callsTo(nodes[0])
      await agree(pool)
      assert.equal(callsTo(nodes[0]), before)

      time += 1_001
      await agree(pool)
      assert.equal(callsTo(nodes[0]), before + 1)
      await until(() => disagreementsOf(pool)[0] === 2)
      const named = lines.filter(({ event }) => event === 'rpc_endpoint_disagrees')
      assert.deepEqual(
        named.map(({ fields }) => fields),
        [{ chainId: 'eip155:5', endpoint: 0 }],
      )

      const [liar] = nodes
      assert.ok(liar)
      liar.answer = says(7).answer
      time += 2_001
      await agree(pool)
      await until(() => lines.some(({ event }) => event === 'rpc_endpoint_agrees'))
      assert.deepEqual(disagreementsOf(pool), [2, 0, 0])
    },
    { now: () => time },
  )
})
