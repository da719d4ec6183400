import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../../test/eventually.ts'

const MAIN = join(import.meta.dirname, '../main.ts')
const MAINNET = join(import.meta.dirname, '../../../../networks/mainnet.json')
const folder = mkdtempSync(join(tmpdir(), 'rfq-offline-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Nothing listens on this port. */
const DEAD = 'http://127.0.0.1:1'

test('the mainnet file is served while no endpoint answers, and readyz names every chain', async (t) => {
  const { chains } = JSON.parse(readFileSync(MAINNET, 'utf8'))
  const overlay = join(folder, 'overlay.json')
  const chainIds = chains.map(({ chainId }: { readonly chainId: string }) => chainId)
  writeFileSync(
    overlay,
    JSON.stringify({
      chains: chainIds.map((chainId: string) => ({ chainId, rpcUrls: [DEAD] })),
      axelar: { scanUrl: DEAD, lcdUrl: DEAD },
    }),
  )
  const service = spawn(process.execPath, [MAIN], {
    env: {
      ...process.env,
      ...{ DATA_DIR: join(folder, 'data'), PORT: '0', LOG_LEVEL: 'error' },
      ...{ RFQ_CONFIG: MAINNET, RFQ_OVERLAY: overlay },
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
  const url = await eventually('the service listens', () => /http:\/\/\S+/.exec(output)?.[0])
  const read = async (path: string) => JSON.parse(await (await fetch(`${url}${path}`)).text())
  const { chains: listed } = await read('/v1/rfq/chains')
  assert.equal(listed.length, 20)
  assert.deepEqual(listed[0].explorerUrl, 'https://etherscan.io')
  const { tokens } = await read('/v1/rfq/tokens')
  assert.equal(tokens.length, 477)
  const rmrk = tokens.find((token: { readonly symbol: string }) => token.symbol === 'RMRK')
  assert.deepEqual([rmrk.coinGeckoId, rmrk.backends], ['rmrk', ['its']])
  const { missing } = await eventually('readyz names every chain', async () => {
    const readiness = await read('/readyz')
    return readiness.missing.length === chainIds.length && readiness
  })
  assert.deepEqual(missing.toSorted(), chainIds.toSorted())
})
