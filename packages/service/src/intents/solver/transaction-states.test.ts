import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSqliteStore } from '../../store/sqlite.ts'
import { orderKeys } from './order-keys.ts'
import { createTransactionStates } from './transaction-states.ts'

const ORDER_ID = `0x${'ab'.repeat(32)}`

test('looks up a decline again after its save failed, stored or not', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'openrfq-states-'))
  const store = await openSqliteStore({ directory, log: () => {} })
  t.after(async () => {
    await store.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const { decline } = orderKeys(ORDER_ID)
  const lost = new Error('the connection was lost')
  for (const isStored of [false, true]) {
    const states = createTransactionStates({
      ...store,
      addDeclinedOrder: async (declined) => {
        if (isStored) await store.addDeclinedOrder(declined)
        throw lost
      },
    })
    assert.equal(await states.lookUpDeclinedOrder(ORDER_ID), 'none')
    await assert.rejects(states.addDeclinedOrder({ orderId: ORDER_ID, declinedAt: 1 }), lost)
    assert.equal(states.known(decline), 'open')
    assert.equal(await states.lookUpDeclinedOrder(ORDER_ID), isStored ? 'succeeded' : 'none')
  }
})
