import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openOwnStore } from '../../test/outbox-world.ts'
import type { StoredPayout, StoredTransaction } from '../store/store.ts'
import { type Attempts, findPayoutAttempts, findTransactionAttempts } from './attempts.ts'

const SIGNED = {
  rawTransaction: '0x02',
  earlierTxHashes: [],
  signedAt: 1_800_000_000_000,
  outcome: 'open',
} as const

let files: Awaited<ReturnType<typeof openOwnStore>>
before(async () => {
  files = await openOwnStore()
})
after(() => files.remove())

let signed = 0
const nextHash = (): string => {
  signed += 1
  return `0x${signed.toString(16).padStart(64, '0')}`
}

/** Signs a transaction under the key and settles it, unless it stays open. */
const call = async (key: string, outcome: StoredTransaction['outcome']): Promise<string> => {
  const txHash = nextHash()
  const sender = `0x${'ab'.repeat(20)}`
  const entry = { ...SIGNED, key, chainId: 'eip155:31337', sender, nonce: signed, txHash }
  assert.ok(await files.store().addTransaction(entry))
  if (outcome !== 'open') await files.store().settleTransaction(entry, { outcome, txHash })
  return txHash
}

const pay = async (key: string, outcome: StoredPayout['outcome']): Promise<string> => {
  const txHash = nextHash()
  const payment = { recipient: 'GR', token: 'CT', amount: 1n, memo: '0x', notAfterSeconds: undefined }
  const entry = { ...SIGNED, ...payment, key, chainId: 'stellar:testnet', sender: 'GS', txHash }
  assert.ok(await files.store().addPayout(entry))
  if (outcome !== 'open') await files.store().settlePayout(entry, outcome)
  return txHash
}

const dueKey = (attempts: Attempts): string => {
  assert.equal(attempts.kind, 'due')
  return attempts.key
}

test('a call that is open or mined is never signed again', async () => {
  for (const outcome of ['open', 'succeeded'] as const) {
    const purpose = `refund:${outcome}`
    const attempts = await findTransactionAttempts(files.store(), purpose)
    assert.deepEqual(attempts, { kind: 'due', key: purpose, isRetry: false })
    const txHash = await call(purpose, outcome)
    assert.deepEqual(
      await findTransactionAttempts(files.store(), purpose),
      outcome === 'open' ? { kind: 'open', key: purpose } : { kind: 'succeeded', key: purpose, txHash },
    )
  }
})

test('a call that moved nothing is tried under another key, five times in all', async () => {
  const purpose = 'refund:moved nothing'
  const keys: string[] = []
  for (const outcome of ['reverted', 'replaced', 'reverted', 'reverted', 'replaced'] as const) {
    const attempts = await findTransactionAttempts(files.store(), purpose)
    assert.equal(attempts.kind === 'due' && attempts.isRetry, keys.length > 0)
    keys.push(dueKey(attempts))
    await call(dueKey(attempts), outcome)
  }
  assert.equal(new Set(keys).size, 5)
  assert.deepEqual(await findTransactionAttempts(files.store(), purpose), { kind: 'exhausted' })
})

test('a payment that moved nothing is tried under another key, six times in all', async () => {
  const purpose = 'release:moved nothing'
  const keys: string[] = []
  for (const outcome of ['failed', 'expired', 'failed', 'expired', 'failed', 'failed'] as const) {
    const key = dueKey(await findPayoutAttempts(files.store(), purpose))
    keys.push(key)
    await pay(key, outcome)
  }
  assert.equal(new Set(keys).size, 6)
  assert.deepEqual(await findPayoutAttempts(files.store(), purpose), { kind: 'exhausted' })
})

test('a payment is not made because a call with the same key succeeded', async () => {
  await call('refund:same name', 'succeeded')
  const attempts = await findPayoutAttempts(files.store(), 'refund:same name')
  assert.deepEqual(attempts, { kind: 'due', key: 'refund:same name', isRetry: false })
  await pay('refund:same name', 'open')
  assert.deepEqual(await findPayoutAttempts(files.store(), 'refund:same name'), {
    kind: 'open',
    key: 'refund:same name',
  })
})
