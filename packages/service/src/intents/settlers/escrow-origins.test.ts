import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ClusterOrder, orderMaker, signedBy } from '../../../test/escrow-cluster.ts'
import { eventually } from '../../../test/eventually.ts'
import { type ClusterWallet, type SolanaCluster, startSolanaCluster } from '../../../test/solana-cluster.ts'
import { createCatalog } from '../../chains/catalog.ts'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import { SOLANA_NATIVE_TOKEN } from '../../chains/solana/address.ts'
import { Network } from '../../core/network.ts'
import { createRepeatableSender, type RepeatableSender } from '../../transactions/repeatable-sender.ts'
import { createEscrowOrigins, type EscrowOrigins } from './escrow-origins.ts'
import { openInstruction, refundInstruction } from './escrow-program.ts'

/** More than the fees of the depositor's transactions, and less than any rent, in lamports. */
const MOST_FEES = 20_000n
const HOUR_MS = 3_600_000

let cluster: SolanaCluster
let chain: PaymentChain
let depositor: ClusterWallet
let keeper: RepeatableSender
let origins: EscrowOrigins
let newOrder: ReturnType<typeof orderMaker>
let aheadMs = 0
const changes: string[] = []
const now = (): number => Date.now() + aheadMs

before(async () => {
  cluster = await startSolanaCluster(40, now)
  chain = await cluster.connect()
  const [first, second, third] = cluster.wallets
  assert.ok(first !== undefined && second !== undefined && third !== undefined)
  depositor = first
  newOrder = orderMaker(cluster, depositor, second)
  keeper = createRepeatableSender({ chain, secret: third.secret, now: Date.now })
  const { chainId, escrowProgram: settler } = cluster.node
  const network = Network.parse({
    chains: [
      {
        chainId,
        chainLabel: 'Solana',
        chainType: 'solana',
        nativeToken: { symbol: 'SOL', decimals: 9 },
        rpcUrls: [cluster.node.rpcUrl],
        finality: 'finalized',
        attested: { settler, finalitySeconds: 1 },
      },
    ],
    tokens: [],
  })
  origins = createEscrowOrigins({
    catalog: createCatalog(network),
    paymentChains: new Map([[chainId, chain]]),
    senders: new Map([[chainId, keeper]]),
    now,
    steady: Date.now,
    log: () => undefined,
  })
  origins.onChange(({ change }) => changes.push(change))
  await origins.start()
})
after(async () => {
  await origins.stop()
  await cluster.stop()
})

const balance = async (): Promise<bigint> =>
  (await chain.balances(depositor.address, [SOLANA_NATIVE_TOKEN])).amounts[0] ?? 0n

const factsOf = async ({ orderId, order }: ClusterOrder) =>
  (await origins.factsOf(order.originChain)?.(orderId, order)) ?? assert.fail()

test('an order is followed from its opening to its refund by the keeper, which returns the rent as well', async () => {
  const escrow = newOrder('SOL')
  const { originChain } = escrow.order
  const held = await balance()
  origins.follow(escrow, true)
  assert.equal((await factsOf(escrow)).opened, undefined)
  const opening = await cluster.send(depositor, [signedBy(openInstruction(escrow), depositor)])
  await eventually('the deposit is final', () => changes.includes('open'))
  const { opened, released, refunded } = await factsOf(escrow)
  assert.deepEqual([opened?.txHash, opened?.final, released, refunded], [opening, true, undefined, undefined])
  assert.equal(origins.isCurrent(originChain), true)
  aheadMs += 2 * HOUR_MS
  const instructions = [refundInstruction(escrow, { kind: 'anybody', caller: keeper.account })]
  const key = `refund:${escrow.orderId}`
  await eventually('the refund', async () => {
    // The head is stale until the next block after the move of the clock.
    await keeper.send({ key, instructions, unitLimit: 100_000 }).catch(() => undefined)
    return changes.includes('refunded')
  })
  const ended = await factsOf(escrow)
  assert.ok(ended.refunded !== undefined && ended.refunded.timestampSeconds > escrow.order.refundAfter)
  await eventually('the rent', async () => held - (await balance()) <= MOST_FEES)
  assert.deepEqual(changes, ['seen', 'open', 'refunded'])
})

test('other chains have no orders here', () => {
  assert.equal(origins.isCurrent('stellar:pubnet'), undefined)
  assert.equal(origins.factsOf('stellar:pubnet'), undefined)
  assert.equal(origins.isRefundInFlight('stellar:pubnet', 'refund'), false)
})
