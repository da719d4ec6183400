import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../../test/eventually.ts'
import { type SolanaCluster, startSolanaCluster } from '../../../test/solana-cluster.ts'
import { SOLANA_NATIVE_TOKEN } from './address.ts'

const SECONDS_LEFT = 30

let nowMs = Date.now()
let cluster: SolanaCluster
before(async () => {
  cluster = await startSolanaCluster(undefined, () => nowMs)
})
after(() => cluster.stop())

test('a payment with a deadline is signed on a chain that has just begun, and cannot land after it', async () => {
  const [payer, other] = cluster.wallets
  assert.ok(payer !== undefined && other !== undefined)
  const paymentChain = await cluster.connect()
  const sign = async () => {
    // A head that was read before the clock moved is stale.
    await until(() => paymentChain.head() !== undefined)
    return paymentChain.sign(
      {
        recipient: other.address,
        token: SOLANA_NATIVE_TOKEN,
        amount: 1_000_000n,
        memo: `0x${'5a'.repeat(32)}`,
        notAfterSeconds: Math.floor(nowMs / 1000) + SECONDS_LEFT,
      },
      payer.secret,
    )
  }
  const [lost, kept] = [await sign(), await sign()]
  assert.equal(lost.txHash, kept.txHash, 'both name the same old block')
  cluster.node.dropNext(1)
  await paymentChain.broadcast(lost.rawTransaction)
  nowMs += SECONDS_LEFT * 1000
  cluster.node.catchUp()
  await until(async () => (await paymentChain.outcome(lost)) === 'expired')

  const paid = await sign()
  await paymentChain.broadcast(paid.rawTransaction)
  cluster.node.advance(6)
  await until(async () => (await paymentChain.outcome(paid)) === 'succeeded')
})
