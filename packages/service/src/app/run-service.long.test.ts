import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ETHEREUM_ROW } from '../../test/ethereum-row.ts'
import { reservePort } from './reserve-port.ts'

const MAIN = join(import.meta.dirname, '../main.ts')
const folder = mkdtempSync(join(tmpdir(), 'openrfq-run-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the service until it exits. Returns its exit code and standard error. */
const run = (environment: Readonly<Record<string, string>>): Promise<{ code: number; stderr: string }> =>
  new Promise((resolve) => {
    const env = {
      ...process.env,
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      LOG_LEVEL: 'warn',
      ...environment,
    }
    execFile(process.execPath, [MAIN], { env, timeout: 300_000 }, (error, _stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stderr }),
    )
  })

let files = 0

const networkFile = (tokens: readonly unknown[], more: object = {}): string => {
  files += 1
  const path = join(folder, `network-${files}.json`)
  writeFileSync(path, JSON.stringify({ chains: [ETHEREUM_ROW], tokens, ...more }))
  return path
}

test('a failed start prints one line, and a port in use is reported first', async () => {
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

test("a contradictory network ends the start with code 2 and the entry's name", async () => {
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

test('solvers that cannot be told apart or have no address end the start with code 2 in one line', async () => {
  const address = `0x${'a1'.repeat(20)}`
  const hub = { scanUrl: 'http://127.0.0.1:1', lcdUrl: 'http://127.0.0.1:1', hubAddress: 'axelar1hub' }
  for (const [solvers, reason] of [
    [['one', 'two'].map((name) => ({ name, address })), /two solvers have the account 0x\S+$/],
    [[{ name: 'one', address: `0x${'0'.repeat(40)}` }], /intent\.solvers one: 0x0+ is not an address/],
  ] as const) {
    const { code, stderr } = await run({ RFQ_CONFIG: networkFile([], { axelar: hub, intent: { solvers } }) })
    assert.equal(code, 2, stderr)
    const [line = '', ...others] = stderr.trimEnd().split('\n')
    assert.match(line, reason)
    assert.deepEqual(others, [])
  }
})
