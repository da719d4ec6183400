import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openOwnStore } from '../../../test/outbox-world.ts'
import { floodDeposit } from '../../../test/test-deposits.ts'
import type { StoredPayment } from '../../store/store.ts'
import { createVaultBooks } from './vault-books.ts'

let files: Awaited<ReturnType<typeof openOwnStore>>
before(async () => {
  files = await openOwnStore()
})
after(() => files.remove())

const CHAIN = 'stellar:books-of-a-flood'
const FLOOD = 2_000

const depositOf = (number: number): StoredPayment => floodDeposit(CHAIN, number, 100n)

test('books read a flood of unconfirmed deposits by pages, and enter what is confirmed, void or replaced', async () => {
  const store = files.store()
  let reads = 0
  const counted = <Args extends readonly unknown[], Result>(read: (...args: Args) => Promise<Result>) => {
    return (...args: Args): Promise<Result> => {
      reads += 1
      return read(...args)
    }
  }
  const books = createVaultBooks({
    chainId: CHAIN,
    vault: 'vault',
    store: {
      listPayments: counted(store.listPayments),
      listUnconfirmedPayments: counted(store.listUnconfirmedPayments),
      findPayment: counted(store.findPayment),
    },
  })
  const deposits = Array.from({ length: FLOOD }, (_, number) => depositOf(number))
  await store.savePayments(CHAIN, { blockNumber: 1_000n, blockHash: '' }, deposits)
  await books.refresh()
  assert.deepEqual(books.entryOf('token'), { received: 0n, unconfirmed: 2_000n, paid: 0n })

  reads = 0
  await books.refresh()
  assert.ok(reads <= 8, `${reads} reads of a store in which nothing changed`)

  const [confirmed, gone, replaced] = deposits
  assert.ok(confirmed !== undefined && gone !== undefined && replaced !== undefined)
  await store.confirmPayment(confirmed)
  reads = 0
  await books.refresh()
  assert.ok(reads <= 9, `${reads} reads of a store in which one payment was confirmed`)
  assert.deepEqual(books.entryOf('token'), { received: 1n, unconfirmed: 1_999n, paid: 0n })

  await store.voidPayment(gone)
  await store.voidPayment(replaced)
  await store.addPayment({ ...replaced, amount: 5n })
  await books.refresh()
  assert.deepEqual(books.entryOf('token'), { received: 1n, unconfirmed: 2_002n, paid: 0n })
})
