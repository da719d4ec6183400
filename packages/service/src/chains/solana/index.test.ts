import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSolanaRpc, generateKeyPairSigner } from '@solana/kit'
import { until } from '../../../test/eventually.ts'
import { type ClusterWallet, type SolanaCluster, startSolanaCluster } from '../../../test/solana-cluster.ts'
import { ataOf, opening, sol } from '../../../test/solana-instructions.ts'
import type { Payment } from '../../core/payment.ts'
import type { Payout } from '../../core/payout.ts'
import type { PaymentChain } from '../payment-chain.ts'
import { SOLANA_NATIVE_TOKEN } from './address.ts'
import { PROGRAMS, type SolanaMint } from './programs.ts'

const RENT = 890_880n
const NOWHERE = 'http://127.0.0.1:1'
const MEMO = `0x${'5a'.repeat(32)}`

let cluster: SolanaCluster
let paymentChain: PaymentChain
let payer: ClusterWallet
let other: ClusterWallet
let usdc: SolanaMint
let t22: SolanaMint

before(async () => {
  cluster = await startSolanaCluster()
  paymentChain = await cluster.connect()
  const [first, second] = cluster.wallets
  assert.ok(first !== undefined && second !== undefined)
  ;[payer, other] = [first, second]
  ;[usdc, t22] = cluster.mints
})
after(() => cluster.stop())

/** Makes blocks and waits until the client has read the newest confirmed one. */
const advance = async (slots: number, client: PaymentChain = paymentChain): Promise<void> => {
  cluster.node.advance(slots)
  const slot = await createSolanaRpc(cluster.node.rpcUrl).getSlot({ commitment: 'confirmed' }).send()
  await until(() => (client.head()?.number ?? 0n) >= slot)
}

const newAddress = async (): Promise<string> => (await generateKeyPairSigner()).address
const payout = (changes: Partial<Payout> = {}): Payout => ({
  recipient: other.address,
  token: SOLANA_NATIVE_TOKEN,
  amount: 1_000_000n,
  memo: MEMO,
  notAfterSeconds: undefined,
  ...changes,
})

test('the head holds slots, their times and the maximum cost of a payment', async () => {
  const from = Date.now() / 1_000 - 30
  await advance(10)
  const head = paymentChain.head()
  assert.ok(head !== undefined)
  assert.equal(head.number - head.finalNumber, 3n)
  assert.ok(head.timestampSeconds > from && head.timestampSeconds < Date.now() / 1_000 + 30)
  assert.ok(head.finalTimestampSeconds <= head.timestampSeconds)
  assert.equal(head.paymentFee, 6_200n)
})

test('an endpoint of another cluster is never read, and logged as an error', async () => {
  const lines: string[] = []
  const chainId = `solana:${'1'.repeat(32)}`
  const foreign = await cluster.connect({ chainId, lines })
  assert.equal(foreign.head(), undefined)
  await assert.rejects(foreign.readPayments([payer.address], 1_000n), /expected solana:1111/)
  assert.match(lines[0] ?? '', /^error .*expected solana:1{32}/)
})

test('pays SOL and tokens with the exact amount and memo, to existing and new wallets', async () => {
  const start = paymentChain.head()?.finalNumber ?? 0n
  const newcomer = await newAddress()
  for (const token of [SOLANA_NATIVE_TOKEN, usdc.address, t22.address])
    for (const recipient of [other.address, newcomer]) {
      const held = async () => (await paymentChain.balances(recipient, [token])).amounts[0] ?? 0n
      const before = await held()
      const wanted = payout({ recipient, token })
      assert.equal(await paymentChain.whyNotPayable(recipient, token, wanted.amount), undefined)
      const signed = await paymentChain.sign(wanted, payer.secret)
      assert.equal(await paymentChain.outcome(signed), 'pending')
      await Promise.all([
        paymentChain.broadcast(signed.rawTransaction),
        paymentChain.broadcast(signed.rawTransaction),
      ])
      await advance(2)
      assert.equal(await paymentChain.outcome(signed), 'pending')
      await advance(4)
      assert.equal(await paymentChain.outcome(signed), 'succeeded')
      const isFirstSol = token === SOLANA_NATIVE_TOKEN && recipient === newcomer
      assert.equal((await held()) - before, wanted.amount - (isFirstSol ? RENT : 0n))
      const { final } = await paymentChain.readPayments([recipient], start)
      const { txHash, memo: text, from, amount } = final.at(-1) ?? {}
      assert.deepEqual([txHash, text, from, amount], [signed.txHash, MEMO, payer.address, wanted.amount])
    }
})

test('a payment that cannot be made fails for good', async () => {
  const signed = await paymentChain.sign(payout({ token: usdc.address, amount: 1n << 60n }), payer.secret)
  await paymentChain.broadcast(signed.rawTransaction)
  await advance(1)
  assert.equal(await paymentChain.outcome(signed), 'pending')
  await advance(6)
  assert.equal(await paymentChain.outcome(signed), 'failed')
})

test('a lost payment expires when a majority of endpoints prove that no block can include it', async () => {
  const half = await cluster.connect({ rpcUrls: [cluster.node.rpcUrl, NOWHERE] })
  const signed = await paymentChain.sign(payout(), payer.secret)
  cluster.node.dropNext(1)
  await paymentChain.broadcast(signed.rawTransaction)
  await advance(150)
  assert.equal(await paymentChain.outcome(signed), 'pending')
  await advance(10)
  assert.equal(await half.outcome(signed), 'pending')
  assert.equal(await paymentChain.outcome(signed), 'expired')
  await paymentChain.broadcast(signed.rawTransaction)
  await advance(6)
  assert.equal(await paymentChain.outcome(signed), 'expired')
  const elsewhere = {
    ...signed,
    rawTransaction: signed.rawTransaction.replace(/"signedAtSlot":"\d+"/, '"signedAtSlot":"1"'),
  }
  await assert.rejects(paymentChain.outcome(elsewhere), /no endpoint can determine the outcome/)
})

test('signs nothing that could land too late', async () => {
  const seconds = paymentChain.head()?.timestampSeconds ?? 0
  await assert.rejects(
    paymentChain.sign(payout({ notAfterSeconds: seconds }), payer.secret),
    /too little time/,
  )
  await assert.rejects(paymentChain.sign(payout({ token: PROGRAMS.memo }), payer.secret), /unknown token/)
  const lastValid = async (notAfterSeconds: number | undefined): Promise<bigint> => {
    const { rawTransaction } = await paymentChain.sign(payout({ notAfterSeconds }), payer.secret)
    return BigInt(/"lastValidBlockHeight":"(\d+)"/.exec(rawTransaction)?.[1] ?? 0)
  }
  await advance(30)
  const free = await lastValid(undefined)
  const late = (paymentChain.head()?.timestampSeconds ?? 0) + 100_000
  assert.equal(await lastValid(late), free)
})

test('rejects secrets of other families without repeating them', () => {
  assert.equal(paymentChain.accountOf(payer.secret), payer.address)
  const swapped = `${other.secret.slice(0, 30)}${payer.secret.slice(30)}`
  for (const secret of ['', payer.address, swapped, `0x${'1'.repeat(64)}`, 'S'.repeat(56), '2'.repeat(5_000)])
    assert.throws(
      () => paymentChain.accountOf(secret),
      (error: Error) => error instanceof RangeError && (secret === '' || !error.message.includes(secret)),
    )
})

test('explains why a recipient cannot be paid', async () => {
  const newcomer = await newAddress()
  const poor = await newAddress()
  const vaultOfProgram = ataOf(ataOf(other.address, usdc), t22)
  await cluster.send(payer, [sol(payer, poor, RENT), opening(payer, poor, usdc)])
  await advance(2)
  const cases: readonly (readonly [string, string, bigint, RegExp | undefined])[] = [
    [newcomer, SOLANA_NATIVE_TOKEN, RENT - 1n, /lamports/],
    [newcomer, SOLANA_NATIVE_TOKEN, RENT, undefined],
    [poor, SOLANA_NATIVE_TOKEN, 1n, undefined],
    [newcomer, usdc.address, 1n, undefined],
    [poor, usdc.address, 1n, undefined],
    [PROGRAMS.token, SOLANA_NATIVE_TOKEN, RENT, /program/],
    [PROGRAMS.memo, usdc.address, 1n, /program/],
    [ataOf(other.address, usdc), usdc.address, 1n, /token account/],
    [usdc.address, SOLANA_NATIVE_TOKEN, RENT, /mint/],
    [vaultOfProgram, usdc.address, 1n, undefined],
    [vaultOfProgram, SOLANA_NATIVE_TOKEN, RENT, /so it has no private key/],
    ['SysvarC1ock11111111111111111111111111111111', usdc.address, 1n, /system variable/],
    [newcomer, PROGRAMS.memo, 1n, /unknown token/],
  ]
  for (const [recipient, token, amount, expected] of cases) {
    const why = await paymentChain.whyNotPayable(recipient, token, amount)
    if (expected === undefined) assert.equal(why, undefined, `${recipient} ${token} ${amount}`)
    else assert.match(why?.reason ?? '', expected)
  }
})

test('reads a history of many pages completely, in small steps', async () => {
  await advance(6)
  const start = paymentChain.head()?.finalNumber ?? 0n
  const small = await cluster.connect({ limits: { pageSignatures: 4, transactions: 5 } })
  const amounts = Array.from({ length: 23 }, (_, index) => BigInt(index + 1))
  for (const [index, amount] of amounts.entries()) {
    await cluster.send(payer, [sol(payer, other.address, amount)])
    if (index % 3 === 2) cluster.node.advance(1)
  }
  cluster.node.advance(6)
  const seen: Payment[] = []
  let reached = start
  for (let reads = 0; reads < 20; reads += 1) {
    const { final, tentative, upTo } = await small.readPayments([other.address], reached)
    assert.deepEqual(tentative, [])
    assert.ok(final.length <= 7)
    seen.push(...final)
    if (upTo === reached || final.length === 0) break
    reached = upTo
  }
  assert.deepEqual(seen, (await paymentChain.readPayments([other.address], start)).final)
  assert.deepEqual(
    seen.map(({ amount }) => amount).sort((one, two) => Number(one - two)),
    amounts,
  )
  const bounded = await cluster.connect({ limits: { pageSignatures: 4, pages: 4 } })
  await assert.rejects(bounded.readPayments([other.address], start), /no endpoint/)
})

test('a payment is tentative until it is final, and a fork removes it until it lands again', async () => {
  await advance(6)
  const start = paymentChain.head()?.finalNumber ?? 0n
  const signed = await paymentChain.sign(
    { recipient: other.address, token: usdc.address, amount: 77n, memo: '0x77', notAfterSeconds: undefined },
    payer.secret,
  )
  await paymentChain.broadcast(signed.rawTransaction)
  cluster.node.advance(2)
  const before = await paymentChain.readPayments([other.address], start)
  assert.deepEqual([before.final, before.tentative.map(({ amount }) => amount)], [[], [77n]])
  assert.equal(await paymentChain.outcome(signed), 'pending')
  assert.deepEqual(cluster.node.fork(2), [signed.txHash])
  cluster.node.advance(2)
  assert.deepEqual((await paymentChain.readPayments([other.address], start)).tentative, [])
  assert.equal(await paymentChain.outcome(signed), 'pending')
  await paymentChain.broadcast(signed.rawTransaction)
  await paymentChain.broadcast(signed.rawTransaction)
  cluster.node.advance(3)
  await paymentChain.broadcast(signed.rawTransaction)
  cluster.node.advance(6)
  const again = (await paymentChain.readPayments([other.address], start)).final
  assert.deepEqual(
    again.map(({ amount, txHash, memo: text }) => [amount, txHash, text]),
    [[77n, signed.txHash, '0x77']],
  )
  assert.ok((again[0]?.blockNumber ?? 0n) > (before.tentative[0]?.blockNumber ?? 0n))
  assert.equal(await paymentChain.outcome(signed), 'succeeded')
})

test('an outage rejects every read, decides nothing, and ends', async () => {
  const startedAt = Date.now()
  let skippedMs = 0
  const client = await cluster.connect({ now: () => startedAt + skippedMs })
  const signed = await client.sign(payout(), payer.secret)
  cluster.node.setUp(false)
  await assert.rejects(client.readPayments([payer.address], 1_000n))
  await assert.rejects(client.balances(payer.address, [SOLANA_NATIVE_TOKEN]))
  await assert.rejects(client.whyNotPayable(await newAddress(), SOLANA_NATIVE_TOKEN, 1n))
  await assert.rejects(client.outcome(signed))
  await assert.rejects(client.broadcast(signed.rawTransaction))
  assert.notEqual(client.head(), undefined)
  skippedMs = 20_000
  assert.equal(client.head(), undefined)
  await assert.rejects(client.sign(payout(), payer.secret), /head/)
  cluster.node.setUp(true)
  await until(() => client.head() !== undefined)
  assert.equal(await client.outcome(signed), 'pending')
})

test('skips a lagging node and never moves the head back', async () => {
  const behind = await startSolanaCluster()
  await advance(1)
  const again = cluster.node.rpcUrl.replace('127.0.0.1', 'localhost')
  const rpcUrls = [behind.node.rpcUrl, cluster.node.rpcUrl, again]
  const client = await cluster.connect({ rpcUrls: [...rpcUrls].reverse() })
  const known = client.head()?.number ?? 0n
  const final = client.head()?.finalNumber ?? 0n
  cluster.node.setUp(false)
  await assert.rejects(client.readPayments([payer.address], final), { code: 'NODE_BEHIND' })
  await sleep(100)
  assert.equal(client.head()?.number, known)
  cluster.node.setUp(true)
  const second = await cluster.connect({ rpcUrls })
  assert.ok((await second.readPayments([payer.address], final)).upTo >= final)
  await assert.rejects(paymentChain.readPayments([payer.address], 5n), /no endpoint/)
  await behind.stop()
})
