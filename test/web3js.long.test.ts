import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import type { SolanaNode } from '@openrfq/sandbox/src/solana/index.ts'
import { startOnNeighbouringPorts } from '@openrfq/sandbox/test/neighbouring-ports.ts'
import { installTools } from '../tools/cruise.ts'
import { checkLicences } from '../tools/licences.ts'

const TOOLS = join(import.meta.dirname, '../tools/web3js')
const DEADLINE_MS = 240_000
const FEWEST_PACKAGES = 40
/** Longer than a person takes, shorter than web3.js keeps a blockhash. */
const APPROVAL_MS = 25_000

let node: SolanaNode
let aheadMs = 0
before(async () => {
  installTools(TOOLS)
  ;({ node } = await startOnNeighbouringPorts({
    log: () => undefined,
    now: () => Date.now() + aheadMs,
    slotMs: 400,
    finalizedAfterSlots: 4,
  }))
})
after(() => node?.stop())

test('web3.js and spl-token pay SOL and tokens, wrap SOL and confirm it all on the unconfigured node', async () => {
  const { NODE_OPTIONS: _, NODE_COMPILE_CACHE: __, ...env } = process.env
  const program = fork('use.mjs', [node.rpcUrl], { cwd: TOOLS, env, timeout: DEADLINE_MS, silent: true })
  assert.ok(program.stdout)
  program.once('message', () => {
    aheadMs += APPROVAL_MS
    node.catchUp()
    program.send('waited')
  })
  assert.deepEqual(JSON.parse(await text(program.stdout)), {
    airdrop: 5_000_000_000,
    sol: { received: 2_000_000_000, version: 0, error: null },
    token: ['1000000', '750000', '250000'],
    token2022: ['1000000', '750000', '250000'],
    wrapped: { amount: '1000000000', isNative: true, closed: true },
    approvedLate: 7,
  })
})

test('only two packages of web3.js, which we do not ship, have licences that ours may not have', () => {
  const { read, problems } = checkLicences(TOOLS)
  assert.ok(read > FEWEST_PACKAGES, `${read}`)
  assert.deepEqual(problems, [
    'rpc-websockets: LGPL-3.0-only is not allowed',
    'text-encoding-utf-8: UNKNOWN is not allowed',
  ])
})
