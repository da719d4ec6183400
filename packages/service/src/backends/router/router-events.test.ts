import assert from 'node:assert/strict'
import { test } from 'node:test'
import { delivered, EXECUTE_TX, head, OUTPUT, TO, TRANSFER_ID } from '../../../test/express-scene.ts'
import { memoryChain, receiptOf } from '../../../test/memory-chain.ts'
import type { EvmReceipt } from '../../chains/evm/evm-chain.ts'
import { readRouterEvents } from './router-events.ts'

const log = delivered()
const wanted = {
  router: log.address,
  transferId: TRANSFER_ID,
  delivered: { token: OUTPUT, payee: `0x${(log.topics[3] ?? '').slice(26)}` },
}

/** A chain with the delivery, whose endpoints refuse to search for logs. */
const chainWith = (changes: Partial<EvmReceipt> = {}) => ({
  ...memoryChain(TO, [{ ...receiptOf(EXECUTE_TX, 1_000_030, [log]), ...changes }], { head: () => head }),
  recentLogs: () => Promise.reject(new Error('query exceeds max block range 100')),
})

test('a final delivery in the transaction that the indexer names is found without a search', async () => {
  const [event, ...others] = await readRouterEvents(chainWith(), wanted, [EXECUTE_TX])
  assert.equal(event?.kind, 'delivered')
  assert.deepEqual(others, [])
})

test('without a final event in the named transaction the logs are searched', async () => {
  await assert.rejects(readRouterEvents(chainWith({ final: false }), wanted, [EXECUTE_TX]), /max block range/)
  await assert.rejects(readRouterEvents(chainWith(), wanted, []), /max block range/)
})
