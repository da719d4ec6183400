import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/eventually.ts'
import { drop, type Node, startNode } from '../../../test/json-rpc-node.ts'
import { uintWord } from '../evm/abi-words.ts'
import { canAgree, quorumOf } from './quorum.ts'
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
  options: { readonly now?: () => number; readonly trustSingleEndpoint?: boolean } = {},
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
const callsTo = (node: Node | undefined): number =>
  node?.asked.filter(({ method }) => method === 'eth_call').length ?? 0

for (const [endpoints, trustSingleEndpoint, quorum, isEnough] of [
  [1, undefined, 2, false],
  [1, true, 1, true],
  [2, undefined, 2, true],
  [2, true, 2, true],
  [3, undefined, 2, true],
  [3, true, 2, true],
  [4, undefined, 3, true],
  [5, undefined, 3, true],
] as const)
  test(`of ${endpoints} endpoints ${quorum} must agree${trustSingleEndpoint === true ? ' where a single one is trusted' : ''}`, () => {
    const rpcUrls = Array.from({ length: endpoints }, (_, position) => `https://rpc${position}.example`)
    assert.equal(quorumOf({ rpcUrls, trustSingleEndpoint }), quorum)
    assert.equal(canAgree({ rpcUrls, trustSingleEndpoint }), isEnough)
  })

test('an endpoint named twice counts once', () => {
  assert.equal(canAgree({ rpcUrls: ['https://rpc.example', 'https://rpc.example'] }), false)
})

test('endpoints that say the same agree, and no more are asked than must', () =>
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
  'are one that is not trusted alone': [says(1)],
  'are four of which two pairs contradict each other': [says(1), says(1), says(2), says(2)],
}))
  test(`nothing is agreed on when the endpoints ${name}`, () =>
    withPool(settings, async ({ pool }) => {
      await assert.rejects(agree(pool), { code: 'NO_AGREEMENT' })
      assert.deepEqual(
        pool.disagreements(),
        settings.map(() => 0),
      )
    }))

test('a single endpoint decides where the operator trusts it', () =>
  withPool([says(1)], async ({ pool }) => assert.equal(await agree(pool), 1), { trustSingleEndpoint: true }))

for (const [fault, settings] of Object.entries({ 'drops connections': dropping, 'never answers': silent }))
  test(`an endpoint that ${fault} is replaced by the next in an agreement`, () =>
    withPool([settings, says(7), says(7)], async ({ pool }) => assert.equal(await agree(pool, 1_000), 7)))

test('too few endpoints that have reached something are NODE_BEHIND, not a contradiction', () =>
  withPool([says(7), behind], async ({ pool }) => {
    await assert.rejects(agree(pool), { code: 'NODE_BEHIND' })
    assert.deepEqual(pool.disagreements(), [0, 0])
  }))

test('an endpoint that contradicts the others is named once, counted each time, and preferred to none', () => {
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
      await until(() => pool.disagreements()[0] === 2)
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
      assert.deepEqual(pool.disagreements(), [2, 0, 0])
    },
    { now: () => time },
  )
})
