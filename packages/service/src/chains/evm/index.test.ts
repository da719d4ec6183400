import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { maxUint256, parseGwei, toEventSelector, toFunctionSelector } from 'viem'
import { SPENDER, startTokenChain } from '../../../test/anvil-token.ts'
import { eventually } from '../../../test/eventually.ts'
import { uintWord } from './abi-words.ts'
import type { EvmChain, EvmHead } from './evm-chain.ts'
import { createEvmChain } from './index.ts'

const CHAIN_ID = 31_999
const TRANSFER = toEventSelector('Transfer(address,address,uint256)')

let world: Awaited<ReturnType<typeof startTokenChain>>

before(async () => {
  world = await startTokenChain(CHAIN_ID)
})
after(() => world.anvil.stop())

beforeEach(async () => {
  await world.client.mine({ blocks: 3 })
})

/** Runs `work` on a started chain and always stops the chain. */
const onChain = async (
  work: (chain: EvmChain) => Promise<void>,
  finality: 'finalized' | number = 1,
): Promise<void> => {
  const chain = createEvmChain({
    chainId: `eip155:${CHAIN_ID}`,
    rpcUrls: [world.anvil.rpcUrl],
    finality,
    now: Date.now,
    log: () => undefined,
    timing: { pollMs: 20, readMs: 60_000, observeMs: 60_000, allowanceMs: 60_000 },
  })
  try {
    await chain.start()
    await work(chain)
  } finally {
    await chain.stop()
  }
}

const headWhere = async (chain: EvmChain, isWanted: (head: EvmHead) => boolean): Promise<EvmHead> => {
  return eventually(
    'the head comes',
    () => {
      const head = chain.head()
      return head !== undefined && isWanted(head) && head
    },
    20,
  )
}

const headAt = async (chain: EvmChain): Promise<EvmHead> => {
  const { number } = await world.client.getBlock()
  return headWhere(chain, (head) => head.number >= number)
}

test('the head is the newest block, with fees that follow EIP-1559', () =>
  onChain(async (chain) => {
    const block = await world.client.getBlock()
    const head = chain.head()
    assert.ok(head !== undefined)
    assert.equal(head.number, block.number)
    assert.equal(head.hash, block.hash)
    assert.equal(head.timestampSeconds, Number(block.timestamp))
    const tip = await world.client.estimateMaxPriorityFeePerGas()
    assert.equal(head.maxPriorityFeePerGas, tip)
    assert.equal(head.maxFeePerGas, (block.baseFeePerGas ?? 0n) * 2n + tip)
    assert.ok(head.maxFeePerGas < parseGwei('100'))
  }))

test('listeners are called once per new head until they unsubscribe', () =>
  onChain(async (chain) => {
    const heard: bigint[] = []
    const unsubscribe = chain.onHead((head) => heard.push(head.number))
    const first = await headAt(chain)
    await world.client.mine({ blocks: 1 })
    await headWhere(chain, (head) => head.number === first.number + 1n)
    await sleep(100)
    unsubscribe()
    await world.client.mine({ blocks: 1 })
    await headWhere(chain, (head) => head.number === first.number + 2n)
    assert.deepEqual(heard, [first.number + 1n])
  }))

test('a block is final under the configured number of confirmations', () =>
  onChain(async (chain) => {
    const { blockNumber } = await world.mintForReceipt(1n)
    assert.equal((await headAt(chain)).finalNumber, blockNumber - 2n)
    await world.client.mine({ blocks: 2 })
    assert.equal((await headAt(chain)).finalNumber, blockNumber)
  }, 2))

test("with `finalized` the final block is the node's tag", () =>
  onChain(async (chain) => {
    const head = await headAt(chain)
    const finalized = await world.client.getBlock({ blockTag: 'finalized' })
    assert.equal(head.finalNumber, finalized.number)
    assert.ok(head.finalNumber < head.number)
  }, 'finalized'))

test('callMany returns results in order, undefined for reverted calls', () =>
  onChain(async (chain) => {
    await world.mint(5n)
    const balanceOf = `${toFunctionSelector('balanceOf(address)')}${uintWord(BigInt(SPENDER))}`
    const decimals = toFunctionSelector('decimals()')
    const calls = [
      { to: world.token, data: decimals },
      { to: world.token, data: '0xdeadbeef' },
      { to: SPENDER, data: decimals },
      ...Array.from({ length: 120 }, () => ({ to: world.token, data: balanceOf })),
    ]
    const answers = await chain.callMany(calls)
    const balance = await world.balance()
    assert.deepEqual(answers.slice(0, 3), [`0x${uintWord(6n)}`, undefined, '0x'])
    assert.deepEqual(answers.slice(3), Array(120).fill(`0x${uintWord(balance)}`))
    assert.deepEqual(await chain.callMany([]), [])
  }))

test("the allowance equals the token's and is read again per head", () =>
  onChain(async (chain) => {
    await world.approve(7n)
    await headAt(chain)
    assert.equal(await chain.allowance(world.token, world.owner, SPENDER), 7n)
    await world.approve(maxUint256)
    await headAt(chain)
    assert.equal(await chain.allowance(world.token, world.owner, SPENDER), maxUint256)
    assert.equal(await chain.allowance(world.token, SPENDER, world.owner), 0n)
    assert.equal(await chain.allowance(SPENDER, world.owner, SPENDER), undefined)
  }))

test('a receipt contains the transaction, its block and its logs', () =>
  onChain(async (chain) => {
    const expected = await world.mintForReceipt(9n)
    const transaction = await world.client.getTransaction({ hash: expected.transactionHash })
    const block = await world.client.getBlock({ blockNumber: expected.blockNumber })
    await headAt(chain)
    const receipt = await chain.receipt(expected.transactionHash.toUpperCase().replace('0X', '0x'))
    assert.deepEqual(receipt, {
      txHash: expected.transactionHash,
      blockNumber: expected.blockNumber,
      blockHash: expected.blockHash,
      timestampSeconds: Number(block.timestamp),
      succeeded: true,
      from: world.owner.toLowerCase(),
      to: world.token.toLowerCase(),
      input: transaction.input,
      value: 0n,
      logs: [
        {
          address: world.token.toLowerCase(),
          topics: [TRANSFER, `0x${uintWord(0n)}`, `0x${uintWord(BigInt(SPENDER))}`],
          data: `0x${uintWord(9n)}`,
        },
      ],
      firstLogIndex: expected.logs[0]?.logIndex,
      final: false,
    })
    await world.client.mine({ blocks: 1 })
    await headAt(chain)
    assert.equal((await chain.receipt(expected.transactionHash))?.final, true)
  }))

test('the receipt of a reverted transaction reports the revert', () =>
  onChain(async (chain) => {
    const hash = await world.fail()
    const receipt = await chain.receipt(hash)
    assert.equal(receipt?.succeeded, false)
    assert.deepEqual(receipt?.logs, [])
  }))

test('an unknown transaction has no receipt, and a malformed hash throws', () =>
  onChain(async (chain) => {
    assert.equal(await chain.receipt(`0x${'0'.repeat(64)}`), undefined)
    await assert.rejects(chain.receipt('0x12'), RangeError)
  }))

test("after a reorg the head is the new branch's and the receipt is gone", () =>
  onChain(async (chain) => {
    const mined = await world.mintForReceipt(3n)
    await world.client.mine({ blocks: 2 })
    const old = await headAt(chain)
    assert.notEqual(await chain.receipt(mined.transactionHash), undefined)
    await world.anvil.rpc('anvil_reorg', 4, [])
    // A read in the middle of the reorg finds a shorter branch.
    const head = await headWhere(chain, ({ hash, number }) => hash !== old.hash && number === old.number)
    assert.equal(head.hash, (await world.client.getBlock()).hash)
    assert.equal(await chain.receipt(mined.transactionHash), undefined)
  }, 10))

test('a chain that was rolled back is followed from its next block', () =>
  onChain(async (chain) => {
    for (let mined = 0; mined < 3; mined += 1) {
      await world.client.mine({ blocks: 1 })
      await headAt(chain)
    }
    const old = await headAt(chain)
    await world.anvil.rpc('anvil_rollback', 3)
    await world.client.mine({ blocks: 1 })
    const head = await headWhere(chain, ({ number }) => number < old.number)
    assert.equal(head.number, old.number - 2n)
  }))

test('finds the logs of a contract by their topics in a range of blocks', () =>
  onChain(async (chain) => {
    const first = await world.mintForReceipt(21n)
    const second = await world.mintForReceipt(22n)
    await world.approve(1n)
    const query = {
      address: world.token,
      topics: [TRANSFER, null],
      fromBlock: first.blockNumber,
      toBlock: second.blockNumber + 1n,
    }
    const found = await chain.findLogs(query)
    assert.deepEqual(
      found.map(({ txHash, blockNumber, data }) => ({ txHash, blockNumber, data })),
      [first, second].map(({ transactionHash, blockNumber }, position) => ({
        txHash: transactionHash,
        blockNumber,
        data: `0x${uintWord(BigInt(21 + position))}`,
      })),
    )
    assert.deepEqual(await chain.findLogs({ ...query, topics: [`0x${'9'.repeat(64)}`] }), [])
    await assert.rejects(chain.findLogs({ ...query, toBlock: second.blockNumber + 1_000_000n }), RangeError)
    await assert.rejects(chain.findLogs({ ...query, toBlock: second.blockNumber + 500n }), {
      code: 'NODE_BEHIND',
    })
  }))
