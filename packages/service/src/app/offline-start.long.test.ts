import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { eventually } from '../../test/eventually.ts'

const MAIN = join(import.meta.dirname, '../main.ts')
const MAINNET = join(import.meta.dirname, '../../../../networks/mainnet.json')
const folder = mkdtempSync(join(tmpdir(), 'rfq-offline-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Nothing listens on this port. */
const DEAD = 'http://127.0.0.1:1'

/** Starts the service. Returns what reads JSON from one of its paths. */
const startService = async (
  t: TestContext,
  environment: Readonly<Record<string, string>>,
  tell: (errors: string) => void = () => undefined,
) => {
  const service = spawn(process.execPath, [MAIN], {
    env: {
      ...process.env,
      ...{ DATA_DIR: mkdtempSync(join(folder, 'data-')), PORT: '0', LOG_LEVEL: 'error' },
      ...environment,
    },
  })
  t.after(async () => {
    service.kill('SIGTERM')
    await once(service, 'exit')
  })
  let output = ''
  service.stdout.on('data', (chunk: Buffer) => {
    output += String(chunk)
  })
  service.stderr.on('data', (chunk: Buffer) => tell(String(chunk)))
  const url = await eventually('the service listens', () => /http:\/\/\S+/.exec(output)?.[0])
  return async (path: string) => JSON.parse(await (await fetch(`${url}${path}`)).text())
}

test('the mainnet file is served while no endpoint answers, and readyz names every chain', async (t) => {
  const { chains, tokens: rows } = JSON.parse(readFileSync(MAINNET, 'utf8'))
  const overlay = join(folder, 'overlay.json')
  const chainIds = chains.map(({ chainId }: { readonly chainId: string }) => chainId)
  writeFileSync(
    overlay,
    JSON.stringify({
      chains: chainIds.map((chainId: string) => ({ chainId, rpcUrls: [DEAD] })),
      axelar: { scanUrl: DEAD, lcdUrl: DEAD },
    }),
  )
  const read = await startService(t, { RFQ_CONFIG: MAINNET, RFQ_OVERLAY: overlay })
  const { chains: listed } = await read('/v1/rfq/chains')
  assert.equal(listed.length, 24)
  assert.equal(listed[0].explorerUrl, 'https://etherscan.io')
  const { tokens } = await read('/v1/rfq/tokens')
  const movable = rows.filter(({ its }: { readonly its?: object }) => its !== undefined)
  assert.ok(movable.length > 500)
  assert.equal(tokens.length, movable.length)
  const rmrk = tokens.find((token: { readonly symbol: string }) => token.symbol === 'RMRK')
  assert.deepEqual([rmrk.coinGeckoId, rmrk.backends], ['rmrk', ['its']])
  const { missing } = await eventually('readyz names every chain', async () => {
    const readiness = await read('/readyz')
    return readiness.missing.length === chainIds.length && readiness
  })
  assert.deepEqual(missing.toSorted(), chainIds.toSorted())
})

test('readyz names the routes of a network file that serves nothing', async (t) => {
  const file = join(folder, 'nothing.json')
  const chain = {
    ...{ chainId: 'eip155:1', chainLabel: 'Ethereum', chainType: 'evm', finality: 1, rpcUrls: [DEAD] },
    nativeToken: { symbol: 'ETH', decimals: 18 },
  }
  writeFileSync(file, JSON.stringify({ chains: [chain], tokens: [] }))
  const { status, missing } = await (await startService(t, { RFQ_CONFIG: file, RFQ_OVERLAY: '' }))('/readyz')
  assert.equal(status, 'not_ready')
  assert.ok(missing.includes('routes'))
})

test('the service logs each error of its check once, after it listens, and goes on', async (t) => {
  const file = join(folder, 'dead.json')
  const chains = ['eip155:1', 'eip155:10'].map((chainId) => ({
    ...{ chainId, chainLabel: chainId, chainType: 'evm', finality: 1, rpcUrls: [DEAD] },
    nativeToken: { symbol: 'ETH', decimals: 18 },
  }))
  writeFileSync(file, JSON.stringify({ chains, tokens: [] }))
  const errors: string[] = []
  const read = await startService(t, { RFQ_CONFIG: file, RFQ_OVERLAY: '', LOG_LEVEL: 'warn' }, (text) =>
    errors.push(text),
  )
  const found = (): readonly string[] =>
    errors
      .join('')
      .split('\n')
      .filter((line) => line.includes('"check_found"'))
      .map((line) => JSON.parse(line))
      .map(({ subject, says }) => `${subject}: ${says}`)
  await eventually('every chain is named', () =>
    ['eip155:1', 'eip155:10'].every((chainId) =>
      found().some((line) => line.startsWith(`chain ${chainId}: no endpoint can be used`)),
    ),
  )
  assert.equal(new Set(found()).size, found().length)
  assert.equal((await read('/healthz')).status, 'ok')
})
