import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SPENDER, startTokenChain } from '../../../test/anvil-token.ts'
import { EVM_NATIVE_TOKEN } from './address.ts'
import { createEvmChain } from './index.ts'

let world: Awaited<ReturnType<typeof startTokenChain>>
before(async () => {
  world = await startTokenChain(31_998)
})
after(() => world.anvil.stop())

test('balances are at least as new as the returned block', async () => {
  const { blockNumber: mintedAt } = await world.mintForReceipt(7n)
  await world.client.setBalance({ address: SPENDER, value: 5n })
  const chain = createEvmChain({
    chainId: 'eip155:31998',
    rpcUrls: [world.anvil.rpcUrl],
    finality: 1,
    now: Date.now,
    log: () => undefined,
  })
  try {
    const tokens = [EVM_NATIVE_TOKEN, world.token, SPENDER]
    const { blockNumber, amounts } = await chain.balances(SPENDER, tokens)
    assert.ok(blockNumber >= mintedAt)
    assert.deepEqual(amounts, [5n, 7n, undefined])
  } finally {
    await chain.stop()
  }
})
