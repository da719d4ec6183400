import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import type { SolanaNode } from '@openrfq/sandbox/src/solana/index.ts'
import { startOnNeighbouringPorts } from '@openrfq/sandbox/test/neighbouring-ports.ts'
import { installTools } from '../tools/cruise.ts'
import { checkLicences } from '../tools/licences.ts'

const TOOLS = join(import.meta.dirname, '../tools/web3js')
const DEADLINE_MS = 240_000
const FEWEST_PACKAGES = 40

let node: SolanaNode
before(async () => {
  installTools(TOOLS)
  ;({ node } = await startOnNeighbouringPorts({
    log: () => undefined,
    now: Date.now,
    slotMs: 100,
    finalizedAfterSlots: 16,
  }))
})
after(() => node?.stop())

test('web3.js and spl-token pay SOL and tokens, wrap SOL and confirm it all on the unconfigured node', async () => {
  const { NODE_OPTIONS: _, NODE_COMPILE_CACHE: __, ...env } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, ['use.mjs', node.rpcUrl], {
    cwd: TOOLS,
    env,
    timeout: DEADLINE_MS,
  })
  assert.deepEqual(JSON.parse(stdout), {
    airdrop: 5_000_000_000,
    sol: { received: 2_000_000_000, version: 0, error: null },
    token: ['1000000', '750000', '250000'],
    token2022: ['1000000', '750000', '250000'],
    wrapped: { amount: '1000000000', isNative: true, closed: true },
  })
})

test('only two packages of web3.js, which nobody receives from us, have licences that ours may not have', () => {
  const { read, problems } = checkLicences(TOOLS)
  assert.ok(read > FEWEST_PACKAGES, `${read}`)
  assert.deepEqual(problems, [
    'rpc-websockets: LGPL-3.0-only is not allowed',
    'text-encoding-utf-8: UNKNOWN is not allowed',
  ])
})
