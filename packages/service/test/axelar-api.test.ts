import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAxelarscan } from '../src/protocols/axelar/gmp.ts'
import { type AxelarApi, startAxelarApi } from './axelar-api.ts'

let api: AxelarApi

before(async () => {
  api = await startAxelarApi()
  api.latencyMs = 0
})
after(() => api.stop())

const client = () => createAxelarscan({ urls: api.url, now: Date.now, log: () => undefined })

test('the recorded answer of getFees parses', async () => {
  const { baseFee, multiplier, sourceUsd } = await client().hopFees('Ethereum', 'arbitrum')
  assert.equal(baseFee, 418_869_692_086_198n * 10n ** 18n)
  assert.equal(multiplier, 11n * 10n ** 35n)
  assert.equal(sourceUsd, 167_472n * 10n ** 34n)
})

test('a chain that Axelar does not serve is refused, and every request is kept with its fields', async () => {
  api.unserved.add('Fantom')
  await assert.rejects(client().hopFees('Fantom', 'axelar'))
  const { path, fields } = api.asked.at(-1) ?? {}
  assert.deepEqual([path, fields], ['/gmp/getFees', { sourceChain: 'Fantom', destinationChain: 'axelar' }])
})
