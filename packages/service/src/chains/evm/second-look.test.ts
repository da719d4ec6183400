import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/eventually.ts'
import { hashOf, type Node, quantity, type Request, withNodes } from '../../../test/json-rpc-node.ts'
import type { EvmChain, WatchedLog } from './evm-chain.ts'
import { createLogWatcher } from './log-watcher.ts'

const SETTLER = `0x${'a'.repeat(40)}`
const TOPIC = `0x${'2'.repeat(64)}`
const MINED_AT = 95
const HIDDEN = {
  address: SETTLER,
  topics: [TOPIC],
  data: '0x07',
  logIndex: '0x0',
  transactionHash: `0x${'1'.repeat(64)}`,
  blockNumber: quantity(MINED_AT),
  blockHash: hashOf(MINED_AT),
}
/** Made-up logs of one block. */
const madeUpAt = (number: number): readonly object[] =>
  Array.from({ length: 100 }, (_, index) => ({
    ...HIDDEN,
    logIndex: quantity(index + 1),
    blockNumber: quantity(number),
    blockHash: hashOf(number),
  }))

const bound = (value: unknown): number => (typeof value === 'string' ? Number(value) : 0)

const isAboutBlock = ({ params }: Request): boolean => {
  const asked: Readonly<Record<string, unknown>> = Object(params[0])
  return (
    asked['blockHash'] === HIDDEN.blockHash ||
    (bound(asked['fromBlock']) <= MINED_AT && bound(asked['toBlock']) >= MINED_AT)
  )
}

/** Answers log queries with the log where its block is asked for. */
const telling = (request: Request): object | undefined => {
  if (request.method !== 'eth_getLogs') return undefined
  return { result: isAboutBlock(request) ? [HIDDEN] : [] }
}

/** Tells made-up logs of a block: where it is the hidden log's, only if it is asked for. */
const makingUp =
  (number: number) =>
  (request: Request): object | undefined =>
    request.method === 'eth_getLogs' && (number !== MINED_AT || isAboutBlock(request))
      ? { result: madeUpAt(number) }
      : undefined

/** Refuses log queries where the log's block is asked for. */
const refusing = (request: Request): object | undefined =>
  request.method === 'eth_getLogs' && isAboutBlock(request)
    ? { error: { code: -32_000, message: 'try later' } }
    : undefined

type Watching = {
  readonly nodes: readonly Node[]
  readonly final: readonly WatchedLog[]
  readonly events: readonly string[]
  /** Lets a minute pass, and then the watcher read on. */
  readonly passMinute: () => Promise<void>
  readonly passDay: () => void
  readonly grow: (blocks: number) => Promise<void>
  /** Lets minutes pass until the condition holds. */
  readonly passUntil: (condition: () => boolean) => Promise<void>
}

const watching = (settings: readonly Partial<Node>[], work: (watching: Watching) => Promise<void>) =>
  withNodes(settings, async ({ chain, nodes }) => {
    const final: WatchedLog[] = []
    const events: string[] = []
    let passedMs = 0
    const watcher = createLogWatcher({
      chain,
      addresses: [SETTLER],
      topics0: [TOPIC],
      from: undefined,
      now: () => passedMs,
      log: (_level, event) => events.push(event),
      onProgress: async ({ kind, logs }) => {
        if (kind === 'final') final.push(...logs)
      },
    })
    await watcher.start()
    const grow = async (blocks: number): Promise<void> => {
      for (const node of nodes) node.blockNumber += blocks
      await until(() => watcher.finalBlock()?.number === finalOf(chain, nodes))
    }
    const passMinute = async (): Promise<void> => {
      passedMs += 60_000
      await grow(1)
    }
    const passDay = (): void => {
      passedMs += 24 * 3_600_000
    }
    const passUntil = async (condition: () => boolean): Promise<void> => {
      await until(async () => {
        await passMinute()
        return condition()
      })
    }
    try {
      await work({ nodes, final, events, passMinute, passDay, grow, passUntil })
    } finally {
      await watcher.stop()
    }
  })

const finalOf = (chain: EvmChain, nodes: readonly Node[]): bigint | undefined => {
  const newest = BigInt(nodes[0]?.blockNumber ?? 0)
  return chain.head()?.number === newest ? newest - 10n : undefined
}

test('a log that two of three endpoints hide at finality is handed over once they tell it', () =>
  watching([{}, {}, { answer: telling }], async ({ nodes, final, events, passMinute, grow, passUntil }) => {
    await grow(10)
    assert.deepEqual(final, [])
    await passUntil(() => events.includes('log_not_handed_over'))
    assert.deepEqual(final, [])
    for (const node of nodes) node.answer = telling
    await passUntil(() => final.length > 0)
    assert.deepEqual(
      final.map(({ txHash, blockNumber, timestampSeconds }) => [txHash, blockNumber, timestampSeconds]),
      [[HIDDEN.transactionHash, 95n, 100]],
    )
    await passMinute()
    await passMinute()
    assert.equal(final.length, 1)
    assert.equal(events.filter((event) => event === 'log_not_handed_over').length, 1)
    assert.equal(events.filter((event) => event === 'log_handed_over_late').length, 1)
  }))

test('a log that one endpoint makes up is never handed over', () =>
  watching([{}, { answer: telling }, {}], async ({ final, events, passMinute, grow, passUntil }) => {
    await grow(10)
    await passUntil(() => events.includes('log_not_handed_over'))
    for (let minute = 0; minute < 3; minute += 1) await passMinute()
    assert.deepEqual(final, [])
  }))

test('a log that was handed over is not doubted', () =>
  watching(
    [{ answer: telling }, { answer: telling }, { answer: telling }],
    async ({ final, events, passMinute, grow }) => {
      await grow(10)
      assert.equal(final.length, 1)
      for (let minute = 0; minute < 3; minute += 1) await passMinute()
      assert.equal(final.length, 1)
      assert.ok(!events.includes('log_not_handed_over'))
    },
  ))

const count = (events: readonly string[], event: string): number =>
  events.filter((one) => one === event).length

/** How often the looks have asked a node for the logs of the block. */
const looksAt = (node: Node | undefined): number =>
  (node?.asked ?? []).filter((request) => request.method === 'eth_getLogs' && isAboutBlock(request)).length

for (const [what, number, doubted] of [
  ['of blocks that were not asked for', 1_000_000_000, 1],
  ['of a block that was', MINED_AT, 31],
] as const)
  test(`one endpoint that makes up many logs ${what} does not keep a hidden log from being found`, () =>
    watching(
      [{}, {}, {}, { answer: telling }, { answer: makingUp(number) }],
      async ({ nodes, final, events, grow, passUntil }) => {
        await grow(10)
        await passUntil(() => count(events, 'log_not_handed_over') === doubted)
        assert.deepEqual(final, [])
        for (const node of nodes.slice(0, 3)) node.answer = telling
        await passUntil(() => final.length > 0)
        assert.deepEqual(
          final.map(({ position }) => position),
          [0],
        )
        assert.equal(count(events, 'log_not_handed_over'), doubted)
      },
    ))

test('made-up logs are forgotten after a day, also while no quorum can be read', () =>
  watching([{}, {}, { answer: makingUp(MINED_AT) }], async ({ nodes, events, passDay, grow, passUntil }) => {
    await grow(10)
    for (const node of nodes.slice(0, 2)) node.answer = refusing
    await passUntil(() => {
      passDay()
      return count(events, 'log_not_handed_over') > 100
    })
  }))

test('an endpoint that could not be read tells a hidden log later', () =>
  watching([{}, {}, { answer: refusing }], async ({ nodes, final, events, passMinute, grow, passUntil }) => {
    await grow(10)
    const before = looksAt(nodes[0])
    await passUntil(() => looksAt(nodes[0]) > before)
    for (let minute = 0; minute < 3; minute += 1) await passMinute()
    for (const node of nodes.slice(2)) node.answer = telling
    await passUntil(() => events.includes('log_not_handed_over'))
    for (const node of nodes) node.answer = telling
    await passUntil(() => final.length > 0)
    assert.equal(final.length, 1)
  }))

/** Tells the log, but answers queries of 100 blocks at most. */
const tellingLittle = (request: Request): object | undefined => {
  const asked: Readonly<Record<string, unknown>> = Object(request.params[0])
  return request.method === 'eth_getLogs' && bound(asked['toBlock']) - bound(asked['fromBlock']) >= 100
    ? { error: { code: -32_005, message: 'range too large' } }
    : telling(request)
}

for (const [what, answer] of [
  ['', telling],
  [' by an endpoint that answers short ranges only', tellingLittle],
] as const)
  test(`a log that was hidden while the watcher caught up thousands of blocks is found${what}`, () =>
    watching([{}, {}, { answer }], async ({ events, grow, passUntil }) => {
      await grow(3_000)
      await passUntil(() => events.includes('log_not_handed_over'))
    }))

test('a log is not handed over again after looks that no endpoint answered', () =>
  watching(
    [{ answer: telling }, { answer: telling }, { answer: telling }],
    async ({ nodes, final, events, passMinute, grow, passUntil }) => {
      await grow(10)
      assert.equal(final.length, 1)
      for (const node of nodes) node.answer = refusing
      const before = looksAt(nodes[0])
      await passUntil(() => looksAt(nodes[0]) > before + 1)
      for (const node of nodes) node.answer = telling
      const later = looksAt(nodes[0])
      await passUntil(() => looksAt(nodes[0]) > later)
      for (let minute = 0; minute < 3; minute += 1) await passMinute()
      assert.equal(final.length, 1)
      assert.ok(!events.includes('log_not_handed_over'))
    },
  ))

test('a log that was handed over late is not handed over again when another endpoint tells it later', () =>
  watching(
    [{}, {}, {}, { answer: telling }, { answer: refusing }],
    async ({ nodes, final, events, passMinute, grow, passUntil }) => {
      await grow(10)
      await passUntil(() => events.includes('log_not_handed_over'))
      for (const node of nodes.slice(0, 3)) node.answer = telling
      await passUntil(() => final.length > 0)
      for (const node of nodes) node.answer = telling
      const before = looksAt(nodes[4])
      await passUntil(() => looksAt(nodes[4]) > before)
      for (let minute = 0; minute < 3; minute += 1) await passMinute()
      assert.equal(final.length, 1)
      assert.equal(count(events, 'log_not_handed_over'), 1)
    },
  ))
