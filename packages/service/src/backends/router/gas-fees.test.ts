import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bridgeRoute } from '../../../test/express-scene.ts'
import type { ExpressMessage } from '../../protocols/axelar/gmp.ts'
import { createMessageFees } from './gas-fees.ts'
import type { BridgeSide } from './routes.ts'

const SCALE = 10n ** 36n
const hop = {
  baseFee: 0n,
  expressFee: SCALE,
  gasPrice: 1n,
  multiplier: SCALE,
  sourceUsd: 1n,
  sourceDecimals: 18,
}

/** The fees of the scene's route. Axelar says that executors deliver on it for one whole token. */
const feesOf = async (changes: Partial<BridgeSide>) => {
  const asked: (ExpressMessage | undefined)[] = []
  const fees = createMessageFees({
    axelarscan: {
      hopFees: async (_from, _to, message) => {
        asked.push(message)
        return hop
      },
    },
    marginBps: 10_000,
    now: () => 0,
    log: () => undefined,
  })
  const { from, to } = bridgeRoute(changes)
  await fees.know(from, to)
  return { from, to, asked, fees }
}

test('without an executor there is no express fee, also where Axelar says that its own deliver', async () => {
  const { fees, from, to, asked } = await feesOf({ executor: 'none' })
  assert.equal(fees.isExpress(from, to), false)
  assert.deepEqual(fees.of(from, to, 0), { amount: 1n, isExpress: false })
  assert.equal(asked[0], undefined)
})

test("with Axelar's executor its fee is paid, and Axelar is asked about the contracts, the symbol and the cap", async () => {
  const { fees, from, to, asked } = await feesOf({ executor: 'axelar' })
  assert.equal(fees.isExpress(from, to), true)
  assert.deepEqual(fees.of(from, to, 0), { amount: 10n ** 18n + 1n, isExpress: true })
  assert.deepEqual(asked[0], {
    ...{ sourceContractAddress: from.router, destinationContractAddress: to.router },
    ...{ symbol: from.symbol, amountInUnits: '500000' },
  })
  assert.equal(fees.ofReturn(to, from), 1n)
})

test("the operator's own executor costs no fee, and delivers early what has a cap", async () => {
  const { fees, from, to, asked } = await feesOf({ executor: 'own' })
  assert.deepEqual(fees.of(from, to, 0), { amount: 1n, isExpress: true })
  assert.equal(fees.isExpress(from, to), true)
  assert.equal(asked[0], undefined)
  const uncapped = await feesOf({ executor: 'own', expressCap: null })
  assert.deepEqual(uncapped.fees.of(uncapped.from, uncapped.to, 0), { amount: 1n, isExpress: false })
  assert.equal(uncapped.fees.isExpress(uncapped.from, uncapped.to), false)
})

test('the fees of a direction are asked for once', async () => {
  const { fees, from, to, asked } = await feesOf({ executor: 'axelar' })
  assert.equal(asked.length, 2)
  await fees.know(from, to)
  assert.equal(asked.length, 2)
})
