import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { LocalServer } from '../../../test/local-server.ts'
import { type Lie, startLyingNode } from '../../../test/lying-node.ts'
import { type ClusterWallet, type SolanaCluster, startSolanaCluster } from '../../../test/solana-cluster.ts'
import { memo, sol, tokens } from '../../../test/solana-instructions.ts'
import type { PaymentChain } from '../payment-chain.ts'
import { encodeBase58 } from './base58.ts'

const PATIENCE_MS = 120_000
const TIMING = { pollMs: 1_000, readMs: PATIENCE_MS, paymentsMs: PATIENCE_MS }

let cluster: SolanaCluster
let liar: LocalServer
let lie: Lie | undefined
let chain: PaymentChain
let payer: ClusterWallet
let payee: ClusterWallet
const asked: string[] = []

before(async () => {
  cluster = await startSolanaCluster()
  liar = await startLyingNode(cluster.node.rpcUrl, () => (call, result) => {
    asked.push(call.method)
    return lie === undefined ? result : lie(call, result)
  })
  const [first, second] = cluster.wallets
  assert.ok(first !== undefined && second !== undefined)
  ;[payer, payee] = [first, second]
  const rpcUrls = [liar.url, ...[1, 2].map((place) => `${cluster.node.rpcUrl}/?${place}`)]
  chain = await cluster.connect({ rpcUrls, timing: TIMING })
})
after(async () => {
  liar.stop()
  await cluster.stop()
})

const named = (txHash: string) => ({ txHash, from: payer.address, to: payee.address })

test('the payments of a named transaction are read once it is final', async () => {
  const [usdc] = cluster.mints
  const txHash = await cluster.send(payer, [tokens(payer, payee.address, usdc, 7n), memo('of this order')])
  cluster.node.advance(2)
  await assert.rejects(chain.paymentsIn(named(txHash)), { code: 'NODE_BEHIND' })
  cluster.node.advance(8)
  const [paid, ...others] = await chain.paymentsIn(named(txHash))
  assert.deepEqual(others, [])
  assert.deepEqual(paid && [paid.txHash, paid.from, paid.to, paid.token, paid.amount, paid.memo], [
    txHash,
    payer.address,
    payee.address,
    usdc.address,
    7n,
    'of this order',
  ])
})

test('a named payment is confirmed without a list of any account', async () => {
  const txHash = await cluster.send(payer, [sol(payer, payee.address, 11n)])
  cluster.node.advance(8)
  asked.splice(0)
  assert.equal((await chain.paymentsIn(named(txHash)))[0]?.amount, 11n)
  assert.deepEqual(
    asked.filter((method) => method === 'getSignaturesForAddress'),
    [],
  )
})

test('one endpoint of three neither invents, hides nor moves a named payment', async () => {
  const txHash = await cluster.send(payer, [sol(payer, payee.address, 13n)])
  cluster.node.advance(8)
  const truth = await chain.paymentsIn(named(txHash))
  const lies: readonly Lie[] = [
    ({ method }, result) => (method === 'getTransaction' ? null : result),
    ({ method }, result) =>
      method === 'getTransaction' && typeof result === 'object' && result !== null
        ? { ...result, slot: 5 }
        : result,
  ]
  for (const told of lies) {
    lie = told
    assert.deepEqual(await chain.paymentsIn(named(txHash)), truth)
    lie = undefined
  }
  const unknown = encodeBase58(Buffer.alloc(64, 9))
  await assert.rejects(chain.paymentsIn(named(unknown)), { code: 'NODE_BEHIND' })
})
