import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { maxUint256 } from 'viem'
import {
  type BackendWorld,
  orderFor,
  pairsOf,
  quote,
  startBackendWorld,
} from '../../../test/backend-world.ts'
import { DEFAULT_SLIPPAGE, minimumAfterSlippage } from '../../core/slippage.ts'
import type { Backend } from '../backend.ts'
import { gatewayExpress } from './index.ts'

let world: BackendWorld
let backend: Backend
before(async () => {
  world = await startBackendWorld()
  backend = gatewayExpress({
    ...world.deps,
    store: { findOutboxEntry: () => Promise.resolve(undefined) },
    randomHex: (length) => randomBytes(length).toString('hex'),
  })
  await backend.start()
})
after(async () => {
  backend.stop()
  await world.stop()
})

test('every pair quotes both order types; the minimum follows from the tolerance, and firm quotes live longer', async () => {
  const pairs = pairsOf(world, backend)
  assert.ok(pairs.length >= 50, `${pairs.length} routes`)
  let firm = 0
  for (const pair of pairs)
    for (const orderType of ['EXACT_INPUT', 'EXACT_OUTPUT'] as const) {
      const amount = 10n ** BigInt((orderType === 'EXACT_INPUT' ? pair.from : pair.to).token.decimals) * 20n
      const offer = await quote(backend, orderFor(pair, amount, { orderType }))
      assert.ok(!('declined' in offer), JSON.stringify([pair.from.token.symbol, pair.to.token.symbol]))
      assert.equal(orderType === 'EXACT_INPUT' ? offer.input : offer.output, amount)
      const path = offer.metadata['path']
      const isFirm = Array.isArray(path) && path.length === 0
      if (isFirm) firm += 1
      assert.equal(offer.lifetimeSeconds, isFirm ? 60 : 30)
      assert.equal(
        offer.minimumOutput,
        isFirm ? offer.output : minimumAfterSlippage(offer.output, DEFAULT_SLIPPAGE),
      )
    }
  assert.ok(firm > 0)
})

test('the bounds of AMOUNT_OUT_OF_RANGE really quote, and nothing beyond them does', async () => {
  for (const pair of pairsOf(world, backend).filter((_, position) => position % 9 === 0))
    for (const orderType of ['EXACT_INPUT', 'EXACT_OUTPUT'] as const) {
      const ask = (amount: bigint) => quote(backend, orderFor(pair, amount, { orderType }))
      const refused = await ask(maxUint256)
      assert.ok('declined' in refused && refused.declined === 'out_of_range')
      const { minimum, maximum } = refused
      assert.ok(maximum !== null && minimum > 1n && minimum <= maximum)
      assert.ok(!('declined' in (await ask(minimum))))
      assert.ok(!('declined' in (await ask(maximum))))
      assert.ok('declined' in (await ask(maximum + 1n)))
      assert.ok('declined' in (await ask(minimum - 1n)))
    }
})
