import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { reservePort } from './reserve-port.ts'

const MAIN = join(import.meta.dirname, '../main.ts')
const folder = mkdtempSync(join(tmpdir(), 'openrfq-run-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the service until it ends by itself: its exit code and what it wrote to standard error. */
const run = (environment: Readonly<Record<string, string>>): Promise<{ code: number; stderr: string }> =>
  new Promise((resolve) => {
    const env = { ...process.env, DATA_DIR: join(folder, 'data'), PORT: '0', ...environment }
    execFile(process.execPath, [MAIN], { env, timeout: 30_000 }, (error, _stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stderr }),
    )
  })

const networkFile = (tokens: readonly unknown[]): string => {
  const path = join(folder, `network-${tokens.length}.json`)
  const chain = {
    chainId: 'eip155:1',
    chainLabel: 'Ethereum',
    chainType: 'evm',
    nativeToken: { symbol: 'ETH', decimals: 18 },
    rpcUrls: ['http://127.0.0.1:1'],
    finality: 'finalized',
  }
  writeFileSync(path, JSON.stringify({ chains: [chain], tokens }))
  return path
}

test('a start that fails says why in one line, and a port that is taken comes before everything else', async () => {
  const holder = await reservePort({ host: '127.0.0.1', port: 0 })
  // CAST: a listening TCP server has an address.
  const { port } = holder.address() as AddressInfo
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const taken = await run({ RFQ_CONFIG: networkFile([]), PORT: String(port), DATA_DIR: file })
  holder.close()
  assert.deepEqual(taken, {
    code: 1,
    stderr: `OpenRFQ cannot start: Port ${port} on 127.0.0.1 is taken. Stop the other process, or set PORT.\n`,
  })
})

test('a network that contradicts itself ends the start with code 2 and the entry’s name', async () => {
  const token = {
    chainId: 'eip155:1',
    address: `0x${'a1'.repeat(20)}`,
    symbol: 'USDC',
    name: 'USD Coin',
    decimals: 6,
    verified: true,
    gateway: { denom: 'uusdc', symbol: 'USDC' },
  }
  const { code, stderr } = await run({ RFQ_CONFIG: networkFile([token]) })
  assert.equal(code, 2)
  assert.match(
    stderr,
    /^OpenRFQ cannot start: token USDC 0x\S+ on eip155:1: gateway needs axelar on the chain\n$/,
  )
})
