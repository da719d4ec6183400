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
} from '../../../test/backend-world.ts'
import {
  addressOf,
  backendOf,
  balance,
  follow,
  lookupOf,
  pairOf,
  until,
} from '../../../test/follow-backend.ts'
import { assetIn, fund, linkAgain, MANAGERS, withTokens } from '../../../test/linked-again.ts'
import type { AssetPair } from '../../core/order.ts'
import { refusedAccounts } from '../../service/refused-accounts.ts'

const WHOLE = 10n ** 18n
/** What the second id's manager on the other chain can pay out. */
const FUNDED = 7n * WHOLE

let world: BackendWorld
/** The same chains with the second id in the network file. */
let doubled: BackendWorld
let secondId: string

/** HBR from the first chain to HBR, by the id that both have had, and to DRIFT on the second, by the new one. */
let byFirst: AssetPair
let bySecond: AssetPair
let back: AssetPair

before(async () => {
  world = await startBackendWorld()
  const known = backendOf(world, 'its')
  const { from } = pairOf(world, known, /^HBR$/, 0, 1)
  const { to } = pairOf(world, known, /^DRIFT$/, 0, 1)
  const sideOf = ({ chain, token }: AssetPair['from']) => ({
    chain,
    contract: token.address,
    manager: MANAGERS.lockUnlock,
  })
  const linked = await linkAgain(world, 'a second id', { from: sideOf(from), to: sideOf(to) })
  await fund(world, to, linked.manager, FUNDED)
  secondId = linked.tokenId
  doubled = await withTokens(world, (token) =>
    [from, to].some((side) => side.chain.chainId === token.chainId && side.token.symbol === token.symbol)
      ? { ...token, its: { ...token.its, otherTokenIds: [secondId] } }
      : token,
  )
  byFirst = pairOf(doubled, backendOf(doubled, 'its'), /^HBR$/, 0, 1)
  bySecond = { from: assetIn(doubled, from), to: assetIn(doubled, to) }
  back = { from: bySecond.to, to: bySecond.from }
})
after(async () => {
  await doubled?.stop()
  await world.stop()
})

const maximumOf = async (pair: AssetPair): Promise<bigint | null> => {
  const answer = await until(
    () => quote(backendOf(doubled, 'its'), orderFor(pair, maxUint256)),
    (one) => 'declined' in one && one.declined !== 'unpriced',
  )
  assert.ok('declined' in answer && answer.declined === 'out_of_range')
  return answer.maximum
}

test('a pair is quoted by the id that both tokens have, with the manager and the limits of that id', async () => {
  const backend = backendOf(doubled, 'its')
  const [first, second] = [
    await offerFor(backend, orderFor(byFirst, WHOLE)),
    await offerFor(backend, orderFor(bySecond, WHOLE)),
  ]
  assert.equal(second.tracking['tokenId'], secondId)
  assert.equal(second.binding['tokenId'], secondId)
  assert.notEqual(first.tracking['tokenId'], secondId)
  assert.notEqual(first.metadata['tokenManager'], second.metadata['tokenManager'])
  assert.equal(await maximumOf(bySecond), FUNDED)
  assert.notEqual(await maximumOf(byFirst), FUNDED)
  const refused = refusedAccounts(doubled)
  for (const { metadata } of [first, second])
    assert.ok(refused.get(byFirst.from.chain.chainId)?.has(getAddress(String(metadata['tokenManager']))))
})

test('tokens without a common id are no pair', () => {
  const backend = backendOf(doubled, 'its')
  const drift = pairOf(doubled, backend, /^DRIFT$/, 0, 1)
  assert.deepEqual(backend.routes({ from: drift.from, to: byFirst.to }), [])
  assert.equal(backend.routes(drift).length, 1)
})

test('a transfer by the second id is delivered, and is that of no quote by the first', async () => {
  const backend = backendOf(doubled, 'its')
  const recipient = addressOf(0xd0b1e)
  const parties = { sender: user(6).address, recipient }
  const order = orderFor(bySecond, 2n * WHOLE, parties)
  const offer = await offerFor(backend, order)
  const record = recordOf(order, offer)
  const lie = orderFor(byFirst, 2n * WHOLE, parties)
  const other = recordOf(lie, await offerFor(backend, lie))
  const receipt = await execute(doubled, offer, user(6).privateKey)
  assert.equal(receipt.status, 'success')
  const lookup = lookupOf(doubled, backend, record, receipt)
  await follow(backend, record, lookup, 'delivered')
  assert.equal(await balance(doubled, bySecond.to, recipient), 2n * WHOLE)
  assert.equal(await balance(doubled, byFirst.to, recipient), 0n)
  const { seen } = await backend.track(other, lookup)
  assert.ok(!['in_flight', 'delivered', 'failed'].includes(seen), seen)
  const stale = await until(
    () => maximumOf(bySecond),
    (most) => most !== FUNDED,
  )
  assert.equal(stale, FUNDED - 2n * WHOLE)
})

test('what one id locked can be sent back by that id alone', async () => {
  const backend = backendOf(doubled, 'its')
  assert.equal(await maximumOf(back), 2n * WHOLE)
  const recipient = addressOf(0xbac0)
  const order = orderFor(back, 2n * WHOLE, { sender: user(6).address, recipient })
  const offer = await offerFor(backend, order)
  const receipt = await execute(doubled, offer, user(6).privateKey)
  const record = recordOf(order, offer)
  await follow(backend, record, lookupOf(doubled, backend, record, receipt), 'delivered')
  assert.equal(await balance(doubled, back.to, recipient), 2n * WHOLE)
})
