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

const bound = (value: unknown): number => (typeof value === 'string' ? Number(value) : 0)

/** Answers log queries with the log where its block is asked for. */
const telling = ({ method, params }: Request): object | undefined => {
  if (method !== 'eth_getLogs') return undefined
  const asked: Readonly<Record<string, unknown>> = Object(params[0])
  const isAsked =
    asked['blockHash'] === HIDDEN.blockHash ||
    (bound(asked['fromBlock']) <= MINED_AT && bound(asked['toBlock']) >= MINED_AT)
  return { result: isAsked ? [HIDDEN] : [] }
}

type Watching = {
  readonly nodes: readonly Node[]
  readonly final: readonly WatchedLog[]
  readonly events: readonly string[]
  /** Lets a minute pass, and then the watcher read on. */
  readonly passMinute: () => Promise<void>
  readonly grow: (blocks: number) => Promise<void>
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
    try {
      await work({ nodes, final, events, passMinute, grow })
    } finally {
      await watcher.stop()
    }
  })

const finalOf = (chain: EvmChain, nodes: readonly Node[]): bigint | undefined => {
  const newest = BigInt(nodes[0]?.blockNumber ?? 0)
  return chain.head()?.number === newest ? newest - 10n : undefined
}

test('a log that two of three endpoints hide at finality is handed over once they tell it', () =>
  watching([{}, {}, { answer: telling }], async ({ nodes, final, events, passMinute, grow }) => {
    await grow(10)
    assert.deepEqual(final, [])
    await until(async () => {
      await passMinute()
      return events.includes('log_not_handed_over')
    })
    assert.deepEqual(final, [])
    for (const node of nodes) node.answer = telling
    await until(async () => {
      await passMinute()
      return final.length > 0
    })
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
  watching([{}, { answer: telling }, {}], async ({ final, events, passMinute, grow }) => {
    await grow(10)
    await until(async () => {
      await passMinute()
      return events.includes('log_not_handed_over')
    })
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
