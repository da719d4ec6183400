import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startLocalServer } from '../../../test/local-server.ts'
import { registryPlaces } from '../../../test/registry-sources.ts'
import { rfq } from '../../../test/rfq-process.ts'
import { writeUpstream } from '../../../test/upstream-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'rfq-sync-'))
after(() => rmSync(folder, { recursive: true }))

const upstream = join(folder, 'upstream')
mkdirSync(upstream)
writeUpstream(upstream)
const places = registryPlaces('testnet')
const wordsFor = (out: string, config = places.axelarConfig): readonly string[] => [
  ...['network', 'sync', '--network', 'testnet', '--out', out],
  ...['--axelar-config', config, '--its-registry', places.itsRegistry],
  ...['--axelarscan-assets', places.axelarscanAssets, '--axelarscan-chains', places.axelarscanChains],
  ...['--chain-list', places.chainList, '--upstream', upstream],
]

test('shows what would be written, writes with --yes, and then finds nothing to change', async () => {
  const out = join(folder, 'network.json')
  const shown = await rfq(wordsFor(out))
  assert.equal(shown.code, 0, shown.notes)
  assert.match(shown.output, /^26 chains, \d+ tokens, \d+ of them not verified$/m)
  assert.match(shown.output, /^ +3 {2}the file has no chain xrpl: XRP on xrpl, SQD on xrpl, TEST on xrpl$/m)
  assert.doesNotMatch(shown.output, /one operator has/)
  assert.match(
    shown.output,
    /^the public list of chains names a majority of the endpoints: Linea-Sepolia, Arc$/m,
  )
  assert.match(shown.output, /another chain of this id, with L99 instead of HYPE: endpoints of Hyperliquid$/m)
  assert.match(shown.output, /nothing written: add --yes/)
  assert.equal(existsSync(out), false)
  const written = await rfq([...wordsFor(out), '--yes'])
  assert.match(written.output, /network\.json written$/m)
  const text = readFileSync(out, 'utf8')
  assert.match((await rfq([...wordsFor(out), '--yes'])).output, /is up to date$/m)
  writeFileSync(out, text.replace('"finality": "finalized"', '"finality": 3'))
  const told = (await rfq(wordsFor(out))).output
  assert.match(told, /^~ chain \S+\n {4}finality: 3 -> "finalized"$/m)
  const changed = await rfq([...wordsFor(out), '--json'])
  const { changes, written: isWritten } = JSON.parse(changed.output)
  assert.deepEqual([changes.length, changes[0].fields, isWritten], [1, ['finality'], false])
})

test('warns when a repository of Axelar has moved on since the command was written', async (t) => {
  const out = join(folder, 'moved.json')
  assert.doesNotMatch((await rfq(wordsFor(out))).output, /^warning/m)
  writeUpstream(upstream, { 'axelar-core': ['refs/tags/v1.6.0'] })
  t.after(() => writeUpstream(upstream))
  const moved = await rfq(wordsFor(out))
  assert.deepEqual(
    [moved.code, moved.output.match(/^warning.*$/gm)],
    [
      0,
      [
        'warning: axelar-core is at v1.6.0, and this version was written for v1.5.0: read what changed, or update OpenRFQ',
      ],
    ],
  )
  assert.deepEqual(JSON.parse((await rfq([...wordsFor(out), '--json'])).output).upstream, [
    { repository: 'axelar-core', writtenFor: 'v1.5.0', found: { newest: 'v1.6.0' } },
  ])
})

test('reads a source from an address, and names one that cannot be used', async () => {
  const served = await startLocalServer(({ url }, response) => {
    response.statusCode = url === '/config.json' ? 200 : 404
    response.end(url === '/config.json' ? readFileSync(places.axelarConfig) : 'no')
  })
  after(served.stop)
  const fetched = await rfq(wordsFor(join(folder, 'fetched.json'), `${served.url}/config.json`))
  assert.equal(fetched.code, 0, fetched.notes)
  const missing = await rfq(wordsFor(join(folder, 'fetched.json'), `${served.url}/none.json`))
  assert.deepEqual([missing.code, /none\.json cannot be read as JSON: .*404/.test(missing.notes)], [2, true])
  const wrong = await rfq(wordsFor(join(folder, 'fetched.json'), places.itsRegistry))
  assert.deepEqual(
    [wrong.code, /testnet-tokens\.json has another shape: chains/.test(wrong.notes)],
    [2, true],
  )
})
