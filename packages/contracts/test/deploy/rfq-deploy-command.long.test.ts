import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { rfq } from 'openrfq/test/rfq-process.ts'
import { type Hex, numberToHex } from 'viem'
import { z } from 'zod'
import { KEY, networkIn, OWNER, openPlaces, type Place } from './places.ts'

const Batch = z.object({
  chainId: z.string(),
  meta: z.object({ createdFromSafeAddress: z.string() }),
  transactions: z.array(
    z.object({ to: z.templateLiteral(['0x', z.string()]), data: z.templateLiteral(['0x', z.string()]) }),
  ),
})

let places: readonly Place[]
let folder: string
let overlay: string
let stop: () => Promise<void>
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rfq-deploy-command-'))
  overlay = join(folder, 'overlay.json')
  const opened = await openPlaces(['Ethereum', 'binance', 'arbitrum'])
  places = opened.places
  stop = async () => {
    await opened.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  networkIn(folder, places)
})
after(() => stop())

const deploy = (words: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  rfq(['deploy', ...words], {
    RFQ_CONFIG: join(folder, 'network.json'),
    RFQ_OVERLAY: '',
    RFQ_DEPLOYER_KEY: KEY,
    ...environment,
  })
const blocks = () => Promise.all(places.map(({ rpc }) => rpc('eth_blockNumber')))
const countOf = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length

test('the command says who must own the contracts, and what it does not understand', async () => {
  for (const [words, environment, says] of [
    [[], { RFQ_DEPLOYER_KEY: '' }, /the contracts need an owner: set RFQ_DEPLOYER_KEY/],
    [[], { RFQ_DEPLOYER_KEY: '0x12' }, /RFQ_DEPLOYER_KEY is no private key/],
    [['--owner', '0x12'], {}, /--owner 0x12 is no EVM address/],
    [['--yes', '--owner', OWNER], { RFQ_DEPLOYER_KEY: '' }, /--yes needs RFQ_DEPLOYER_KEY/],
    [['--yes', '--max-cost', 'much'], {}, /--max-cost much is no amount/],
    [['--chains', 'eip155:1'], {}, /no EVM chain eip155:1/],
    [[], { RFQ_CONFIG: '' }, /RFQ_CONFIG is not set/],
  ] as const) {
    const { code, notes } = await deploy(words, environment)
    assert.equal(code, 2, notes)
    assert.match(notes, says)
    assert.ok(!notes.includes(KEY))
  }
})

test('without --yes the command shows what is left, and sends nothing', async () => {
  const before = await blocks()
  const { code, output } = await deploy(['--overlay', overlay])
  assert.equal(code, 0)
  assert.equal(countOf(output, /^ {2}deploy {3}(factory|intent|attested|express) at 0x/gm), 12)
  assert.equal(countOf(output, /^ {2}warning {2}one endpoint only: no other confirms what it says$/gm), 3)
  assert.match(output, /^3 chains are not finished: --yes sends what is left$/m)
  assert.deepEqual(await blocks(), before)
  assert.deepEqual(readdirSync(folder), ['network.json'])
})

test('with --yes it deploys everything to three chains and writes the overlay; run again, it changes nothing', async () => {
  const first = await deploy(['--yes', '--overlay', overlay])
  assert.equal(first.code, 0, first.notes)
  assert.equal(countOf(first.output, /^eip155:\d+ deployed \w+ in 0x[0-9a-f]{64}$/gm), 12)
  assert.match(first.output, /^sent; run again to check; the overlay is written$/m)
  const [before, written] = [await blocks(), readFileSync(overlay, 'utf8')]
  const second = await deploy(['--yes', '--overlay', overlay])
  assert.equal(second.code, 0)
  assert.equal(countOf(second.output, /^ {2}stands /gm), 12)
  assert.match(second.output, /^everything stands$/m)
  assert.deepEqual([await blocks(), readFileSync(overlay, 'utf8')], [before, written])
  const chains: unknown = JSON.parse(written).chains
  assert.equal(z.array(z.object({ intent: z.object({ settler: z.string() }) })).parse(chains).length, 3)
  const json = JSON.parse((await deploy(['--json'])).output)
  assert.deepEqual(
    [json.owner, json.plans.length, json.sent, json.isWritten, json.notes],
    [OWNER, 3, [], false, []],
  )
})

test('a chain with a problem ends the command with exit code 4, and gets nothing', async () => {
  const wrong = networkIn(folder, places, (axelar, index) =>
    index === 1 ? { ...axelar, finalitySeconds: 9000 } : axelar,
  )
  assert.equal(wrong.chains.length, 3)
  const before = await blocks()
  const { code, output } = await deploy(['--yes', '--overlay', overlay])
  assert.equal(code, 4)
  assert.match(output, /^ {2}problem {2}intent: its proofWindow is 2700, and the network file's 18900$/m)
  assert.deepEqual(await blocks(), before)
  writeFileSync(join(folder, 'no-overlay.json'), '[]')
  const other = await deploy(['--overlay', join(folder, 'no-overlay.json')])
  assert.match(other.notes, /no-overlay\.json is no overlay/)
  assert.equal(other.code, 2)
  networkIn(folder, places)
})

test('A7: a Safe deploys by its batches, and the command warns of its first owners', async () => {
  const [first, second] = places
  assert.ok(first && second)
  const safe: Hex = '0x00000000000000000000000000000000000000cc'
  const code = await first.rpc('eth_getCode', await first.deploy('puppet'), 'latest')
  await first.rpc('anvil_setCode', safe, code)
  const batches = join(folder, 'batches')
  const words = ['--owner', safe, '--safe-batches', batches]
  const planned = await deploy(words, { RFQ_DEPLOYER_KEY: '' })
  assert.equal(planned.code, 0, planned.notes)
  assert.match(
    planned.output,
    /^warning {2}the owner 0x0+cc is a contract on eip155:31337: .* one whose owners never changed/m,
  )
  assert.match(
    planned.output,
    /^warning {2}the owner has no code on eip155:31338, eip155:31339: create it there/m,
  )
  assert.deepEqual(
    readdirSync(batches).toSorted(),
    [31_337, 31_338, 31_339].map((id) => `eip155-${id}.json`),
  )
  for (const { number, rpc, run } of places) {
    const { chainId, meta, transactions } = Batch.parse(
      JSON.parse(readFileSync(join(batches, `eip155-${number}.json`), 'utf8')),
    )
    assert.deepEqual([chainId, meta.createdFromSafeAddress, transactions.length], [String(number), safe, 4])
    await rpc('anvil_setBalance', safe, numberToHex(10n ** 18n))
    for (const { to, data } of transactions) await run({ from: safe, to, data })
  }
  const done = await deploy(['--owner', safe])
  assert.deepEqual([done.code, /^everything stands$/m.test(done.output)], [0, true])
  const notOwner = await deploy(['--owner', safe, '--yes'])
  assert.deepEqual([notOwner.code, /the key is not the owner’s/.test(notOwner.notes)], [2, true])
})
