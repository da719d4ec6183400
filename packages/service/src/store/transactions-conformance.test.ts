import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { escrowOrderOf } from '../../test/escrow-orders.ts'
import { describeEveryStore } from '../../test/every-store.ts'
import type { Store, StoredPayout, StoredTransaction } from './store.ts'

const CHAIN = 'eip155:31337'
const OTHER_CHAIN = 'eip155:31338'
const LEDGER = 'stellar:testnet'
const hash = (): string => `0x${randomBytes(32).toString('hex')}`
const address = (): string => `0x${randomBytes(20).toString('hex')}`

const transaction = (
  sender: string,
  nonce: number,
  changes: Partial<StoredTransaction> = {},
): StoredTransaction => ({
  key: `refund:${hash()}`,
  chainId: CHAIN,
  sender,
  nonce,
  txHash: hash(),
  earlierTxHashes: [],
  rawTransaction: `0x02${'ab'.repeat(300)}`,
  signedAt: 1_790_000_000_123,
  outcome: 'open',
  ...changes,
})

const payout = (sender: string, changes: Partial<StoredPayout> = {}): StoredPayout => ({
  key: `release:${hash()}`,
  chainId: LEDGER,
  sender,
  recipient: 'GRECIPIENT',
  token: 'CTOKEN',
  amount: 2n ** 256n - 1n,
  memo: hash(),
  notAfterSeconds: undefined,
  txHash: hash(),
  earlierTxHashes: [],
  rawTransaction: 'AAAA/+==',
  signedAt: 1_790_000_000_123,
  outcome: 'open',
  ...changes,
})

const signature = (index: number) => ({
  txHash: hash(),
  rawTransaction: `0x0${index}`,
  signedAt: 1_790_000_001_000 + index,
})

/** What every store keeps of our accounts' signatures and of a solver's declines. */
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

  test('finds a signed transaction with every field by its key', async () => {
    const signed = transaction(address(), 2 ** 40, { earlierTxHashes: [hash(), hash()] })
    assert.equal(await store.findTransaction(signed.key), undefined)
    assert.equal(await store.addTransaction(signed), true)
    await reopen()
    assert.deepEqual(await store.findTransaction(signed.key), signed)
  })

  test('a key and a nonce can each be used once', async () => {
    const sender = address()
    const first = transaction(sender, 0)
    assert.equal(await store.addTransaction(first), true)
    assert.equal(await store.addTransaction(first), false)
    assert.equal(await store.addTransaction(transaction(sender, 1, { key: first.key })), false)
    assert.equal(await store.addTransaction(transaction(sender, 0)), false)
    assert.equal(await store.addTransaction(transaction(sender, 0, { chainId: OTHER_CHAIN })), true)
    assert.equal(await store.addTransaction(transaction(address(), 0)), true)
    assert.deepEqual(await store.findTransaction(first.key), first)
  })

  test('of many entries with one nonce or one key exactly one is stored', async () => {
    const sender = address()
    const key = hash()
    const sameNonce = Array.from({ length: 16 }, () => transaction(sender, 5))
    const sameKey = Array.from({ length: 16 }, (_, nonce) => transaction(sender, 100 + nonce, { key }))
    for (const transactions of [sameNonce, sameKey]) {
      const taken = await Promise.all(transactions.map(store.addTransaction))
      assert.equal(taken.filter(Boolean).length, 1)
    }
    const payouts = Array.from({ length: 16 }, () => payout(sender, { key }))
    const taken = await Promise.all(payouts.map(store.addPayout))
    assert.equal(taken.filter(Boolean).length, 1)
  })

  test('a free nonce is the lowest from a nonce on that no transaction of the sender on the chain has', async () => {
    const sender = address()
    assert.equal(await store.freeNonce(CHAIN, sender, 7), 7)
    for (const nonce of [7, 8, 10, 11, 2 ** 40]) await store.addTransaction(transaction(sender, nonce))
    await store.addTransaction(transaction(sender, 9, { chainId: OTHER_CHAIN }))
    await store.addTransaction(transaction(address(), 12))
    const settled = transaction(sender, 13)
    await store.addTransaction(settled)
    await store.settleTransaction(settled, { outcome: 'succeeded', txHash: settled.txHash })
    for (const [from, free] of [
      [0, 0],
      [6, 6],
      [7, 9],
      [9, 9],
      [10, 12],
      [13, 14],
      [2 ** 40, 2 ** 40 + 1],
    ] as const)
      assert.equal(await store.freeNonce(CHAIN, sender, from), free, `from ${from}`)
  })

  test('a new signature may have another nonce, unless another transaction of the sender has it', async () => {
    const sender = address()
    const [parked, other] = [transaction(sender, 2 ** 40), transaction(sender, 3)]
    await store.addTransaction(parked)
    await store.addTransaction(other)
    assert.equal(await store.resignTransaction(parked, { ...signature(1), nonce: 3 }), false)
    const next = { ...signature(2), nonce: 4 }
    assert.equal(await store.resignTransaction(parked, next), true)
    await reopen()
    const earlierTxHashes = [parked.txHash]
    assert.deepEqual(await store.findTransaction(parked.key), { ...parked, ...next, earlierTxHashes })
    assert.equal(await store.freeNonce(CHAIN, sender, 2 ** 40), 2 ** 40)
  })

  test('the open transactions are those of the sender on the chain, by nonce', async () => {
    const sender = address()
    const transactions = [9, 10, 100].map((nonce) => transaction(sender, nonce))
    for (const one of transactions.toReversed()) await store.addTransaction(one)
    await store.addTransaction(transaction(sender, 2000, { chainId: OTHER_CHAIN }))
    assert.deepEqual(await store.listOpenTransactions(CHAIN, sender), transactions)
    const last = transactions.at(-1)
    assert(last !== undefined)
    await store.settleTransaction(last, { outcome: 'succeeded', txHash: last.txHash })
    assert.deepEqual(await store.listOpenTransactions(CHAIN, sender), transactions.slice(0, 2))
  })

  test('a final outcome names the mined transaction and no later one replaces it', async () => {
    for (const outcome of ['succeeded', 'reverted', 'replaced'] as const) {
      const signed = transaction(address(), 1)
      await store.addTransaction(signed)
      const mined = hash()
      assert.equal(await store.settleTransaction(signed, { outcome, txHash: mined }), true)
      for (const txHash of [signed.txHash, mined]) {
        const seen = { key: signed.key, txHash }
        assert.equal(await store.settleTransaction(seen, { outcome: 'reverted', txHash: hash() }), false)
        assert.equal(await store.resignTransaction(seen, { ...signature(1), nonce: 1 }), false)
      }
      await reopen()
      assert.deepEqual(await store.findTransaction(signed.key), { ...signed, outcome, txHash: mined })
    }
  })

  test('a succeeded transaction can be opened again, with the hash of its stored signature as the newest', async () => {
    const sender = address()
    const signed = transaction(sender, 1)
    await store.addTransaction(signed)
    assert.equal(await store.reopenTransaction(signed, signed.txHash), false)
    const mined = { key: signed.key, txHash: hash() }
    await store.settleTransaction(signed, { outcome: 'succeeded', txHash: mined.txHash })
    assert.equal(await store.reopenTransaction(signed, signed.txHash), false)
    assert.equal(await store.reopenTransaction(mined, signed.txHash), true)
    await reopen()
    const open = { ...signed, earlierTxHashes: [mined.txHash] }
    assert.deepEqual(await store.findTransactionAt(CHAIN, sender, 1), open)
    assert.equal(await store.findTransactionAt(CHAIN, sender, 2), undefined)
    assert.deepEqual(await store.listOpenTransactions(CHAIN, sender), [open])
    const reverted = transaction(address(), 1)
    await store.addTransaction(reverted)
    await store.settleTransaction(reverted, { outcome: 'reverted', txHash: reverted.txHash })
    assert.equal(await store.reopenTransaction(reverted, reverted.txHash), false)
  })

  test('a new signature keeps the earlier hashes, and replaces only the newest one', async () => {
    const signed = transaction(address(), 1)
    await store.addTransaction(signed)
    const [second, third, rival] = [signature(2), signature(3), signature(4)] as const
    const { key } = signed
    assert.equal(await store.resignTransaction(signed, { ...second, nonce: 1 }), true)
    assert.equal(await store.resignTransaction(signed, { ...rival, nonce: 1 }), false)
    assert.equal(await store.resignTransaction({ key, txHash: second.txHash }, { ...third, nonce: 1 }), true)
    assert.equal(
      await store.resignTransaction({ key: 'unknown', txHash: third.txHash }, { ...rival, nonce: 1 }),
      false,
    )
    await reopen()
    const earlierTxHashes = [signed.txHash, second.txHash]
    assert.deepEqual(await store.findTransaction(key), { ...signed, ...third, earlierTxHashes })
  })

  test('does not record an outcome found before another signature took over', async () => {
    const signed = transaction(address(), 1)
    const paid = payout(address())
    await store.addTransaction(signed)
    await store.addPayout(paid)
    const next = signature(5)
    await store.resignTransaction(signed, { ...next, nonce: 1 })
    await store.resignPayout(paid, next)
    const replaced = { outcome: 'replaced', txHash: signed.txHash } as const
    assert.equal(await store.settleTransaction(signed, replaced), false)
    assert.equal(await store.settlePayout(paid, 'expired'), false)
    assert.equal((await store.findTransaction(signed.key))?.outcome, 'open')
    assert.equal((await store.findPayout(paid.key))?.outcome, 'open')
  })

  test('finds a payout with every field by its key, which can be used once', async () => {
    const sender = address()
    const timed = payout(sender, { notAfterSeconds: 1_790_000_060, earlierTxHashes: [hash(), hash()] })
    assert.equal(await store.findPayout(timed.key), undefined)
    assert.equal(await store.addPayout(timed), true)
    assert.equal(await store.addPayout(payout(sender, { key: timed.key })), false)
    const untimed = payout(sender)
    assert.equal(await store.addPayout(untimed), true)
    await reopen()
    assert.deepEqual(await store.findPayout(timed.key), timed)
    assert.deepEqual(await store.findPayout(untimed.key), untimed)
  })

  test('the open payouts are those of the sender on the chain, in the order of their signatures', async () => {
    const sender = address()
    const payouts = [1, 2, 3].map((signedAt) => payout(sender, { signedAt }))
    for (const one of payouts.toReversed()) await store.addPayout(one)
    await store.addPayout(payout(sender, { chainId: 'solana:other' }))
    await store.addPayout(payout(address()))
    assert.deepEqual(await store.listOpenPayouts(LEDGER, sender), payouts)
    const [first] = payouts
    assert(first !== undefined)
    await store.settlePayout(first, 'succeeded')
    assert.deepEqual(await store.listOpenPayouts(LEDGER, sender), payouts.slice(1))
  })

  test('a settled payout never changes', async () => {
    for (const outcome of ['succeeded', 'failed', 'expired'] as const) {
      const paid = payout(address())
      await store.addPayout(paid)
      assert.equal(await store.settlePayout(paid, outcome), true)
      assert.equal(await store.settlePayout(paid, 'failed'), false)
      assert.equal(await store.resignPayout(paid, signature(1)), false)
      await reopen()
      assert.deepEqual(await store.findPayout(paid.key), { ...paid, outcome })
    }
  })

  test('a payout that is signed again keeps the earlier hashes, and replaces only the newest one', async () => {
    const paid = payout(address())
    await store.addPayout(paid)
    const [second, third] = [signature(2), signature(3)] as const
    assert.equal(await store.resignPayout(paid, second), true)
    assert.equal(await store.resignPayout(paid, third), false)
    await reopen()
    assert.deepEqual(await store.findPayout(paid.key), { ...paid, ...second, earlierTxHashes: [paid.txHash] })
  })

  test('a transaction and a payout may have the same key', async () => {
    const key = `refund:${hash()}`
    const [signed, paid] = [transaction(address(), 1, { key }), payout(address(), { key })]
    assert.equal(await store.addTransaction(signed), true)
    assert.equal(await store.addPayout(paid), true)
    assert.deepEqual(await store.findTransaction(key), signed)
    assert.deepEqual(await store.findPayout(key), paid)
  })

  test('a declined order stays declined with its first time', async () => {
    const orderId = hash()
    assert.equal(await store.findDeclinedOrder(orderId), undefined)
    await store.addDeclinedOrder({ orderId, declinedAt: 1_790_000_000_000 })
    await store.addDeclinedOrder({ orderId, declinedAt: 1_790_000_009_000 })
    await reopen()
    assert.deepEqual(await store.findDeclinedOrder(orderId), { orderId, declinedAt: 1_790_000_000_000 })
  })

  test('a fronted delivery is decided once, ends once, and is listed while it is open or young', async () => {
    const [sourceChain, chainId] = [`eip155:${1 + randomBytes(4).readUInt32BE()}`, CHAIN]
    const delivery = (digit: string, decidedAt: number) => ({
      ...{ commandId: `0x${digit.repeat(64)}`, sourceChain, chainId, token: address(), transferId: hash() },
      ...{ amount: 2n ** 255n, mostCost: 10n ** 18n, decidedAt },
    })
    const [old, young, open] = [delivery('a', 100), delivery('b', 200), delivery('c', 50)]
    for (const one of [old, young, open]) assert.equal(await store.addFrontedDelivery(one), true)
    assert.equal(await store.addFrontedDelivery({ ...young, amount: 1n }), false)
    assert.equal(await store.hasRepaidDelivery(sourceChain, chainId), false)
    assert.equal(await store.endFrontedDelivery(old.commandId, 'repaid'), true)
    assert.equal(await store.endFrontedDelivery(old.commandId, 'void'), false)
    assert.equal(await store.endFrontedDelivery(young.commandId, 'void'), true)
    await reopen()
    assert.deepEqual(await store.listFrontedDeliveries(150, 10), [
      { ...young, outcome: 'void' },
      { ...open, outcome: 'open' },
    ])
    assert.deepEqual(await store.listFrontedDeliveries(0, 10, young.commandId), [
      { ...open, outcome: 'open' },
    ])
    assert.equal((await store.listFrontedDeliveries(0, 2)).length, 2)
    assert.equal(await store.hasRepaidDelivery(sourceChain, chainId), true)
    assert.equal(await store.hasRepaidDelivery(chainId, sourceChain), false)
  })

  test('a co-signed payout is replaced only by one that names it', async () => {
    const obligation = `settle:${hash()}`
    const [first, second, third] = [1, 2, 3].map((signedAt) => ({
      txHash: hash(),
      rawTransaction: `stellar:${signedAt}`,
      signedAt,
    }))
    assert.ok(first && second && third)
    assert.equal(await store.findCosigned(obligation), undefined)
    assert.equal(await store.saveCosigned(obligation, first, undefined), true)
    assert.equal(await store.saveCosigned(obligation, second, undefined), false)
    assert.equal(await store.saveCosigned(obligation, second, third.txHash), false)
    assert.equal(await store.saveCosigned(obligation, third, first.txHash), true)
    await reopen()
    assert.deepEqual(await store.findCosigned(obligation), third)
  })

  test('the uses of a deposit are those of different obligations', async () => {
    const deposit = hash()
    for (const amount of [3n, 5n]) await store.useDeposit(deposit, { obligation: 'settle:1', amount })
    await store.useDeposit(deposit, { obligation: 'return:2', amount: 7n })
    await reopen()
    const uses = await store.listDepositUses(deposit)
    assert.deepEqual(
      uses.toSorted((one, other) => Number(one.amount - other.amount)),
      [
        { obligation: 'settle:1', amount: 5n },
        { obligation: 'return:2', amount: 7n },
      ],
    )
  })

  test('the first orders that were named with a muxed id are told with their first times until they are forgotten', async () => {
    const muxedId = BigInt(hash().slice(0, 18))
    const [first, second, third] = [hash(), hash(), hash()]
    await store.nameOrder(muxedId, { orderId: second, namedAt: 20 })
    await store.nameOrder(muxedId, { orderId: first, namedAt: 10 })
    await store.nameOrder(muxedId, { orderId: first, namedAt: 30 })
    await store.nameOrder(muxedId, { orderId: third, namedAt: 40 })
    await reopen()
    assert.deepEqual(await store.listNamedOrders(muxedId), [
      { orderId: first, namedAt: 10 },
      { orderId: second, namedAt: 20 },
    ])
    await store.forgetNamedOrders(40)
    assert.deepEqual(await store.listNamedOrders(muxedId), [{ orderId: third, namedAt: 40 }])
  })

  test('an order is in the newest batch of each purpose', async () => {
    const orderId = hash()
    assert.equal(await store.findBatch('prove', orderId), undefined)
    await store.addToBatch('prove', orderId, { round: 0, key: 'prove:0:a' })
    await store.addToBatch('prove', orderId, { round: 1, key: 'prove:1:b' })
    await store.addToBatch('claim', orderId, { round: 0, key: 'claim:0:c' })
    await reopen()
    assert.deepEqual(await store.findBatch('prove', orderId), { round: 1, key: 'prove:1:b' })
    assert.deepEqual(await store.findBatch('claim', orderId), { round: 0, key: 'claim:0:c' })
    assert.equal(await store.findBatch('claim', hash()), undefined)
  })

  test('claims are listed by order until they are removed', async () => {
    const [first, second] = [hash(), hash()].toSorted()
    assert.ok(first !== undefined && second !== undefined)
    const { order } = escrowOrderOf('SOL')
    const found = { orderId: second, order, fillTxHash: hash() }
    const own = { orderId: first, order, fillTxHash: undefined }
    for (const claim of [found, own, own]) await store.addClaim(claim)
    await reopen()
    assert.deepEqual(await store.listClaims(1), [own])
    assert.deepEqual(await store.listClaims(5, first), [found])
    await store.removeClaim(first)
    await store.removeClaim(first)
    assert.deepEqual(await store.listClaims(5), [found])
    await store.removeClaim(second)
  })
}

describeEveryStore(conformance)
