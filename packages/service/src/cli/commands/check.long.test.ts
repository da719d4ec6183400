import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { rfq } from '../../../test/rfq-process.ts'

const NETWORKS = join(import.meta.dirname, '../../../../../networks')
const folder = mkdtempSync(join(tmpdir(), 'rfq-check-command-'))
after(() => rmSync(folder, { recursive: true }))

test('the committed network files have no errors offline', async () => {
  for (const network of ['mainnet', 'testnet']) {
    const environment = { RFQ_CONFIG: join(NETWORKS, `${network}.json`), RFQ_OVERLAY: '' }
    const { code, output, notes } = await rfq(['check', '--offline'], environment)
    assert.equal(code, 0, output + notes)
    assert.match(
      output,
      /^ok {6}RFQ_CONFIG \S+: \d+ interchain tokens, 0 gateway assets, 0 tokens of intents$/m,
    )
    assert.match(output, /^0 errors, \d+ warnings$/m)
  }
})

test('a mistake of the overlay ends the check with its place and exit code 4', async () => {
  const overlay = join(folder, 'overlay.json')
  writeFileSync(
    overlay,
    JSON.stringify({ tokens: [{ chainId: 'eip155:1', address: '0x12', usdPrice: 'much' }] }),
  )
  const environment = { RFQ_CONFIG: join(NETWORKS, 'mainnet.json'), RFQ_OVERLAY: overlay }
  const { code, output } = await rfq(['check', '--offline', '--quiet'], environment)
  assert.equal(code, 4)
  assert.match(output, /^error {3}RFQ_OVERLAY \S+: tokens\.0\.usdPrice: /m)
  assert.match(output, /^error {3}RFQ_OVERLAY \S+: tokens\.0\.symbol: missing, expected string$/m)
  const json = JSON.parse((await rfq(['check', '--offline', '--json'], environment)).output)
  assert.equal(json.errors, json.findings.length)
})

test('without a network file the check says what to set', async () => {
  const { code, notes } = await rfq(['check'], { RFQ_CONFIG: '' })
  assert.deepEqual([code, /RFQ_CONFIG is not set/.test(notes)], [2, true])
})
