import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { createSolanaRpc } from '@solana/kit'
import { z } from 'zod'
import type { LocalServer } from '../../../test/local-server.ts'
import { type Lie, startLyingNode } from '../../../test/lying-node.ts'
import { type SolanaCluster, startSolanaCluster } from '../../../test/solana-cluster.ts'
import { memo, tokens } from '../../../test/solana-instructions.ts'
import type { PaymentChain, PaymentsRead } from '../payment-chain.ts'
import { SOLANA_NATIVE_TOKEN } from './address.ts'
import { encodeBase58 } from './base58.ts'

const ROUNDS = 20
const PATIENCE_MS = 120_000
const TIMING = { pollMs: 1_000, readMs: PATIENCE_MS, paymentsMs: PATIENCE_MS }
const PAID = 7n

let cluster: SolanaCluster
let liars: readonly LocalServer[]
let lie: Lie | undefined
let passedMs = 0
before(async () => {
  cluster = await startSolanaCluster(undefined, () => Date.now() + passedMs)
  liars = await Promise.all([0, 1].map(() => startLyingNode(cluster.node.rpcUrl, () => lie)))
})
after(async () => {
  for (const liar of liars) liar.stop()
  await cluster.stop()
})

const Page = z.array(z.looseObject({ signature: z.string(), err: z.unknown() }))
const Transaction = z.looseObject({
  blockTime: z.number(),
  meta: z.looseObject({ postTokenBalances: z.array(z.looseObject({ uiTokenAmount: z.looseObject({}) })) }),
  transaction: z.looseObject({
    message: z.looseObject({ instructions: z.array(z.looseObject({ data: z.string() })) }),
  }),
})

const onTransaction =
  (change: (transaction: z.infer<typeof Transaction>) => unknown): Lie =>
  ({ method }, result) =>
    method === 'getTransaction' && result !== null ? change(Transaction.parse(result)) : result
const onPage =
  (change: (page: z.infer<typeof Page>) => unknown): Lie =>
  ({ method }, result) =>
    method === 'getSignaturesForAddress' ? change(Page.parse(result)) : result

/** Lies of one endpoint about a payment; the others are honest. */
const LIES: Readonly<Record<string, Lie>> = {
  'leaves the payment out of the list of signatures': onPage(() => []),
  'lists the payment as failed': onPage((page) => page.map((entry) => ({ ...entry, err: 'failed' }))),
  'lists the payment under another signature as well': (call, result) =>
    call.method === 'getSignaturesForAddress'
      ? Page.parse(result).flatMap((entry) => [
          entry,
          { ...entry, signature: encodeBase58(Buffer.alloc(64, 7)) },
        ])
      : result,
  'does not know the transaction': onTransaction(() => null),
  'says that the transaction failed': onTransaction((found) => ({
    ...found,
    meta: { ...found.meta, err: { InstructionError: [0, 'Custom'] } },
  })),
  'says that nothing moved': onTransaction((found) => ({
    ...found,
    meta: { ...found.meta, preTokenBalances: [], postTokenBalances: [] },
  })),
  'tells another memo': onTransaction((found) => {
    const { message } = found.transaction
    const instructions = message.instructions.map((instruction, index) =>
      index === 1 ? { ...instruction, data: encodeBase58(Buffer.from('of another order')) } : instruction,
    )
    return { ...found, transaction: { ...found.transaction, message: { ...message, instructions } } }
  }),
  'dates the transaction an hour ahead': onTransaction((found) => ({
    ...found,
    blockTime: found.blockTime + 3_600,
  })),
  'dates every slot an hour ahead': ({ method }, result) =>
    method === 'getBlockTime' ? Number(result) + 3_600 : result,
  'is a thousand slots ahead': ({ method }, result) =>
    method === 'getSlot' ? Number(result) + 1_000 : result,
}

const TRUTH = { amount: PAID, memo: 'of this order' }
const briefly = ({ final }: Pick<PaymentsRead, 'final'>) =>
  final.map(({ amount, memo: text }) => ({ amount, memo: text }))

/** Pays an account, and makes the payment final. */
const pay = async () => {
  const [vault, payer] = cluster.wallets
  const [usdc] = cluster.mints
  assert.ok(vault !== undefined && payer !== undefined)
  cluster.node.advance(6)
  const start = await createSolanaRpc(cluster.node.rpcUrl).getSlot({ commitment: 'finalized' }).send()
  const txHash = await cluster.send(payer, [tokens(payer, vault.address, usdc, PAID), memo(TRUTH.memo)])
  cluster.node.advance(8)
  return { account: vault.address, start, upTo: start + 6n, txHash }
}

/** A client that reads through liars at some places, and is stopped with the test. */
const connect = async (context: TestContext, ...places: readonly number[]): Promise<PaymentChain> => {
  const rpcUrls = [0, 1, 2].map((place) => `${cluster.node.rpcUrl}/?${place}`)
  const urls = places.reduce((all, place, index) => all.with(place, liars[index]?.url ?? ''), rpcUrls)
  const chain = await cluster.connect({ rpcUrls: urls, timing: TIMING })
  context.after(chain.stop)
  return chain
}

/** Reads like the service: from the last agreed slot on, until `upTo` is agreed. */
const follow = async (
  chain: PaymentChain,
  account: string,
  { start, upTo }: { readonly start: bigint; readonly upTo: bigint },
): Promise<Pick<PaymentsRead, 'final' | 'upToTimestampSeconds'>> => {
  const final: PaymentsRead['final'][number][] = []
  let cursor = start
  for (let round = 0; round < ROUNDS; round += 1) {
    const read = await chain.readPayments([account], cursor)
    final.push(...read.final)
    cursor = read.upTo
    if (cursor >= upTo) return { final, upToTimestampSeconds: read.upToTimestampSeconds }
    cluster.node.advance(1)
  }
  assert.fail(`agreed on slot ${cursor}, expected ${upTo}`)
}

for (const [does, told] of Object.entries(LIES))
  for (const place of [0, 1, 2])
    test(`while endpoint ${place} of three ${does}, payments are those of the others`, async (context) => {
      context.after(() => {
        lie = undefined
      })
      const { account, ...range } = await pay()
      const chain = await connect(context, place)
      lie = told
      const read = await follow(chain, account, range)
      assert.deepEqual(briefly(read), [TRUTH])
      const paid = read.final[0]
      assert.ok(paid)
      assert.equal(paid.timestampSeconds, await chain.timeOf(paid.blockNumber))
      assert.ok(read.upToTimestampSeconds < paid.timestampSeconds + 600)
    })

/** The payment that a vault received, as all endpoints agreed, and a chain read through two liars. */
const paidBefore = async (context: TestContext) => {
  const { account, ...range } = await pay()
  const honest = await connect(context)
  const [paid] = (await follow(honest, account, range)).final
  assert.ok(paid)
  return { paid, chain: await connect(context, 0, 1), account }
}
const latest = (): number => Math.floor((Date.now() + passedMs) / 1000) + 15
const DENIED_BY_THE_THIRD = [
  [0, false],
  [1, false],
  [2, true],
]

for (const [does, said] of [
  ['leaves the payment out of the list of signatures', [true, true, true]],
  ['does not know the transaction', [false, false, true]],
  ['says that the transaction failed', [false, false, true]],
  ['says that nothing moved', [false, false, true]],
  ['tells another memo', [false, false, true]],
] as const)
  test(`the third endpoint still confirms a payment when each of the other two ${does}`, async (context) => {
    context.after(() => {
      lie = undefined
    })
    const { paid, chain } = await paidBefore(context)
    lie = LIES[does]
    const told = await chain.paymentStatements(paid)
    assert.deepEqual(
      told.map(({ confirms }) => confirms),
      said,
    )
  })

test('an endpoint that dates a payment in the future is waited for', async (context) => {
  context.after(() => {
    lie = undefined
  })
  const { paid, chain } = await paidBefore(context)
  lie = LIES['dates the transaction an hour ahead']
  await assert.rejects(chain.paymentStatements(paid), { code: 'NODE_BEHIND', message: /ahead of the clock/ })
  lie = undefined
  assert.deepEqual(
    await chain.paymentStatements(paid),
    [0, 1, 2].map((endpoint) => ({ endpoint, confirms: true })),
  )
})

test('an endpoint denies a payment that two others invented', async (context) => {
  const { paid, chain } = await paidBefore(context)
  const invented = { ...paid, txHash: encodeBase58(Buffer.alloc(64, 7)) }
  const told = await chain.paymentStatements(invented)
  assert.deepEqual(
    told.map(({ confirms }) => confirms),
    [false, false, false],
  )
})

test('a payment that two of three endpoints leave out of the search is found at the third', async (context) => {
  context.after(() => {
    lie = undefined
  })
  const { paid, chain, account } = await paidBefore(context)
  passedMs += 2_000
  cluster.node.advance(8)
  const search = {
    about: 'a payment is absent',
    from: paid.from,
    to: { account, token: paid.token },
    memo: TRUTH.memo,
    sinceSeconds: paid.timestampSeconds,
    untilSeconds: paid.timestampSeconds,
    nowSeconds: latest(),
    isSought: ({ txHash }: { readonly txHash: string }) => txHash === paid.txHash,
  }
  const isDenied = async () =>
    (await chain.absenceStatements(search)).map(({ endpoint, confirms }) => [endpoint, !confirms])
  assert.deepEqual(await isDenied(), [
    [0, true],
    [1, true],
    [2, true],
  ])
  lie = LIES['leaves the payment out of the list of signatures']
  assert.deepEqual(await isDenied(), DENIED_BY_THE_THIRD)
  await assert.rejects(
    chain.absenceStatements({
      ...search,
      about: 'no payment',
      isSought: () => false,
      untilSeconds: latest(),
    }),
    {
      code: 'NODE_BEHIND',
    },
  )
})

const Balances = z.object({ context: z.unknown(), value: z.array(z.unknown()) })

for (const place of [0, 1, 2])
  test(`while endpoint ${place} of three says that an account is empty, balances are those of the others`, async (context) => {
    context.after(() => {
      lie = undefined
    })
    const { account } = await pay()
    const assets = [SOLANA_NATIVE_TOKEN, ...cluster.mints.map((mint) => mint.address)]
    const truth = await (await connect(context)).agreedBalances(account, assets)
    assert.ok(truth.every((amount) => amount > 0n))
    const chain = await connect(context, place)
    lie = ({ method }, result) => {
      if (method !== 'getMultipleAccounts') return result
      const found = Balances.parse(result)
      return { ...found, value: found.value.map(() => null) }
    }
    assert.deepEqual(await chain.agreedBalances(account, assets), truth)
  })
