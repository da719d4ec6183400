import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEventHistory } from './event-history.ts'
import type { EvmHead, EvmLogQuery } from './evm-chain.ts'

const QUERY = { address: '0x01', topics: ['0x02'] }
const headAt = (number: bigint): EvmHead => ({
  number,
  hash: `0x${number}`,
  timestampSeconds: 0,
  finalNumber: number - 100n,
  maxFeePerGas: 0n,
  maxPriorityFeePerGas: 0n,
  readAt: 0,
})

/** A chain with one log in every hundredth block, and the ranges read from it. */
const worldAt = (number: bigint | undefined) => {
  const ranges: string[] = []
  let head = number === undefined ? undefined : headAt(number)
  let time = 0
  const findLogs = async ({ fromBlock, toBlock }: EvmLogQuery) => {
    ranges.push(`${fromBlock}-${toBlock}`)
    const first = (fromBlock + 99n) / 100n
    return Array.from({ length: Math.max(0, Number(toBlock / 100n - first) + 1) }, (_, index) => ({
      address: '0x01',
      topics: ['0x02'],
      data: '0x',
      txHash: '0x03',
      blockNumber: (first + BigInt(index)) * 100n,
    }))
  }
  const history = createEventHistory({
    chain: { head: () => head, findLogs },
    query: QUERY,
    now: () => time,
  })
  return {
    history,
    ranges: () => ranges.splice(0),
    moveTo: (next: bigint) => {
      head = headAt(next)
    },
    wait: (ms: number) => {
      time += ms
    },
  }
}

test('finds the logs from a block to the head', async () => {
  const { history } = worldAt(5_250n)
  const found = (await history(4_901n)).map(({ blockNumber }) => blockNumber)
  assert.deepEqual(found, [5_000n, 5_100n, 5_200n])
})

test('reads final blocks once for all callers, the others once per head, and nothing unasked', async () => {
  const { history, ranges, moveTo } = worldAt(5_250n)
  await Promise.all([history(3_500n), history(4_100n), history(5_240n)])
  assert.deepEqual(ranges(), ['3000-3999', '4000-4999', '5000-5250'])
  moveTo(5_260n)
  await Promise.all([history(3_500n), history(4_100n)])
  assert.deepEqual(ranges(), ['5000-5260'])
})

test('reads 20,000 blocks at most, and no more pages than an endpoint bears', async () => {
  const { history, ranges, wait } = worldAt(10_000_000n)
  await history(1_000n)
  assert.deepEqual([ranges().length, ranges().length], [20, 0])
  await history(1_000_000n)
  await history(2_000_000n)
  await assert.rejects(history(3_000_000n), { code: 'TOO_MUCH' })
  wait(5_000)
  await history(3_000_000n)
  await assert.rejects(worldAt(undefined).history(1n), { code: 'NO_HEAD' })
})
