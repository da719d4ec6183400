import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EvmFoundLog, EvmHead, EvmLogQuery } from './evm-chain.ts'
import { createRecentLogs } from './recent-logs.ts'

const headAt = (number: bigint, depth = 100n): EvmHead => ({
  number,
  hash: `0x${number}`,
  timestampSeconds: 0,
  finalNumber: number - depth,
  maxFeePerGas: 0n,
  maxPriorityFeePerGas: 0n,
  readAt: 0,
})

/** A chain with the given blocks' logs, and what it costs to search it. */
const worldAt = (number: bigint | undefined) => {
  const ranges: string[] = []
  const blocks = new Set<bigint>()
  let head = number === undefined ? undefined : headAt(number)
  let time = 0
  const findLogs = async ({ fromBlock, toBlock }: EvmLogQuery): Promise<readonly EvmFoundLog[]> => {
    ranges.push(`${fromBlock}-${toBlock}`)
    return [...blocks]
      .filter((block) => block >= fromBlock && block <= toBlock)
      .map((blockNumber) => ({ address: '0x01', topics: [], data: '0x', txHash: '0x03', blockNumber }))
  }
  const recent = createRecentLogs({ chainId: 'eip155:1', head: () => head, findLogs, now: () => time })
  return {
    look: async (topic = '0x02') =>
      (await recent({ address: '0x01', topics: [topic] })).map(({ blockNumber }) => blockNumber),
    ranges: () => ranges.splice(0),
    blocks,
    moveTo: (next: bigint, depth?: bigint) => {
      head = headAt(next, depth)
    },
    wait: (ms: number) => {
      time += ms
    },
  }
}

test('final blocks are searched once, the blocks since at every look', async () => {
  const { look, ranges, blocks, moveTo } = worldAt(50_000n)
  blocks.add(40_000n)
  assert.deepEqual(await look(), [40_000n])
  moveTo(50_010n)
  blocks.add(50_005n)
  assert.deepEqual(await look(), [40_000n, 50_005n])
  moveTo(50_200n)
  assert.deepEqual(await look(), [40_000n, 50_005n])
  moveTo(50_201n)
  assert.deepEqual(await look(), [40_000n, 50_005n])
  assert.deepEqual(ranges(), ['30001-50000', '49901-50010', '49911-50200', '50101-50201'])
})

test('a log that a reorganisation moves or removes is found where it is', async () => {
  const { look, blocks, moveTo } = worldAt(50_000n)
  blocks.add(49_990n)
  assert.deepEqual(await look(), [49_990n])
  blocks.clear()
  blocks.add(49_905n)
  moveTo(50_001n)
  assert.deepEqual(await look(), [49_905n])
})

test('all is searched again after ten minutes, for another query, and when the head goes back', async () => {
  const { look, ranges, blocks, wait, moveTo } = worldAt(50_000n)
  await look()
  wait(590_000)
  await look()
  // The first endpoint had left this one out.
  blocks.add(45_000n)
  await look('0x04')
  assert.deepEqual(ranges(), ['30001-50000', '49901-50000', '30001-50000'])
  wait(20_000)
  assert.deepEqual(await look(), [45_000n])
  moveTo(49_800n)
  assert.deepEqual(await look(), [45_000n])
  assert.deepEqual(ranges(), ['30001-50000', '49800-49800'])
})

test('a chain younger than the search, and one without a head', async () => {
  const { look, ranges } = worldAt(150n)
  await look()
  assert.deepEqual(ranges(), ['0-150'])
  await assert.rejects(worldAt(undefined).look(), { code: 'NO_HEAD' })
})

test('looks beside each other find the same, and none twice', async () => {
  const { look, blocks, moveTo } = worldAt(50_000n)
  blocks.add(40_000n)
  assert.deepEqual(await Promise.all([look(), look()]), [[40_000n], [40_000n]])
  moveTo(50_100n)
  assert.deepEqual(await Promise.all([look(), look()]), [[40_000n], [40_000n]])
})
