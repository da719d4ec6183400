import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { solanaKey } from '@openrfq/sandbox/src/solana/keys.ts'
import { address, createKeyPairSignerFromBytes, createSolanaRpc, getBase58Encoder } from '@solana/kit'
import { type ClusterOrder, orderMaker, signedBy } from '../../../test/escrow-cluster.ts'
import { eventually } from '../../../test/eventually.ts'
import { type ClusterWallet, type SolanaCluster, startSolanaCluster } from '../../../test/solana-cluster.ts'
import { sol } from '../../../test/solana-instructions.ts'
import { createCatalog } from '../../chains/catalog.ts'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import { SOLANA_NATIVE_TOKEN } from '../../chains/solana/address.ts'
import { baseUnits } from '../../core/amount.ts'
import { Network } from '../../core/network.ts'
import { createEscrowOrigins, type EscrowOrigins } from '../../intents/settlers/escrow-origins.ts'
import { openInstruction, refundInstruction } from '../../intents/settlers/escrow-program.ts'
import { createRepeatableSender, type RepeatableSender } from '../../transactions/repeatable-sender.ts'
import { programRefund, refundObstacle } from './program-refund.ts'

const ORDER_BYTES = 200n
const HELD = 100_000_000n
const FEE = 5_000n
const ROUNDS = 20
const HOURS_MS = 7_200_000

let cluster: SolanaCluster
let chain: PaymentChain
let keeper: RepeatableSender
let origins: EscrowOrigins
let deps: Parameters<typeof programRefund>[0]
let node: ReturnType<typeof createSolanaRpc>
let aheadMs = 0
/** What the cluster requires of an account without data, of an order's account, and an input below both. */
let least: bigint
let orderRent: bigint
let input: bigint
const now = (): number => Date.now() + aheadMs

before(async () => {
  cluster = await startSolanaCluster(40, now)
  chain = await cluster.connect({ timing: { recipientMs: 50 } })
  const { chainId, escrowProgram: settler, rpcUrl } = cluster.node
  node = createSolanaRpc(rpcUrl)
  least = await node.getMinimumBalanceForRentExemption(0n).send()
  orderRent = await node.getMinimumBalanceForRentExemption(ORDER_BYTES).send()
  input = least - 1_000n
  const [, , third] = cluster.wallets
  assert.ok(third !== undefined)
  keeper = createRepeatableSender({ chain, secret: third.secret, now })
  const catalog = createCatalog(
    Network.parse({
      chains: [
        {
          chainId,
          chainLabel: 'Solana',
          chainType: 'solana',
          nativeToken: { symbol: 'SOL', decimals: 9 },
          rpcUrls: [rpcUrl],
          finality: 'finalized',
          attested: { settler, finalitySeconds: 1 },
        },
      ],
      tokens: [
        { chainId, address: SOLANA_NATIVE_TOKEN, symbol: 'SOL', name: 'SOL', decimals: 9, verified: true },
      ],
    }),
  )
  const paymentChains = new Map([[chainId, chain]])
  origins = createEscrowOrigins({
    ...{ catalog, paymentChains, now },
    senders: new Map(),
    steady: Date.now,
    log: () => undefined,
  })
  deps = { catalog, paymentChains, escrows: origins }
  await origins.start()
})
after(async () => {
  await origins.stop()
  await cluster.stop()
})

/** All lamports of an account, those that it cannot spend included. */
const lamportsOf = async (account: string): Promise<bigint> =>
  (await node.getBalance(address(account), { commitment: 'confirmed' }).send()).value

const fund = (account: string, lamports: bigint): Promise<void> =>
  cluster.node.faucet(SOLANA_NATIVE_TOKEN, account, lamports)

/** A wallet with lamports. */
const walletOf = async (name: string): Promise<ClusterWallet> => {
  const { privateKey: secret, address: account } = solanaKey(name)
  await fund(account, HELD)
  const signer = await createKeyPairSignerFromBytes(getBase58Encoder().encode(secret))
  return { signer, secret, address: account }
}

/** Opens an order of SOL whose rent another may pay, and gives all that the depositor still has away. */
const openAndEmpty = async (depositor: ClusterWallet, payer: ClusterWallet): Promise<ClusterOrder> => {
  const [solver, taker] = cluster.wallets
  assert.ok(solver !== undefined && taker !== undefined)
  const opened = Math.floor(now() / 1_000)
  const escrow = orderMaker(
    cluster,
    depositor,
    solver,
  )('SOL', {
    inputAmount: baseUnits(input),
    openDeadline: opened + 600,
    fillDeadline: opened + 1_200,
    refundAfter: opened + 3_600,
  })
  const open = openInstruction(escrow)
  const keys = open.keys.map((key, place) => (place === 1 ? { ...key, pubkey: payer.address } : key))
  const byDepositor = signedBy({ ...open, keys }, depositor)
  const both = (byDepositor.accounts ?? []).map((account) =>
    account.address === payer.address ? { ...account, signer: payer.signer } : account,
  )
  await cluster.send(payer, [{ ...byDepositor, accounts: both }])
  const { originChain } = escrow.order
  await eventually('the order is open', () => origins.payerOf(originChain, escrow.orderId))
  const left = await lamportsOf(depositor.address)
  await cluster.send(depositor, [sol(depositor, taker.address, left - FEE)])
  await eventually('the wallet is empty', async () => (await lamportsOf(depositor.address)) === 0n)
  return escrow
}

/** What the keeper does in a round: it sends the refund if there is one that lands. */
const round = async (escrow: ClusterOrder): Promise<boolean> => {
  const instructionsBy = await programRefund(deps, escrow).catch(() => undefined)
  if (instructionsBy === undefined) return false
  const key = `refund:${escrow.orderId}`
  await keeper
    .send({ key, unitLimit: 200_000, instructions: instructionsBy(keeper.account) })
    .catch(() => undefined)
  return true
}

const refunded = (escrow: ClusterOrder, depositor: ClusterWallet, lamports: bigint) =>
  eventually('the refund', async () => {
    await round(escrow)
    return (await lamportsOf(depositor.address)) === lamports
  })

test('a refund below the rent of an account reaches an emptied wallet together with the rent that it paid', async (context: TestContext) => {
  const depositor = await walletOf('emptied')
  const escrow = await openAndEmpty(depositor, depositor)
  aheadMs += HOURS_MS
  await refunded(escrow, depositor, input + orderRent)
  assert.equal(await refundObstacle(deps, escrow), undefined)
  context.diagnostic(`the depositor holds ${await lamportsOf(depositor.address)} lamports`)
})

test('where a sponsor paid the rent the keeper pays no fees, the status says what to do, and the refund follows', async (context: TestContext) => {
  const [depositor, sponsor] = [await walletOf('emptied beside a sponsor'), await walletOf('sponsor')]
  const escrow = await openAndEmpty(depositor, sponsor)
  aheadMs += HOURS_MS
  await eventually('an obstacle', async () => (await refundObstacle(deps, escrow).catch(() => '')) !== '')
  const [stranger] = cluster.wallets
  assert.ok(stranger !== undefined)
  const refund = refundInstruction(escrow, { kind: 'anybody', caller: stranger.address })
  const paid = await lamportsOf(stranger.address)
  await cluster.send(stranger, [signedBy(refund, stranger)])
  await eventually('the fee of a failed refund', async () => (await lamportsOf(stranger.address)) < paid)
  assert.equal(await origins.payerOf(escrow.order.originChain, escrow.orderId), sponsor.address)
  const held = await lamportsOf(keeper.account)
  for (let count = 0; count < ROUNDS; count += 1) assert.equal(await round(escrow), false)
  assert.equal(await lamportsOf(keeper.account), held)
  const obstacle = await refundObstacle(deps, escrow)
  context.diagnostic(obstacle ?? 'no obstacle')
  assert.match(obstacle ?? '', /Send the wallet SOL/)
  await fund(depositor.address, least)
  await refunded(escrow, depositor, least + input)
})
