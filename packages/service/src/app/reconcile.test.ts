import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openOwnStore } from '../../test/outbox-world.ts'
import { createTestVault, passSeconds } from '../../test/test-vault.ts'
import { findDenied, reconcileVault } from './reconcile.ts'

let files: Awaited<ReturnType<typeof openOwnStore>>
before(async () => {
  files = await openOwnStore()
})
after(() => files.remove())

test('sums what a vault received and paid, also what the store does not know, and compares the balance', async () => {
  const world = createTestVault(files.store())
  const service = world.startService()
  await service.facts.round()
  const { orderId, muxedId } = await world.quote()
  world.origin.pay(world.deposit({ muxedId }))
  world.destination.pay(world.fill(orderId))
  await passSeconds(world, service, 20)
  world.origin.pay(world.deposit({ amount: 70n }))
  world.origin.pay({ from: 'treasury', to: 'vault', token: 'token', amount: 5n })
  world.origin.advance(3)
  const vault = {
    chain: world.origin.chain,
    vault: 'vault',
    treasury: ['treasury'],
    tokens: ['token', 'other'],
  }
  const [token, other] = await reconcileVault(vault, files.store())
  const expected = { chainId: world.origin.chain.chainId, vault: 'vault', token: 'token', received: 1_070n }
  assert.deepEqual(token, { ...expected, paid: 1_000n, balance: 75n, unknown: 1, isCovered: true })
  assert.deepEqual([other?.received, other?.balance, other?.isCovered], [0n, 0n, true])
  world.origin.lose('token', 6n)
  const [short] = await reconcileVault(vault, files.store())
  assert.deepEqual([short?.balance, short?.isCovered], [69n, false])
})

test('names payments that only the store has, and voids them when told to', async () => {
  const world = createTestVault(files.store())
  const service = world.startService()
  await service.facts.round()
  world.origin.pay(world.deposit({ amount: 50n }))
  world.origin.advance(3)
  const txHash = world.origin.invent(world.deposit({ amount: 5_000n }))
  await service.facts.round()
  world.origin.endInvention()
  const { chain } = world.origin
  const { chainId } = chain
  const vault = { chain, vault: 'vault', treasury: [], tokens: ['token'] }
  const invented = { chainId, txHash, position: 0, role: 'deposit', token: 'token', amount: 5_000n }
  assert.deepEqual(await findDenied(vault, files.store(), 'named'), [{ ...invented, isVoid: false }])
  const [short] = await reconcileVault(vault, files.store())
  assert.deepEqual([short?.received, short?.isCovered], [5_050n, false])
  assert.deepEqual(await findDenied(vault, files.store(), 'void'), [{ ...invented, isVoid: true }])
  assert.deepEqual(await findDenied(vault, files.store(), 'named'), [])
  const [covered] = await reconcileVault(vault, files.store())
  assert.deepEqual([covered?.received, covered?.isCovered], [50n, true])
})
