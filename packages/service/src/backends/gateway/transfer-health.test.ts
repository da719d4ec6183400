import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type AxelarApi, startAxelarApi } from '../../../test/axelar-api.ts'
import { until } from '../../../test/eventually.ts'
import type { IndexedTransfer } from '../../../test/indexed-transfer.ts'
import { createAxelarscan } from '../../protocols/axelar/gmp.ts'
import { createTransferHealth } from './transfer-health.ts'

const NOW = 1_791_200_000_000
const HOUR = 3_600_000

let api: AxelarApi

before(async () => {
  api = await startAxelarApi()
  api.latencyMs = 0
})
after(() => api.stop())

const route = { from: { denom: 'uusdc', symbol: 'axlUSDC' }, to: { axelarName: 'Fantom' } }

const transfer = (part: Partial<IndexedTransfer>): IndexedTransfer => ({
  ...{ txHash: `0x${'5'.repeat(64)}`, sourceChain: 'base', destinationChain: 'Fantom', denom: 'uusdc' },
  ...{ sender: `0x${'a'.repeat(40)}`, recipient: `0x${'b'.repeat(40)}`, gateway: `0x${'c'.repeat(40)}` },
  ...{ amount: 30, fee: 1, sentAt: NOW - 2 * HOUR },
  ...part,
})
const arrived = (part: Partial<IndexedTransfer> = {}): IndexedTransfer =>
  transfer({
    stage: 'executed',
    transferId: 54_161,
    mint: { txHash: `0x${'6'.repeat(64)}`, blockNumber: 52_077_981, timestampSeconds: 1_791_115_977 },
    ...part,
  })

const warningsAfter = async (transfers: readonly IndexedTransfer[]) => {
  api.transfers.splice(0, api.transfers.length, ...transfers)
  const log = () => undefined
  const axelarscan = createAxelarscan({ urls: api.url, now: () => NOW, log })
  return createTransferHealth({ axelarscan, now: () => NOW, log }).read(route)
}

test('a route is warned of when half of its last transfers have not arrived after an hour', async () => {
  const small = transfer({ amount: 0.5 })
  assert.deepEqual(await warningsAfter([small, small, small, transfer({}), arrived()]), [
    {
      code: 'transfers_stuck',
      message:
        "4 of the last 5 transfers of axlUSDC to Fantom by Axelar's gateways have not arrived after an hour, 3 of them because they were smaller than Axelar's fee",
    },
  ])
  const [warning] = await warningsAfter([transfer({}), arrived()])
  assert.equal(
    warning?.message,
    "1 of the last 2 transfers of axlUSDC to Fantom by Axelar's gateways have not arrived after an hour",
  )
})

test('a route is not warned of for transfers under way, elsewhere or long before, nor without transfers', async () => {
  const underWay = transfer({ sentAt: NOW - HOUR + 1 })
  const elsewhere = [transfer({ destinationChain: 'Polygon' }), transfer({ denom: 'uusdt' })]
  const before = transfer({ sentAt: NOW - 9 * HOUR })
  for (const transfers of [
    [],
    [underWay, arrived()],
    elsewhere,
    [...Array.from({ length: 5 }, () => arrived()), before, before, before],
    [transfer({}), arrived(), arrived()],
  ])
    assert.deepEqual(await warningsAfter(transfers), [])
})

test('a quote waits half a second for Axelarscan, and does not when it is silent', async (context) => {
  api.latencyMs = HOUR
  const asked = api.asked.length
  context.mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const warnings = warningsAfter([transfer({})])
    await until(() => api.asked.length > asked)
    context.mock.timers.tick(500)
    assert.deepEqual(await warnings, [])
  } finally {
    context.mock.timers.reset()
    api.latencyMs = 0
  }
  api.isDead = true
  try {
    assert.deepEqual(await warningsAfter([transfer({})]), [])
  } finally {
    api.isDead = false
  }
})
