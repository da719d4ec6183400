import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { z } from 'zod'
import type { LocalServer } from '../../../test/local-server.ts'
import { type Lie, startLyingNode } from '../../../test/lying-node.ts'
import { type SolanaCluster, startSolanaCluster } from '../../../test/solana-cluster.ts'
import { memo, tokens } from '../../../test/solana-instructions.ts'
import type { PaymentChain, PaymentsRead } from '../payment-chain.ts'
import { encodeBase58 } from './base58.ts'

const ROUNDS = 20
const PAID = 7n

let cluster: SolanaCluster
let liars: readonly LocalServer[]
let lie: Lie | undefined
before(async () => {
  cluster = await startSolanaCluster()
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
  const observer = await cluster.connect()
  const start = observer.head()?.finalNumber ?? 0n
  const txHash = await cluster.send(payer, [tokens(payer, vault.address, usdc, PAID), memo(TRUTH.memo)])
  cluster.node.advance(8)
  return { account: vault.address, start, upTo: start + 6n, txHash }
}

const connect = (...places: readonly number[]): Promise<PaymentChain> => {
  const rpcUrls = [0, 1, 2].map((place) => `${cluster.node.rpcUrl}/?${place}`)
  const urls = places.reduce((all, place, index) => all.with(place, liars[index]?.url ?? ''), rpcUrls)
  return cluster.connect({ rpcUrls: urls })
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
      const chain = await connect(place)
      lie = told
      const read = await follow(chain, account, range)
      assert.deepEqual(briefly(read), [TRUTH])
      const paid = read.final[0]
      assert.ok(paid)
      assert.equal(paid.timestampSeconds, await chain.timeOf(paid.blockNumber))
      assert.ok(read.upToTimestampSeconds < paid.timestampSeconds + 600)
    })
