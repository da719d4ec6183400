import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Keypair, xdr } from '@stellar/stellar-sdk'
import { z } from 'zod'
import { openStellarWorld, pay, type Rewrite, type StellarWorld } from '../../../test/stellar-world.ts'
import type { PaymentChain } from '../payment-chain.ts'
import { parseSigned, writeSigned } from './signed-text.ts'

let world: StellarWorld

before(async () => {
  world = await openStellarWorld()
})

after(() => world.close())

const payer = () => world.user(3)
const seconds = () => Math.floor(world.now() / 1000)
const sign = (chain: PaymentChain, notAfterSeconds?: number) =>
  chain.sign(
    {
      recipient: world.user(2).publicKey(),
      token: world.token('XLM'),
      amount: 5n,
      memo: `0x${'c5'.repeat(32)}`,
      notAfterSeconds,
    },
    payer().secret(),
  )

/** A started client whose most trusted endpoints answer as rewritten; the others, of three, tell the truth. */
const connectBehind = async (...lies: readonly Rewrite[]): Promise<PaymentChain> => {
  const truth: Rewrite = (_method, result) => result
  const rewrites = [...lies, ...Array.from({ length: 3 - lies.length }, () => truth)]
  const chain = world.connect(await Promise.all(rewrites.map(world.startRelay)))
  await chain.start()
  return chain
}

/** The account's entry as `getLedgerEntries` answers it. */
const entriesOf = async (account: string): Promise<unknown> => {
  const accountId = Keypair.fromPublicKey(account).xdrAccountId()
  const key = xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId })).toXdr('base64')
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 0,
    method: 'getLedgerEntries',
    params: { keys: [key] },
  })
  const answer = await fetch(world.node.rpcUrl, { method: 'POST', body })
  return z.object({ result: z.object({ entries: z.unknown() }) }).parse(await answer.json()).result.entries
}

test('a close time of 1970 from one endpoint of three leaves a payout that lands or expires', async () => {
  let closeTime = 1000
  const chain = await connectBehind((method, result) =>
    method === 'getTransaction' ? { ...result, latestLedgerCloseTime: closeTime } : result,
  )
  for (const lie of [1000, seconds() - 49, seconds() + 15]) {
    closeTime = lie
    const signed = await sign(chain)
    const { signedAfterSeconds, maxTimeSeconds } = parseSigned(signed.rawTransaction)
    assert.ok(signedAfterSeconds >= seconds() - 50, `signed after ${signedAfterSeconds}`)
    assert.equal(maxTimeSeconds, seconds() + 60)
  }
  const lost = await sign(chain)
  await world.closeLedger(61)
  closeTime = seconds()
  assert.equal(await chain.outcome(lost), 'expired')
  await chain.stop()
})

test('signs nothing while two of three endpoints tell an old close time', async () => {
  const old: Rewrite = (method, result) =>
    method === 'getTransaction' ? { ...result, latestLedgerCloseTime: seconds() - 51 } : result
  const chain = await connectBehind(old, old)
  await assert.rejects(sign(chain), /the newest ledger of the node is 51 seconds old/)
  await chain.stop()
})

test('a payout that an earlier release dated in 1970 and whose number was passed expires by the time of its signature', async () => {
  await world.closeLedger(3_600)
  const chain = await connectBehind()
  const signed = await sign(chain)
  const { envelopeXdr } = parseSigned(signed.rawTransaction)
  const dated = {
    txHash: signed.txHash,
    rawTransaction: writeSigned({ envelopeXdr, signedAfterSeconds: 1000, maxTimeSeconds: 1060 }),
  }
  for (const used of [1, 2]) {
    await world.submit(payer(), [pay(world.user(0).publicKey(), `${used}`)])
    await world.closeLedger()
  }
  assert.equal(await chain.outcome(dated), 'pending')
  assert.equal(await chain.outcome({ ...dated, signedAt: world.now() }), 'expired')
  await chain.stop()
})

test('a payout whose text dates it into the future is not taken for dead after the nodes have forgotten it', async () => {
  const chain = await connectBehind()
  const { txHash, rawTransaction } = await sign(chain)
  const { envelopeXdr, maxTimeSeconds } = parseSigned(rawTransaction)
  const forged = {
    txHash,
    rawTransaction: writeSigned({ envelopeXdr, maxTimeSeconds, signedAfterSeconds: 999_999_999_999_999 }),
    signedAt: world.now(),
  }
  await chain.broadcast(forged.rawTransaction)
  await world.closeLedger()
  assert.equal(await chain.outcome(forged), 'succeeded')
  await world.submit(payer(), [pay(world.user(0).publicKey(), '1')])
  for (let closed = 0; closed < 75; closed += 1) await world.closeLedger(2)
  assert.equal(await chain.outcome(forged), 'pending')
  await chain.stop()
})

test('one endpoint of three that tells an old sequence number, or a ledger far ahead, stops no payout', async () => {
  const stale = await entriesOf(payer().publicKey())
  await world.submit(payer(), [pay(world.user(0).publicKey(), '1')])
  await world.closeLedger()
  const lies: readonly Rewrite[] = [
    (method, result) => (method === 'getLedgerEntries' ? { ...result, entries: stale } : result),
    (method, result) => (method === 'getLedgerEntries' ? { ...result, entries: [] } : result),
    (method, result) => (method === 'getTransaction' ? { ...result, latestLedger: 999_999_999 } : result),
  ]
  for (const lie of lies) {
    const chain = await connectBehind(lie)
    const signed = await sign(chain)
    await chain.broadcast(signed.rawTransaction)
    await world.closeLedger()
    assert.equal(await chain.outcome(signed), 'succeeded')
    await chain.stop()
  }
})

test('a payment deadline is judged by the latest of the endpoints that a signature rests on', async () => {
  const chain = await connectBehind((method, result) =>
    method === 'getTransaction' ? { ...result, latestLedgerCloseTime: seconds() - 40 } : result,
  )
  await world.closeLedger()
  await assert.rejects(sign(chain, seconds() + 9), /9 seconds are left/)
  await chain.stop()
})
