import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Keypair } from '@stellar/stellar-sdk'
import { openStellarWorld, pay, type StellarWorld, UNIT, USDC } from '../../../test/stellar-world.ts'
import { SETTLED_BLOCKS } from '../settled-blocks.ts'

let world: StellarWorld

before(async () => {
  world = await openStellarWorld()
})
after(() => world.close())

const settle = async (): Promise<void> => {
  for (let ledger = 0n; ledger <= SETTLED_BLOCKS; ledger += 1n) await world.closeLedger()
}

test('what an account was paid in the last ledgers does not count as held, and the rest does', async () => {
  const [holder, stranger] = [world.user(0), world.user(1)]
  const account = holder.publicKey()
  await settle()
  for (const [symbol, asset] of [
    ['XLM', undefined],
    ['USDC', USDC],
  ] as const) {
    const token = world.token(symbol)
    const held = (): Promise<bigint | undefined> => world.chain.heldBy(account, token)
    const before = await held()
    assert.ok(before !== undefined && before > UNIT)
    await world.submit(stranger, [pay(account, '0.0000001', asset), pay(account, '5', asset)])
    await world.closeLedger()
    assert.equal(await held(), before)
    await settle()
    assert.equal(await held(), before + 5n * UNIT + 1n)
  }
})

test('an account that has just paid holds what it has left', async () => {
  const [holder, stranger] = [world.user(2), world.user(3)]
  const token = world.token('USDC')
  await settle()
  const before = await world.chain.heldBy(holder.publicKey(), token)
  assert.ok(before !== undefined)
  await world.submit(holder, [pay(stranger.publicKey(), '1', USDC)])
  await world.closeLedger()
  assert.equal(await world.chain.heldBy(holder.publicKey(), token), before - UNIT)
})

test('a new account, and funds moved between accounts, count as held only after a while', async () => {
  const walker = Keypair.random().publicKey()
  world.node.faucet(world.token('XLM'), walker, 100n * UNIT)
  await world.closeLedger()
  assert.equal(await world.chain.heldBy(walker, world.token('XLM')), 0n)
  await settle()
  assert.equal(await world.chain.heldBy(walker, world.token('XLM')), 99n * UNIT)
})
