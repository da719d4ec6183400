import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openSqliteStore } from '../../store/sqlite.ts'
import type { OutboxEntry, Store } from '../../store/store.ts'
import { findRefundEntry } from './refund.ts'

const directory = mkdtempSync(join(tmpdir(), 'openrfq-'))
let store: Store
before(async () => {
  store = await openSqliteStore({ directory, log: () => undefined })
})
after(async () => {
  await store.close()
  rmSync(directory, { recursive: true })
})

let nonce = 0
const sign = async (key: string): Promise<string> => {
  nonce += 1
  const txHash = `0x${nonce.toString(16).padStart(64, '0')}`
  const added = await store.addOutboxEntry({
    key,
    chainId: 'eip155:31337',
    sender: `0x${'ab'.repeat(20)}`,
    nonce,
    txHash,
    replacedTxHashes: [],
    rawTransaction: '0x02',
    signedAt: 1_800_000_000_000,
    outcome: 'open',
  })
  assert.ok(added)
  return txHash
}

const keyOf = async (orderId: string): Promise<string> => {
  const entry = await findRefundEntry(store, orderId)
  assert.ok(!entry.signed && entry.key !== undefined)
  return entry.key
}

test('a refund that may still be mined, or was, is never signed again', async () => {
  for (const outcome of [undefined, 'succeeded'] as const) {
    const orderId = `0x${(outcome ?? 'open').length.toString(16).padStart(64, '0')}`
    const key = await keyOf(orderId)
    const txHash = await sign(key)
    if (outcome !== undefined) await store.settleOutboxEntry(key, outcome, txHash)
    assert.deepEqual(await findRefundEntry(store, orderId), { signed: true })
  }
})

test('a refund that moved nothing is tried again under another key, five times in all', async () => {
  const orderId = `0x${'cd'.repeat(32)}`
  const keys: string[] = []
  const outcomes: readonly Exclude<OutboxEntry['outcome'], 'open'>[] = [
    'reverted',
    'displaced',
    'reverted',
    'reverted',
    'displaced',
  ]
  for (const outcome of outcomes) {
    const key = await keyOf(orderId)
    keys.push(key)
    await store.settleOutboxEntry(key, outcome, await sign(key))
  }
  assert.equal(new Set(keys).size, 5)
  assert.deepEqual(await findRefundEntry(store, orderId), { signed: false, key: undefined })
})
