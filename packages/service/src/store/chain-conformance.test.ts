import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { describeEveryStore } from '../../test/every-store.ts'
import { firstQuoteId } from '../core/quote-id.ts'
import type { ChainEvent, Store, StoredPayment } from './store.ts'

const CHAIN = 'eip155:31337'
const OTHER_CHAIN = 'eip155:31338'
const hash = (): string => `0x${randomBytes(32).toString('hex')}`

const event = (orderId: string, changes: Partial<ChainEvent> = {}): ChainEvent => ({
  orderId,
  chainId: CHAIN,
  txHash: hash(),
  position: 3,
  blockNumber: 5_000_000_000n,
  blockHash: hash(),
  timestampSeconds: 1_790_000_000,
  topics: [hash(), orderId],
  data: '0x00ff',
  ...changes,
})

const payment = (changes: Partial<StoredPayment> = {}): StoredPayment => ({
  chainId: 'stellar:testnet',
  txHash: randomBytes(32).toString('hex'),
  position: 2 ** 30,
  blockNumber: 2n ** 40n,
  timestampSeconds: 1_790_000_000,
  from: 'GPAYER',
  to: 'GVAULT',
  muxedId: 2n ** 64n - 1n,
  token: 'CTOKEN',
  amount: 2n ** 256n - 1n,
  memo: 'a "memo" of ü',
  role: 'deposit',
  orderId: hash(),
  quoteId: firstQuoteId(1_790_000_000_000, 5n),
  settled: false,
  confirmed: false,
  ...changes,
})

/** What every store keeps of chain data. */
const conformance = (open: () => Promise<Store>): void => {
  let store: Store
  before(async () => {
    store = await open()
  })
  after(() => store.close())
  const reopen = async (): Promise<void> => {
    await store.close()
    store = await open()
  }

  test('an unread chain has no cursor, and an unknown order no events', async () => {
    assert.equal(await store.findCursor('eip155:1'), undefined)
    assert.deepEqual(await store.findChainEvents(hash()), [])
  })

  test('finds events by order with every field, by chain, block and position', async () => {
    const orderId = hash()
    const events = [
      event(orderId, { blockNumber: 9n, position: 0 }),
      event(orderId, { blockNumber: 10n, position: 2 }),
      event(orderId, { blockNumber: 10n, position: 10 }),
      event(orderId, { chainId: OTHER_CHAIN, blockNumber: 1n }),
    ]
    const [first, second, third, other] = events
    assert(first !== undefined && second !== undefined && third !== undefined && other !== undefined)
    await store.saveChainEvents(OTHER_CHAIN, { blockNumber: 4n, blockHash: '0x04' }, [other])
    const cursor = { blockNumber: 11n, blockHash: hash() }
    await store.saveChainEvents(CHAIN, cursor, [third, event(hash()), first, second])
    await reopen()
    assert.deepEqual(await store.findChainEvents(orderId), events)
    assert.deepEqual(await store.findCursor(CHAIN), cursor)
    assert.deepEqual(await store.findCursor(OTHER_CHAIN), { blockNumber: 4n, blockHash: '0x04' })
  })

  test('ignores an event that is already stored, also twice in one save', async () => {
    const known = event(hash())
    const fresh = event(known.orderId, { txHash: known.txHash, position: known.position + 1 })
    await store.saveChainEvents(CHAIN, { blockNumber: 1n, blockHash: '0x01' }, [known, known])
    await store.saveChainEvents(CHAIN, { blockNumber: 2n, blockHash: '0x02' }, [
      { ...known, data: '0xee' },
      fresh,
    ])
    assert.deepEqual(await store.findChainEvents(known.orderId), [known, fresh])
  })

  test('a cursor keeps the time of its block and the first block of its chain', async () => {
    const cursor = {
      blockNumber: 12n,
      blockHash: hash(),
      timestampSeconds: 1_800_000_000,
      genesisHash: hash(),
    }
    await store.saveChainEvents('eip155:12', cursor, [])
    assert.deepEqual(await store.findCursor('eip155:12'), cursor)
    const { blockNumber, blockHash } = cursor
    await store.saveChainEvents('eip155:12', { blockNumber, blockHash }, [])
    assert.deepEqual(await store.findCursor('eip155:12'), { blockNumber, blockHash })
  })

  test('moves a cursor without events', async () => {
    await store.saveChainEvents('eip155:7', { blockNumber: 2n ** 40n, blockHash: '0x07' }, [])
    await store.saveChainEvents('eip155:7', { blockNumber: 3n, blockHash: '0x08' }, [])
    assert.deepEqual(await store.findCursor('eip155:7'), { blockNumber: 3n, blockHash: '0x08' })
  })

  test('events that cannot be stored leave the cursor and other events unchanged', async () => {
    const [good, alone] = [event(hash()), event(hash())]
    const bad = event(hash(), { position: Number.NaN })
    const [refused, kept] = await Promise.allSettled([
      store.saveChainEvents('eip155:8', { blockNumber: 1n, blockHash: '0x01' }, [good, bad]),
      store.saveChainEvents('eip155:9', { blockNumber: 1n, blockHash: '0x01' }, [alone]),
    ])
    assert.equal(refused.status, 'rejected')
    assert.equal(kept.status, 'fulfilled')
    assert.equal(await store.findCursor('eip155:8'), undefined)
    assert.deepEqual(await store.findChainEvents(good.orderId), [])
    assert.deepEqual(await store.findChainEvents(alone.orderId), [alone])
  })

  test('finds payments by order with every field, in chain order', async () => {
    const orderId = hash()
    const nameless = { orderId, quoteId: undefined, muxedId: undefined, memo: undefined }
    const payments = [
      payment({ ...nameless, blockNumber: 9n, txHash: 'ff', position: 0, role: 'fill', amount: 1n }),
      payment({ orderId, blockNumber: 10n, txHash: 'aa', position: 2 }),
      payment({ orderId, blockNumber: 10n, txHash: 'aa', position: 10 }),
      payment({ orderId, blockNumber: 10n, txHash: 'ab', position: 1 }),
    ]
    const cursor = { blockNumber: 11n, blockHash: '' }
    await store.savePayments('stellar:testnet', cursor, [...payments.toReversed(), payment()])
    await reopen()
    assert.deepEqual(await store.findPayments(orderId), payments)
    assert.deepEqual(await store.findCursor('stellar:testnet'), cursor)
    assert.deepEqual(await store.findPayments(hash()), [])
  })

  test('adds a payment without a cursor, once, and in the place of a void one', async () => {
    const fill = payment({ role: 'fill', chainId: 'stellar:fills' })
    await store.addPayment(fill)
    await store.addPayment({ ...fill, amount: 1n })
    await reopen()
    assert.deepEqual(await store.findPayments(fill.orderId ?? ''), [fill])
    assert.equal(await store.findCursor('stellar:fills'), undefined)
    await store.voidPayment(fill)
    await store.addPayment({ ...fill, amount: 2n })
    assert.deepEqual(await store.findPayments(fill.orderId ?? ''), [{ ...fill, amount: 2n }])
  })

  test('ignores a payment that is already stored, which stays settled', async () => {
    const known = payment()
    const cursor = { blockNumber: 1n, blockHash: '' }
    await store.savePayments(known.chainId, cursor, [known, known])
    await store.settleDeposits([known, known])
    await store.savePayments(known.chainId, cursor, [{ ...known, amount: 1n }])
    const found = await store.findPayments(known.orderId ?? '')
    assert.deepEqual(found, [{ ...known, settled: true }])
  })

  test('payments that cannot be stored leave the cursor unchanged', async () => {
    const [good, bad] = [payment(), payment({ position: Number.NaN })]
    const cursor = { blockNumber: 1n, blockHash: '' }
    await assert.rejects(store.savePayments('stellar:8', cursor, [good, bad]))
    assert.equal(await store.findCursor('stellar:8'), undefined)
    assert.deepEqual(await store.findPayments(good.orderId ?? ''), [])
  })

  test('lists unsettled deposits page by page until they are settled, and never fills', async () => {
    const chainId = 'solana:pages'
    const deposits = Array.from({ length: 5 }, (_, index) =>
      payment({ chainId, txHash: `${index >> 1}`, position: index & 1 }),
    )
    const fill = payment({ chainId, role: 'fill' })
    await store.savePayments(chainId, { blockNumber: 1n, blockHash: '' }, [fill, ...deposits])
    const start = { chainId, txHash: '', position: 0 }
    const first = await store.listUnsettledDeposits(3, start)
    assert.deepEqual(first, deposits.slice(0, 3))
    const ofChain = async (after: StoredPayment | undefined) =>
      (await store.listUnsettledDeposits(100, after)).filter((one) => one.chainId === chainId)
    assert.deepEqual(await ofChain(first.at(-1)), deposits.slice(3))
    await store.settleDeposits([fill, ...deposits.slice(1)])
    await reopen()
    assert.deepEqual(await ofChain(undefined), deposits.slice(0, 1))
    assert.equal((await store.findPayments(fill.orderId ?? ''))[0]?.settled, false)
    await store.settleDeposits([])
  })

  test('lists unmatched deposits as they are due, and holds one until it is freed, once each', async () => {
    const chainId = 'stellar:unmatched'
    const unmatched = { chainId, orderId: undefined, quoteId: undefined } as const
    const [second, first, third] = [2n, 1n, 3n].map((blockNumber) => payment({ ...unmatched, blockNumber }))
    assert.ok(first !== undefined && second !== undefined && third !== undefined)
    const ofOrder = payment({ chainId })
    await store.savePayments(chainId, { blockNumber: 3n, blockHash: '' }, [second, first, third, ofOrder])
    const due = async (after: number, until: number) =>
      (await store.listUnmatchedDeposits(after, until, 100)).filter((one) => one.chainId === chainId)
    const fresh = { failures: 0, unpayable: 0 }
    assert.deepEqual(
      await due(-1, 0),
      [first, second, third].map((one) => ({ ...one, ...fresh })),
    )
    await store.postponeDeposit(first, { failures: 3, unpayable: 2, tryAt: 2_000_000_000_000 })
    await store.postponeDeposit(second, { ...fresh, tryAt: 1_900_000_000_000 })
    const held = { heldAt: 1_800_000_000_000, why: 'the account does not exist' }
    for (const [key, isHeld] of [
      [third, true],
      [third, false],
      [ofOrder, false],
    ] as const)
      assert.equal(await store.holdDeposit(key, held), isHeld)
    await reopen()
    assert.deepEqual(await due(0, 1_999_999_999_999), [{ ...second, ...fresh }])
    assert.deepEqual(await due(0, 2_000_000_000_000), [
      { ...second, ...fresh },
      { ...first, failures: 3, unpayable: 2 },
    ])
    const heldOfChain = async () =>
      (await store.listHeldDeposits(100)).filter((one) => one.chainId === chainId)
    assert.deepEqual(await heldOfChain(), [{ ...third, settled: true, ...held }])
    assert.deepEqual(await store.listHeldDeposits(100, third), [])
    assert.equal((await store.countHeldDeposits()).get(chainId), 1)
    for (const isFreed of [true, false]) assert.equal(await store.freeDeposit(third), isFreed)
    assert.equal(await store.freeDeposit(ofOrder), false)
    assert.deepEqual([await heldOfChain(), (await store.countHeldDeposits()).get(chainId)], [[], undefined])
    assert.deepEqual(await due(-1, 0), [{ ...third, ...fresh }])
    await store.holdDeposit(third, held)
    await store.voidPayment(third)
    assert.deepEqual(await heldOfChain(), [])
    await store.addPayment(third)
    assert.deepEqual([await heldOfChain(), await due(-1, 0)], [[], [{ ...third, ...fresh }]])
  })

  test('lists the payments of a chain page by page, by block, transaction and position', async () => {
    const chainId = 'stellar:books'
    const place = (block: bigint, txHash: string, position: number) =>
      payment({ chainId, blockNumber: block, txHash, position, role: 'payout' })
    const payments = [place(2n, 'b', 0), place(2n, 'b', 1), place(2n, 'c', 0), place(11n, 'a', 0)]
    const cursor = { blockNumber: 11n, blockHash: '' }
    await store.savePayments(chainId, cursor, [
      ...payments.toReversed(),
      payment({ chainId: 'stellar:other' }),
    ])
    const first = await store.listPayments(chainId, 3)
    assert.deepEqual(first, payments.slice(0, 3))
    assert.deepEqual(await store.listPayments(chainId, 3, first.at(-1)), payments.slice(3))
    assert.deepEqual(await store.listPayments(chainId, 3, payments.at(-1)), [])
  })

  test('a payment is unconfirmed until it is confirmed, and found no more once it is void', async () => {
    const chainId = 'stellar:standing'
    const kept = payment({ chainId, blockNumber: 3n })
    const made = payment({ chainId, blockNumber: 2n })
    await store.savePayments(chainId, { blockNumber: 9n, blockHash: '' }, [kept, made])
    assert.deepEqual(await store.listUnconfirmedPayments(chainId, 10), [made, kept])
    assert.deepEqual(await store.listUnconfirmedPayments(chainId, 1), [made])
    assert.deepEqual(await store.listUnconfirmedPayments(chainId, 10, made), [kept])
    assert.equal(await store.newestConfirmedPayment(chainId, 9n), undefined)
    await store.confirmPayment(kept)
    await store.voidPayment(made)
    await store.confirmPayment(made)
    await reopen()
    assert.deepEqual(await store.listUnconfirmedPayments(chainId, 10), [])
    assert.deepEqual(await store.findPayment(kept), { ...kept, confirmed: true })
    assert.deepEqual(await store.newestConfirmedPayment(chainId, 9n), { ...kept, confirmed: true })
    assert.equal(await store.newestConfirmedPayment(chainId, 2n), undefined)
    assert.deepEqual(
      [
        await store.findPayment(made),
        await store.findPayments(made.orderId ?? ''),
        (await store.listPayments(chainId, 10)).map(({ txHash }) => txHash),
        (await store.listUnsettledDeposits(1_000)).filter(({ txHash }) => txHash === made.txHash),
      ],
      [undefined, [], [kept.txHash], []],
    )
  })

  test('a payment takes the place of a void one of the same transaction and position', async () => {
    const chainId = 'stellar:replaced'
    const cursor = { blockNumber: 9n, blockHash: '' }
    const altered = payment({ chainId, orderId: undefined, quoteId: undefined, amount: 5n, role: 'payout' })
    const { txHash, position } = altered
    const made = payment({ chainId, txHash, position, blockNumber: 8n, amount: 1_000n })
    await store.savePayments(chainId, cursor, [altered])
    await store.savePayments(chainId, cursor, [made])
    assert.deepEqual(await store.findPayment(made), altered)
    await store.voidPayment(altered)
    await store.savePayments(chainId, cursor, [made, made])
    await reopen()
    assert.deepEqual(await store.findPayment(altered), made)
    assert.deepEqual(await store.listUnconfirmedPayments(chainId, 10), [made])
  })

  test('the deposits of the order that a void payout paid are unsettled again', async () => {
    const chainId = 'stellar:void'
    const orderId = hash()
    const [deposit, other] = [payment({ chainId, orderId }), payment({ chainId })]
    const paid = payment({ chainId, orderId, role: 'payout' })
    await store.savePayments(chainId, { blockNumber: 1n, blockHash: '' }, [deposit, other, paid])
    await store.settleDeposits([deposit, other])
    const found = { recipient: 'GSOLVER', token: 'CTOKEN', amount: 1n, memo: orderId, signedAt: 1 }
    const entry = { ...found, key: `release:${orderId}`, chainId, sender: 'GVAULT', txHash: paid.txHash }
    const ended = { earlierTxHashes: [], rawTransaction: '', notAfterSeconds: undefined } as const
    await store.addPayout({ ...entry, ...ended, outcome: 'succeeded' })
    await store.voidPayment(paid)
    assert.deepEqual(await store.findPayments(orderId), [deposit])
    assert.equal((await store.findPayment(other))?.settled, true)
    assert.equal((await store.findPayout(entry.key))?.outcome, 'failed')
  })

  test('a signed payout that a void payment seemed to be is open again, and its deposit unsettled', async () => {
    const chainId = 'stellar:void-return'
    const [deposit, other] = [payment({ chainId, position: 1 }), payment({ chainId, position: 11 })]
    const paid = payment({ chainId, role: 'payout' })
    const late = { ...other, txHash: deposit.txHash }
    await store.savePayments(chainId, { blockNumber: 1n, blockHash: '' }, [deposit, late, paid])
    await store.settleDeposits([deposit, late])
    const key = `return:${chainId}:${deposit.txHash}:${deposit.position}`
    const signed = {
      recipient: 'GPAYER',
      token: 'CTOKEN',
      amount: 1n,
      memo: hash(),
      signedAt: 1,
      key,
      chainId,
    }
    const ended = { earlierTxHashes: [], rawTransaction: 'signed', notAfterSeconds: undefined } as const
    const entry = {
      ...signed,
      ...ended,
      sender: 'GVAULT',
      txHash: paid.txHash,
      outcome: 'succeeded',
    } as const
    await store.addPayout(entry)
    await store.voidPayment(paid)
    const isSettled = async (one: StoredPayment) => (await store.findPayment(one))?.settled
    assert.deepEqual([await isSettled(deposit), await isSettled(late)], [false, true])
    assert.equal((await store.findPayout(key))?.outcome, 'open')
  })
}

describeEveryStore(conformance)
