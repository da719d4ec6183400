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

test('the recorded shape of searchTransfers is found by its transaction', async () => {
  const txHash = `0x${'5'.repeat(64)}`
  api.transfers.push({
    ...{ txHash, sourceChain: 'base', destinationChain: 'Polygon', denom: 'uusdc', amount: 30, fee: 11.5 },
    ...{ sender: `0x${'a'.repeat(40)}`, recipient: `0x${'b'.repeat(40)}`, gateway: `0x${'c'.repeat(40)}` },
    stage: 'executed',
    transferId: 54_161,
    mint: { txHash: `0x${'6'.repeat(64)}`, blockNumber: 52_077_981, timestampSeconds: 1_791_115_977 },
  })
  const [transfer] = await client().findTransfers(txHash)
  assert.equal(transfer?.status, 'executed')
  assert.equal(transfer?.recipientAddress, `0x${'b'.repeat(40)}`)
  assert.equal(transfer?.transferId, 54_161n)
  assert.equal(transfer?.commandTxHash, `0x${'6'.repeat(64)}`)
})

test('a chain that Axelar does not serve is refused, and every request is kept with its fields', async () => {
  api.unserved.add('Fantom')
  await assert.rejects(client().hopFees('Fantom', 'axelar'))
  const { path, fields } = api.asked.at(-1) ?? {}
  assert.deepEqual([path, fields], ['/gmp/getFees', { sourceChain: 'Fantom', destinationChain: 'axelar' }])
})
