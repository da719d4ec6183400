import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { buildSnapshot, readSnapshot } from './snapshot.ts'

const Accounts = z.object({
  accounts: z.record(z.string(), z.object({ nonce: z.number(), code: z.string() }).loose()),
})

/** System contracts that store hashes of past blocks, which differ between builds. */
const BLOCK_HISTORY = [
  '0x0000f90827f1c53a10cb7a02335b175320002935',
  '0x000f3df6d732807ef1319fb7b8bb8522d0beac02',
]

const accountsOf = (state: Buffer): Record<string, unknown> => {
  const { accounts } = Accounts.parse(JSON.parse(gunzipSync(state).toString('utf8')))
  return Object.fromEntries(Object.entries(accounts).filter(([address]) => !BLOCK_HISTORY.includes(address)))
}

test('the committed snapshot equals a build from the present sources', async () => {
  const committed = readSnapshot()
  assert.ok(committed !== undefined, 'the snapshot is missing or outdated: run npm run snapshot')
  const built = await buildSnapshot()
  assert.deepEqual(built.deployment, committed.deployment)
  assert.equal(committed.states.length, 3)
  for (const [index, state] of committed.states.entries()) {
    const accounts = accountsOf(state)
    assert.ok(Object.keys(accounts).length > 40)
    assert.deepEqual(accountsOf(built.states[index] ?? Buffer.alloc(0)), accounts)
  }
})
