import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually, until } from '../../../test/eventually.ts'
import type { LocalServer } from '../../../test/local-server.ts'
import { type Call, type Lie, startLyingNode } from '../../../test/lying-node.ts'
import { type ClusterWallet, type SolanaCluster, startSolanaCluster } from '../../../test/solana-cluster.ts'
import type { PaymentChain, SignedPayout } from '../payment-chain.ts'
import { SOLANA_NATIVE_TOKEN } from './address.ts'
import { parseRawPayout } from './raw-payout.ts'

/** A hash of no block. */
const MADE_UP = '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM'

let cluster: SolanaCluster
let payer: ClusterWallet
let recipient: ClusterWallet
let nodes: readonly LocalServer[]
let chain: PaymentChain
const lies: (Lie | undefined)[] = []

before(async () => {
  cluster = await startSolanaCluster()
  const [first, second] = cluster.wallets
  assert.ok(first !== undefined && second !== undefined)
  ;[payer, recipient] = [first, second]
  nodes = await Promise.all(
    [0, 1, 2].map((position) => startLyingNode(cluster.node.rpcUrl, () => lies[position])),
  )
  cluster.node.advance(20)
  chain = await connect()
})
after(async () => {
  await cluster.stop()
  for (const node of nodes) await node.stop()
})

const connect = (): Promise<PaymentChain> => cluster.connect({ rpcUrls: nodes.map(({ url }) => url) })

/** Runs work while the first endpoints lie, and lets them tell the truth again. */
const whileLying = async <Value>(tell: Lie, liars: number, work: () => Promise<Value>): Promise<Value> => {
  lies.fill(undefined)
  for (let position = 0; position < liars; position += 1) lies[position] = tell
  try {
    return await work()
  } finally {
    lies.length = 0
  }
}

const sign = (client = chain, notAfterSeconds?: number): Promise<SignedPayout> =>
  client.sign(
    {
      recipient: recipient.address,
      token: SOLANA_NATIVE_TOKEN,
      amount: 777n,
      memo: `0x${'ab'.repeat(32)}`,
      notAfterSeconds,
    },
    payer.secret,
  )

const members = (value: unknown): Record<string, unknown> =>
  // CAST: the nodes of these tests answer objects where this is called.
  value as Record<string, unknown>

/** Tells another hash and height wherever a node tells a blockhash. */
const otherBlockhash =
  (blocks: number, blockhash?: string): Lie =>
  ({ method }: Call, result: unknown) => {
    const hash = blockhash === undefined ? {} : { blockhash }
    if (method === 'getBlock')
      return { ...members(result), ...hash, blockHeight: Number(members(result)['blockHeight']) + blocks }
    if (method !== 'getLatestBlockhash') return result
    const value = members(members(result)['value'])
    const lastValidBlockHeight = Number(value['lastValidBlockHeight']) + blocks
    return { ...members(result), value: { ...value, ...hash, lastValidBlockHeight } }
  }

const trueHeightOf = async (): Promise<bigint> => {
  const body = { jsonrpc: '2.0', id: 1, method: 'getBlockHeight', params: [{ commitment: 'confirmed' }] }
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(cluster.node.rpcUrl, { method: 'POST', headers, body: JSON.stringify(body) })
  return BigInt(members(await response.json())['result'] as number)
}

test('one endpoint cannot make a payment expire early, so that it would be signed twice', async () => {
  const signed = await whileLying(otherBlockhash(-15), 1, async () => {
    const client = await connect()
    return sign(client)
  })
  assert.equal(parseRawPayout(signed.rawTransaction).lastValidBlockHeight, (await trueHeightOf()) + 150n)
  cluster.node.advance(145)
  assert.equal(await chain.outcome(signed), 'pending')
  await chain.broadcast(signed.rawTransaction)
  cluster.node.advance(6)
  assert.equal(await chain.outcome(signed), 'succeeded')
})

test('one endpoint cannot make a payment stay open for ever', async () => {
  for (const [blocks, blockhash] of [
    [1_000_000_000, MADE_UP],
    [1_000_000_000, undefined],
    [0, MADE_UP],
  ] as const) {
    const signed = await whileLying(otherBlockhash(blocks, blockhash), 1, async () => sign(await connect()))
    assert.equal(await chain.outcome(signed), 'pending')
    cluster.node.advance(160)
    assert.equal(await chain.outcome(signed), 'expired', `${blocks} ${blockhash}`)
  }
})

test('one endpoint that tells slots of the future or of the past stops no payment', async () => {
  for (const slots of [1_000_000, -10]) {
    const shifted: Lie = ({ method }, result) =>
      method === 'getSlot' ? Math.max(1, Number(result) + slots) : result
    const signed = await whileLying(shifted, 1, () => sign())
    assert.equal(await chain.outcome(signed), 'pending')
    cluster.node.advance(160)
    assert.equal(await chain.outcome(signed), 'expired', `${slots}`)
  }
})

test('two endpoints that tell the same low height do not make a payment expire while the third calls its blockhash valid', async () => {
  const signed = await whileLying(otherBlockhash(-148), 2, async () => sign(await connect()))
  cluster.node.advance(14)
  assert.equal(await chain.outcome(signed), 'pending')
  await chain.broadcast(signed.rawTransaction)
  cluster.node.advance(6)
  assert.equal(await chain.outcome(signed), 'succeeded')
})

test('a payment with a deadline names a blockhash that a quorum tells', async () => {
  cluster.node.advance(200)
  const newest = Math.floor(Date.now() / 1_000)
  const full = (await trueHeightOf()) + 150n
  let deadline = newest
  const honest = await eventually('a payment that lives shorter than others', async () => {
    deadline += 1
    return sign(chain, deadline).then(
      ({ rawTransaction }) => parseRawPayout(rawTransaction),
      () => undefined,
    )
  })
  assert.ok(honest.lastValidBlockHeight < full)
  for (const lie of [otherBlockhash(-15), otherBlockhash(15, MADE_UP)]) {
    const signed = await whileLying(lie, 1, () => sign(chain, deadline))
    assert.deepEqual(
      { ...parseRawPayout(signed.rawTransaction), transaction: '' },
      { ...honest, transaction: '' },
    )
  }
})

test('nothing is signed while no quorum tells a block, and signing goes on by itself afterwards', async () => {
  const everyone: Lie = ({ method, id }, result) =>
    method === 'getBlock' ? { ...members(result), blockHeight: Number(id) + Math.random() } : result
  await whileLying(everyone, 3, () => assert.rejects(sign()))
  await sign()
})

test('one endpoint neither raises nor lowers the fee of payments', async () => {
  const honest = chain.head()?.paymentFee
  const dear: Lie = ({ method }, result) =>
    method === 'getRecentPrioritizationFees' ? [{ slot: 1, prioritizationFee: 1_500_000 }] : result
  await whileLying(dear, 1, async () => {
    const client = await cluster.connect({ rpcUrls: nodes.map(({ url }) => url), timing: { feeMs: 10 } })
    const first = client.head()?.number ?? 0n
    cluster.node.advance(5)
    await until(() => (client.head()?.number ?? 0n) > first)
    assert.equal(client.head()?.paymentFee, honest)
  })
  await whileLying(dear, 2, async () => {
    const client = await cluster.connect({ rpcUrls: nodes.map(({ url }) => url), timing: { feeMs: 10 } })
    await until(() => (client.head()?.paymentFee ?? 0n) > (honest ?? 0n))
  })
})

test('a transaction of a user bids what the accounts that it writes cost, by a quorum of endpoints, and no less than any other', async () => {
  const hot = recipient.address
  const inDemand: Lie = ({ method, params }, result) => {
    if (method !== 'getRecentPrioritizationFees') return result
    // CAST: a node is asked with a list of accounts.
    const [accounts] = params as [readonly string[]]
    return [{ slot: 1, prioritizationFee: accounts.includes(hot) ? 300_000 : 0 }]
  }
  const feesWith = (liars: number) =>
    whileLying(inDemand, liars, async () => {
      const client = await connect()
      return Promise.all([client.paymentFeeFor([payer.address, hot]), client.paymentFeeFor([payer.address])])
    })
  assert.deepEqual(await feesWith(1), [6_200n, 6_200n])
  assert.deepEqual(await feesWith(3), [41_000n, 6_200n])
})

/** The unit price that a signed payment bids, in micro-lamports. */
const bidOf = ({ rawTransaction }: SignedPayout): bigint => {
  const bytes = Buffer.from(parseRawPayout(rawTransaction).transaction, 'base64')
  // The instruction's data follows its length of 9 bytes and begins with the number of SetComputeUnitPrice.
  const at = bytes.indexOf(Buffer.of(9, 3))
  assert.ok(at > 0)
  return bytes.readBigUInt64LE(at + 2)
}

test('a payment bids what the accounts that it writes cost, and twice as much after each signature that expired', async () => {
  const asked: unknown[] = []
  const inDemand: Lie = ({ method, params }, result) => {
    if (method !== 'getRecentPrioritizationFees') return result
    // CAST: the clients of these tests name accounts.
    const [accounts] = params as [readonly string[]]
    asked.push(accounts)
    return [{ slot: 1, prioritizationFee: accounts.includes(recipient.address) ? 300_000 : 0 }]
  }
  const bids = await whileLying(inDemand, 3, async () => {
    const client = await connect()
    const payment = {
      recipient: recipient.address,
      token: SOLANA_NATIVE_TOKEN,
      amount: 1n,
      memo: `0x${'ab'.repeat(32)}`,
      notAfterSeconds: undefined,
    }
    const signed: bigint[] = []
    for (const expired of [0, 1, 2, 50]) signed.push(bidOf(await client.sign(payment, payer.secret, expired)))
    return signed
  })
  assert.deepEqual(bids, [300_000n, 600_000n, 1_200_000n, 2_000_000n])
  const ofPayment = asked.filter((accounts) => Array.isArray(accounts) && accounts.length > 0)
  assert.deepEqual(
    ofPayment,
    Array(3).fill([payer.address, recipient.address].sort()),
    'each endpoint is asked once',
  )
})
