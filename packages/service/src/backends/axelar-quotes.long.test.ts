import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { getAddress, maxUint256 } from 'viem'
import {
  type BackendWorld,
  execute,
  offerFor,
  orderFor,
  quote,
  recordOf,
  startBackendWorld,
  user,
} from '../../test/backend-world.ts'
import { addressOf, backendOf, balance, follow, lookupOf, pairOf, until } from '../../test/follow-backend.ts'
import type { AssetPair } from '../core/order.ts'
import { refusedAccounts } from '../service/refused-accounts.ts'

let world: BackendWorld
before(async () => {
  world = await startBackendWorld()
})
after(() => world.stop())

test('warns of unreviewed tokens, lost dust and high losses, and states that nothing is refunded', async () => {
  const codesOf = async (type: string, symbol: RegExp, to: number, amount: bigint): Promise<unknown> => {
    const backend = backendOf(world, type)
    const { metadata } = await offerFor(backend, orderFor(pairOf(world, backend, symbol, 0, to), amount))
    assert.equal(metadata['priceImpactBps'], 0)
    assert.equal(Object(metadata['refund']).automatic, false)
    const warnings = metadata['warnings']
    assert.ok(Array.isArray(warnings))
    return warnings.map(({ code }) => code)
  }
  assert.deepEqual(await codesOf('its', /^HBR$/, 1, 10n ** 18n), [])
  assert.deepEqual(await codesOf('its', /^DRIFT$/, 1, 10n ** 18n), ['unverified_token', 'unverified_token'])
  assert.deepEqual(await codesOf('its', /^HBR$/, 2, 10n ** 18n + 1n), ['dust_lost'])
  assert.deepEqual(await codesOf('its', /^HBR$/, 2, 19n * 10n ** 11n), ['dust_lost', 'high_loss'])
})

test('a transfer of the maximum exhausts the limit, and leaves the opposite direction open', async () => {
  const backend = backendOf(world, 'its')
  const there = pairOf(world, backend, /^HBR$/, 1, 0)
  const back = pairOf(world, backend, /^HBR$/, 0, 1)
  const maximumOf = async (pair: AssetPair): Promise<bigint> => {
    const refused = await quote(backend, orderFor(pair, maxUint256))
    if (!('declined' in refused) || refused.declined !== 'out_of_range') return 0n
    return refused.maximum ?? maxUint256
  }
  const [most, mostBack] = [await maximumOf(there), await maximumOf(back)]
  const order = orderFor(there, most, { sender: user(6).address, recipient: addressOf(0xfee1) })
  const offer = await offerFor(backend, order)
  const record = recordOf(order, offer)
  const receipt = await execute(world, offer, user(6).privateKey)
  assert.equal(receipt.status, 'success')
  await until(
    () => quote(backend, orderFor(there, 1n)),
    (answer) => 'declined' in answer && answer.declined === 'unpriced',
  )
  await follow(backend, record, lookupOf(world, backend, record, receipt), 'delivered')
  assert.equal(await balance(world, there.to, addressOf(0xfee1)), most)
  assert.equal(await maximumOf(back), mostBack)
})

test('the token manager that a quote calls is rejected as sender and recipient', async () => {
  const backend = backendOf(world, 'its')
  const refused = refusedAccounts({ catalog: world.catalog, backends: world.backends })
  for (const symbol of [/^HBR$/, /^DRIFT$/]) {
    const pair = pairOf(world, backend, symbol, 0, 1)
    const { metadata } = await offerFor(backend, orderFor(pair, 10n ** 18n))
    const manager = getAddress(String(metadata['tokenManager']))
    assert.ok(refused.get(pair.from.chain.chainId)?.has(manager), manager)
  }
})
