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
  const found = (await history(4_901n, 'client')).map(({ blockNumber }) => blockNumber)
  assert.deepEqual(found, [5_000n, 5_100n, 5_200n])
})

test('reads final blocks once for all callers, the others once per head, and nothing unasked', async () => {
  const { history, ranges, moveTo } = worldAt(5_250n)
  await Promise.all([history(3_500n, 'client'), history(4_100n, 'client'), history(5_240n, 'client')])
  assert.deepEqual(ranges(), ['3000-3999', '4000-4999', '5000-5250'])
  moveTo(5_260n)
  await Promise.all([history(3_500n, 'client'), history(4_100n, 'client')])
  assert.deepEqual(ranges(), ['5000-5260'])
})

test('reads 20,000 blocks at most', async () => {
  const { history, ranges } = worldAt(10_000_000n)
  await history(1_000n, 'client')
  assert.deepEqual([ranges().length, ranges().length], [20, 0])
  await assert.rejects(worldAt(undefined).history(1n, 'client'), { code: 'NO_HEAD' })
})

test('a client that asks for ever older blocks leaves the others their share of the reads', async () => {
  const { history, ranges, wait } = worldAt(10_000_000n)
  const ask = async (client: string, first: bigint): Promise<string> => {
    const asked = await Promise.allSettled([history(first, client)])
    return asked[0].status === 'fulfilled' ? 'found' : asked[0].reason.code
  }
  const greedy = ['a', 'b', 'c', 'd', 'e']
  for (let round = 0n; round < 20n; round += 1n)
    for (const [index, client] of greedy.entries())
      await ask(client, (BigInt(index) + 1n) * 1_000_000n + round * 20_000n)
  assert.ok(ranges().length < 120, 'more pages were read than an endpoint bears')
  assert.equal(await ask('a', 9_000_000n), 'TOO_MUCH')
  assert.equal(await ask('honest', 9_998_000n), 'found')
  wait(30_000)
  assert.equal(await ask('a', 9_000_000n), 'found')
})

test('the blocks up to the head are read for every client', async () => {
  const { history, ranges } = worldAt(10_000_000n)
  for (let first = 0n; first < 1_000n; first += 20n)
    await Promise.allSettled([history(first * 1_000n, `client ${first}`)])
  ranges()
  await history(9_999_950n, 'client 1')
  assert.deepEqual(ranges(), ['9999000-10000000'])
})
