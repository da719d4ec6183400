import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTokenChain } from '../../../test/anvil-token.ts'
import { type DeepNode, startDeepNode } from '../../../test/deep-node.ts'
import { eventually } from '../../../test/eventually.ts'
import { TRANSFER } from '../../../test/watched-token.ts'
import { createEvmChain } from './index.ts'
import type { LogProgress } from './log-progress.ts'
import { createLogWatcher } from './log-watcher.ts'

/** Blocks on top of a final one on Mantle, by Axelar's configuration. */
const FINALITY = 9_000
const REORG_DEPTH = 8_500
/** Calls to read one block of a branch: its header by number, its header by hash and its logs; and the head with each step. */
const CALLS_PER_BLOCK = 3.1
/** Calls to one new block with its final one, from a quorum of endpoints. */
const CALLS_PER_NEW_BLOCK = 60

const sumOf = ({ asked }: DeepNode): number => [...asked.values()].reduce((sum, count) => sum + count, 0)

type World = Awaited<ReturnType<typeof startTokenChain>>

/** Runs a watcher of the token over three names of a deep node, and collects what it tells of logs. */
const withDeepChain = async (
  chainId: number,
  work: (world: World & ReturnType<typeof watch> & { readonly node: DeepNode }) => Promise<void>,
): Promise<void> => {
  const world = await startTokenChain(chainId)
  const node = await startDeepNode(world.anvil.rpcUrl)
  const watched = watch(chainId, node, world.token)
  try {
    await work({ ...world, ...watched, node })
  } finally {
    await watched.watcher.stop()
    await watched.chain.stop()
    node.stop()
    await world.anvil.stop()
  }
}

const watch = (chainId: number, node: DeepNode, token: string) => {
  const told: string[] = []
  const events: string[] = []
  const log = (_level: string, event: string): void => void events.push(event)
  const chain = createEvmChain({
    chainId: `eip155:${chainId}`,
    rpcUrls: ['one', 'two', 'three'].map((name) => `${node.url}/?${name}`),
    finality: FINALITY,
    now: Date.now,
    log,
    timing: { pollMs: 20, staleMs: 60_000, observeMs: 20_000, asideMs: 10 },
  })
  const onProgress = async ({ kind, logs }: LogProgress): Promise<void> => {
    for (const { txHash } of logs) told.push(`${kind} ${txHash}`)
  }
  const reading = { addresses: [token], topics0: [TRANSFER], from: undefined, now: Date.now, log }
  const watcher = createLogWatcher({ ...reading, chain, onProgress })
  const start = async (): Promise<void> => {
    await chain.start()
    await watcher.start()
  }
  /** Waits until the watcher has read the chain up to the node's newest block. */
  const catchUp = async (): Promise<void> => {
    const { number } = await newestOf(node)
    await eventually(
      () => `block ${number} is read: ${events.slice(-5)}`,
      () =>
        chain.head()?.number === number &&
        watcher.finalBlock()?.number === finalUnder(number) &&
        watcher.isCurrent(),
    )
  }
  return { chain, watcher, told, events, start, catchUp }
}

const finalUnder = (head: bigint): bigint => head - BigInt(FINALITY)

const newestOf = async ({ url }: DeepNode): Promise<{ readonly number: bigint }> => {
  const request = { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(request) })
  return { number: BigInt(Object(await response.json()).result) }
}

test('a deposit under 8,999 blocks is not final on a chain whose blocks are final under 9,000, and under 9,000 it is', () =>
  withDeepChain(31_981, async ({ node, chain, told, start, catchUp, mintForReceipt }) => {
    const { transactionHash } = await mintForReceipt(1n)
    await node.bury(FINALITY - 1)
    await start()
    await catchUp()
    const startCalls = sumOf(node)
    assert.deepEqual(told, [`seen ${transactionHash}`])
    assert.equal((await chain.receipt(transactionHash))?.final, false)
    assert.ok(startCalls < FINALITY * CALLS_PER_BLOCK + 1_000, `${startCalls} calls`)
    const before = sumOf(node)
    node.grow(1)
    await catchUp()
    assert.ok(sumOf(node) - before < CALLS_PER_NEW_BLOCK, `${sumOf(node) - before} calls`)
    assert.deepEqual(told, [`seen ${transactionHash}`, `final ${transactionHash}`])
    assert.equal((await chain.receipt(transactionHash))?.final, true)
  }))

test('a reorg 8,500 blocks deep takes a deposit back, and it never is final', () =>
  withDeepChain(
    31_982,
    async ({ node, chain, told, events, start, catchUp, mintForReceipt, client, anvil }) => {
      // The chain is longer than it is until a block is final.
      await client.mine({ blocks: FINALITY - REORG_DEPTH + 10 })
      const { transactionHash } = await mintForReceipt(1n)
      await node.bury(REORG_DEPTH - 1)
      await start()
      await eventually('the deposit is seen', () => told.includes(`seen ${transactionHash}`))
      assert.equal((await chain.receipt(transactionHash))?.succeeded, true)
      const before = sumOf(node)
      await anvil.rpc('anvil_reorg', 1, [])
      await node.bury(REORG_DEPTH)
      await eventually('it is taken back', () => told.includes(`removed ${transactionHash}`))
      assert.equal(await chain.receipt(transactionHash), undefined)
      node.grow(FINALITY - REORG_DEPTH + 2)
      await catchUp()
      assert.deepEqual(told, [`seen ${transactionHash}`, `removed ${transactionHash}`])
      assert.ok(!events.includes('finality_violated'))
      assert.ok(sumOf(node) - before < FINALITY * (CALLS_PER_BLOCK + 1.1) + 1_000)
    },
  ))
