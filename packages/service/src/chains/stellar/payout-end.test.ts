import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Keypair, Operation, xdr } from '@stellar/stellar-sdk'
import { z } from 'zod'
import {
  openStellarWorld,
  pay,
  RETAINED_LEDGERS,
  type Rewrite,
  type StellarWorld,
  UNIT,
} from '../../../test/stellar-world.ts'
import type { SignedPayout } from '../payment-chain.ts'

const Entries = z.object({ entries: z.array(z.looseObject({ xdr: z.string() })) })

let world: StellarWorld

before(async () => {
  world = await openStellarWorld()
})

after(() => world.close())

const payer = () => world.user(1)
const sign = (from = payer()): Promise<SignedPayout> =>
  world.chain.sign(
    {
      recipient: world.user(2).publicKey(),
      token: world.token('XLM'),
      amount: UNIT,
      memo: `0x${'c4'.repeat(32)}`,
      notAfterSeconds: undefined,
    },
    from.secret(),
  )

/** Lets every node forget the ledgers of today. */
const prune = async (): Promise<void> => {
  world.passSeconds(120)
  for (let more = 0; more <= RETAINED_LEDGERS; more += 1) world.node.closeLedger()
  await world.closeLedger()
}

/** The outcome by some endpoints: the node's own answers, or changed ones. */
const outcomeBy = async (signed: SignedPayout, rewrites: readonly Rewrite[]) => {
  const urls: string[] = []
  for (const rewrite of rewrites) urls.push(await world.startRelay(rewrite))
  const asked = world.connect(urls)
  return asked.outcome(signed).finally(asked.stop)
}

const honest: Rewrite = (_method, result) => result
const forgetsTransactions: Rewrite = (method, result) =>
  method === 'getTransaction' ? { ...result, status: 'NOT_FOUND' } : result

/** Answers about accounts as of the present state for ever. */
const frozenAccounts = (): Rewrite => {
  let first: object | undefined
  return (method, result) => {
    if (method !== 'getLedgerEntries') return result
    first ??= result
    return { ...first, latestLedger: result['latestLedger'] }
  }
}

/** Raises the number of the answered account by one, which is what the payout uses. */
const withNextNumber = (result: object): object => {
  const { entries } = Entries.parse(result)
  return {
    ...result,
    entries: entries.map((entry) => {
      const data = xdr.LedgerEntryData.fromXdr(entry.xdr, 'base64')
      assert.equal(data.type, 'account')
      const next = new xdr.AccountEntry({ ...data.value, seqNum: data.value.seqNum + 1n })
      return { ...entry, xdr: xdr.LedgerEntryData.account(next).toXdr('base64') }
    }),
  }
}

const useNumber = async (from = payer()): Promise<void> => {
  await world.submit(from, [pay(world.user(0).publicKey(), '1')])
  await world.closeLedger()
}

test('a payout whose sequence number another transaction has used is expired at once', async () => {
  const signed = await sign()
  await useNumber()
  await world.chain.broadcast(signed.rawTransaction)
  assert.equal(await world.chain.outcome(signed), 'expired')
})

test('a payout whose sequence number was passed is expired at once', async () => {
  const signed = await sign()
  await useNumber()
  await useNumber()
  assert.equal(await world.chain.outcome(signed), 'expired')
  const bumped = await sign()
  const { sequence } = await world.server.getAccountEntry(payer().publicKey()).then((entry) => ({
    sequence: entry.seqNum,
  }))
  await world.submit(payer(), [Operation.bumpSequence({ bumpTo: (sequence + 9n).toString() })])
  await world.closeLedger()
  assert.equal(await world.chain.outcome(bumped), 'expired')
})

test('a payout that no ledger included in its time is expired although no node retains that time', async () => {
  world.node.holdNext(1)
  const signed = await sign()
  await world.chain.broadcast(signed.rawTransaction)
  await prune()
  assert.equal(await world.chain.outcome(signed), 'expired')
})

test('a payout that landed stays pending when no node retains its ledger', async () => {
  const signed = await sign()
  await world.chain.broadcast(signed.rawTransaction)
  await world.closeLedger()
  assert.equal(await world.chain.outcome(signed), 'succeeded')
  await prune()
  assert.equal(await world.chain.outcome(signed), 'pending')
  await useNumber()
  assert.equal(await world.chain.outcome(signed), 'pending')
})

test('a payout whose number was used in a retained ledger is expired although its signing is not retained', async () => {
  const signed = await sign()
  await prune()
  await useNumber()
  assert.equal(await world.chain.outcome(signed), 'expired')
  await useNumber()
  assert.equal(await world.chain.outcome(signed), 'pending')
})

test('a payout of an account that was merged is expired while its time is retained', async () => {
  const merged = Keypair.random()
  world.node.faucet(world.token('XLM'), merged.publicKey(), 20n * UNIT)
  await world.closeLedger()
  const signed = await sign(merged)
  await world.submit(merged, [Operation.accountMerge({ destination: world.user(0).publicKey() })])
  await world.closeLedger()
  // It may have landed in the ledger of the merger, which no number tells any more.
  assert.equal(await world.chain.outcome(signed), 'pending')
  world.passSeconds(120)
  await world.closeLedger()
  assert.equal(await world.chain.outcome(signed), 'expired')
  await prune()
  assert.equal(await world.chain.outcome(signed), 'pending')
})

/** A node that has read transactions up to a ledger, and accounts beyond it. */
const historyUntil =
  (ledger: number): Rewrite =>
  (method, result) => {
    if (!['getTransaction', 'getLedgerEntries'].includes(method)) return result
    const cut = { ...result, latestLedger: Math.min(ledger, Number(Object(result).latestLedger)) }
    return method === 'getTransaction' && Number(Object(result).ledger) > ledger
      ? { ...cut, status: 'NOT_FOUND' }
      : cut
  }

test('a payout that landed is not expired where every node shows the new number before the transaction', async () => {
  const signed = await sign()
  const { sequence } = await world.server.getLatestLedger()
  await world.chain.broadcast(signed.rawTransaction)
  await world.closeLedger()
  const ahead = historyUntil(sequence)
  assert.equal(await outcomeBy(signed, [ahead, ahead, ahead]), 'pending')
  assert.equal(await outcomeBy(signed, [honest, honest, honest]), 'succeeded')
})

test('one endpoint that tells another sequence number ends no payout', async () => {
  const stale = frozenAccounts()
  const open = await sign()
  assert.equal(await outcomeBy(open, [stale, honest, honest]), 'pending')
  await world.chain.broadcast(open.rawTransaction)
  await world.closeLedger()
  await world.closeLedger(120)
  assert.equal(await outcomeBy(open, [stale, honest, honest]), 'succeeded')
  // The liar denies the transaction too, and its account's number is the one before the payout.
  const liar: Rewrite = (method, result) => stale(method, Object(forgetsTransactions(method, result)))
  assert.equal(await outcomeBy(open, [liar, honest, honest]), 'succeeded')
  assert.equal(await outcomeBy(open, [liar, honest, () => undefined]), 'pending')
})

test('one endpoint that tells a used sequence number ends no payout', async () => {
  const signed = await sign()
  const liar: Rewrite = (method, result) => (method === 'getLedgerEntries' ? withNextNumber(result) : result)
  assert.equal(await outcomeBy(signed, [liar, honest, honest]), 'pending')
  assert.equal(await outcomeBy(signed, [liar, honest, () => undefined]), 'pending')
  await world.chain.broadcast(signed.rawTransaction)
  await world.closeLedger()
  assert.equal(await outcomeBy(signed, [liar, honest, honest]), 'succeeded')
})

// What a node that is about to know the payout says of its newest ledger at each lookup; its accounts are ahead.
for (const [name, behind, outcome] of [
  ['has not the ledger', [1, 1, 1], 'pending'],
  ['closes the ledger after the lookup', [1, 1, 0], 'pending'],
  ['closes the ledger before the last lookup', [1, 0], 'succeeded'],
  ['is behind again at the last lookup', [1, 0, 1], 'pending'],
] as const)
  test(`a node whose history ${name} of the payout proves no expiry`, async () => {
    const signed = await sign()
    await world.chain.broadcast(signed.rawTransaction)
    await world.closeLedger()
    const ledger = Number(world.height())
    let looks = 0
    const racing: Rewrite = (method, result) => {
      if (method !== 'getTransaction') return result
      const lag = behind[looks]
      looks += 1
      return lag === undefined ? result : { ...result, status: 'NOT_FOUND', latestLedger: ledger - lag }
    }
    assert.equal(await outcomeBy(signed, [racing]), outcome)
  })

test('a payout included in the last ledger of its time is never expired', async () => {
  const signed = await sign()
  await world.chain.broadcast(signed.rawTransaction)
  await world.closeLedger(60)
  let looks = 0
  const racing: Rewrite = (method, result) => {
    if (method === 'getTransaction') looks += 1
    const isFirst = looks === 1
    return isFirst ? { ...result, status: 'NOT_FOUND' } : result
  }
  assert.equal(await outcomeBy(signed, [racing]), 'succeeded')
  const behind = frozenAccounts()
  const other = await sign()
  await outcomeBy(other, [behind])
  await world.chain.broadcast(other.rawTransaction)
  await world.closeLedger(60)
  await world.closeLedger(1)
  assert.equal(await outcomeBy(other, [behind, honest, honest]), 'succeeded')
  // An account as of an older ledger than the time bound proves nothing.
  const old: Rewrite = (method, result) => {
    const { latestLedger, ...frozen } = Object(behind(method, result))
    return method === 'getLedgerEntries'
      ? { ...frozen, latestLedger: Number(latestLedger) - 2 }
      : forgetsTransactions(method, result)
  }
  assert.equal(await outcomeBy(other, [old]), 'pending')
})
