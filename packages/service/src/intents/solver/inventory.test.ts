import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryChain } from '../../../test/memory-chain.ts'
import { clockAt } from '../../../test/test-orders.ts'
import { assetKey, type SolverAsset, type SolverChain } from './assets.ts'
import { evmBalances } from './balance-source.ts'
import { Strategy } from './config.ts'
import { createInventory } from './inventory.ts'

const CHAIN = 'eip155:1'
const TOKEN = `0x${'22'.repeat(20)}`
const UNLIMITED = 2n ** 256n - 1n
const ASSET: SolverAsset = {
  ...{ key: assetKey(CHAIN, TOKEN), chainId: CHAIN, address: TOKEN, symbol: 'TKN' },
  ...{ isNative: false, isOnPaymentChain: false, price: undefined },
}

/** An inventory of one token, whose balance and allowance the test sets; an undefined allowance cannot be read in time. */
const open = (allowed: bigint | undefined) => {
  const state = { allowed, balance: 100n }
  const clock = clockAt(1_000_000)
  const chain: SolverChain = {
    chainId: CHAIN,
    evm: {
      ...memoryChain(CHAIN, [], { allowance: async () => state.allowed }),
      balances: async () => ({ blockNumber: 1n, amounts: [state.balance] }),
    },
    settler: `0x${'11'.repeat(20)}`,
    attestedSettler: undefined,
    axelarName: 'x',
    executeGasLimit: 0,
    nativeDecimals: 18,
  }
  const inventory = createInventory({
    sources: [evmBalances(chain, `0x${'33'.repeat(20)}`)],
    assets: [ASSET],
    strategy: Strategy.parse({}),
    now: clock.now,
    log: () => undefined,
  })
  const read = async (): Promise<void> => {
    await inventory.start()
    await inventory.stop()
  }
  return { state, clock, inventory, read }
}

test('an allowance that cannot be read in time stays as it was, so that it is not approved again', async () => {
  const { state, clock, inventory, read } = open(UNLIMITED)
  await read()
  state.allowed = undefined
  state.balance = 90n
  clock.set(clock.now() + 10_000)
  await read()
  assert.equal(inventory.isAllowed(ASSET, 1n << 128n, 'intent'), true)
  assert.equal(inventory.holding(ASSET)?.spendable, 90n)
  state.allowed = 0n
  await read()
  assert.equal(inventory.isAllowed(ASSET, 1n, 'intent'), false)
})

test('a holding whose allowance was never read is unknown: nothing is quoted and nothing approved', async () => {
  const { state, inventory, read } = open(undefined)
  await read()
  assert.equal(inventory.holding(ASSET), undefined)
  assert.equal(inventory.isAllowed(ASSET, 1n, 'intent'), false)
  state.allowed = 0n
  await read()
  assert.equal(inventory.holding(ASSET)?.spendable, 100n)
})
