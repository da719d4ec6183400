import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { LocalServer } from '../../../test/local-server.ts'
import { type Lie, startLyingNode } from '../../../test/lying-node.ts'
import { type SolanaCluster, startSolanaCluster } from '../../../test/solana-cluster.ts'
import { SOLANA_NATIVE_TOKEN } from './address.ts'
import { PROGRAMS } from './programs.ts'

const PATIENCE_MS = 120_000

let cluster: SolanaCluster
let nodes: readonly LocalServer[]
let lie: Lie | undefined
before(async () => {
  cluster = await startSolanaCluster()
  nodes = await Promise.all([
    startLyingNode(cluster.node.rpcUrl, () => lie),
    startLyingNode(cluster.node.rpcUrl, () => undefined),
    startLyingNode(cluster.node.rpcUrl, () => undefined),
  ])
})
after(async () => {
  for (const node of nodes) node.stop()
  await cluster.stop()
})

const accountsAre =
  (account: unknown): Lie =>
  ({ method }, result) =>
    method === 'getMultipleAccounts' ? { context: { slot: 1 }, value: [account] } : result

test('one endpoint of three decides nothing about whether a payout can be received', async () => {
  const client = await cluster.connect({
    rpcUrls: nodes.map(({ url }) => url),
    timing: { readMs: PATIENCE_MS, recipientMs: 0 },
  })
  const wallet = cluster.wallets[0]?.address ?? ''
  const program = { lamports: 1, owner: PROGRAMS.system, executable: true, data: ['', 'base64'] }
  lie = accountsAre(program)
  assert.equal(
    (await client.whyNotPayable(wallet, SOLANA_NATIVE_TOKEN, 5n))?.reason,
    'the recipient is a program',
  )
  assert.equal(await client.agreedWhyNotPayable(wallet, SOLANA_NATIVE_TOKEN, 5n), undefined)
  lie = accountsAre({ ...program, executable: false, lamports: 10_000_000_000 })
  assert.equal(await client.whyNotPayable(PROGRAMS.memo, SOLANA_NATIVE_TOKEN, 5n), undefined)
  const why = await client.agreedWhyNotPayable(PROGRAMS.memo, SOLANA_NATIVE_TOKEN, 5n)
  assert.equal(why?.reasonCode, 'not_a_wallet')
})

test('SOL is received without an account for a token', async () => {
  const client = await cluster.connect({ timing: { readMs: PATIENCE_MS } })
  const wallet = cluster.wallets[0]?.address ?? ''
  assert.equal(await client.agreedWhyNotPayable(wallet, SOLANA_NATIVE_TOKEN, 5n), undefined)
  const unused = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
  const why = await client.whyNotPayable(unused, SOLANA_NATIVE_TOKEN, 5n)
  assert.equal(why?.reasonCode, 'no_account')
})

test('a token account costs its rent to the payer who opens it, and nothing once it is open', async () => {
  const client = await cluster.connect({ timing: { readMs: PATIENCE_MS, recipientMs: 0 } })
  const wallet = cluster.wallets[0]?.address ?? ''
  const unused = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
  const [usdc, t22] = cluster.mints.map(({ address }) => address)
  const rentOf = (owner: string, token = SOLANA_NATIVE_TOKEN) => client.openingRent(owner, token)
  assert.deepEqual(
    [await rentOf(unused, usdc), await rentOf(unused, t22), await rentOf(unused)],
    [2_039_280n, 2_074_080n, 0n],
  )
  assert.deepEqual([await rentOf(wallet, usdc), await rentOf(wallet, t22)], [0n, 0n])
})
