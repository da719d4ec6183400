import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSolanaRpc } from '@solana/kit'
import { type ClusterOrder, orderMaker, signedBy } from '../../../test/escrow-cluster.ts'
import { until } from '../../../test/eventually.ts'
import { type ClusterWallet, type SolanaCluster, startSolanaCluster } from '../../../test/solana-cluster.ts'
import { sol } from '../../../test/solana-instructions.ts'
import type { PaymentChain, ProgramCall } from '../../chains/payment-chain.ts'
import type { SolanaInstruction } from '../../chains/solana/instructions.ts'
import { createEscrowFacts, type EscrowFactsOf } from './escrow-facts.ts'
import { closeInstruction, escrowAddressOf, openInstruction, refundInstruction } from './escrow-program.ts'
import { createEscrowReader, type EscrowReader } from './escrow-reader.ts'

let cluster: SolanaCluster
let chain: PaymentChain
let reader: EscrowReader
let depositor: ClusterWallet
let solver: ClusterWallet
let newOrder: ReturnType<typeof orderMaker>
/** Milliseconds by which the cluster's clock is ahead of the machine's. */
let ahead = 0

before(async () => {
  cluster = await startSolanaCluster(undefined, () => Date.now() + ahead)
  chain = await cluster.connect()
  const [first, second] = cluster.wallets
  assert.ok(first !== undefined && second !== undefined && chain.programs !== undefined)
  ;[depositor, solver] = [first, second]
  reader = createEscrowReader(chain.programs, cluster.node.escrowProgram)
  newOrder = orderMaker(cluster, depositor, solver)
})
after(() => cluster.stop())

/** A reader without memory, as after a restart. */
const fresh = (): EscrowFactsOf => createEscrowFacts({ chain, reader })

/** Makes blocks until the client knows them. */
const advance = async (slots: number): Promise<void> => {
  cluster.node.advance(slots)
  const slot = await createSolanaRpc(cluster.node.rpcUrl).getSlot({ commitment: 'confirmed' }).send()
  await until(() => (chain.head()?.number ?? 0n) >= slot)
}

const land = async (wallet: ClusterWallet, instruction: SolanaInstruction): Promise<string> => {
  const txHash = await cluster.send(wallet, [signedBy(instruction, wallet)])
  await advance(8)
  return txHash
}

const summaryOf = async (factsOf: EscrowFactsOf, { orderId, order }: ClusterOrder) => {
  const { opened, released, refunded } = await factsOf(orderId, order)
  return {
    opened: opened && [opened.txHash, opened.final],
    released: released?.final,
    refunded: refunded?.txHash,
  }
}

const NOTHING = { opened: undefined, released: undefined, refunded: undefined }

test('an order is nothing, tentative, final, and refunded, in this order', async () => {
  await advance(6)
  const escrow = newOrder('USDC')
  const factsOf = fresh()
  assert.deepEqual(await summaryOf(factsOf, escrow), NOTHING)
  const opened = await cluster.send(depositor, [signedBy(openInstruction(escrow), depositor)])
  await advance(2)
  assert.deepEqual(await summaryOf(factsOf, escrow), { ...NOTHING, opened: [opened, false] })
  await advance(6)
  assert.deepEqual(await summaryOf(factsOf, escrow), { ...NOTHING, opened: [opened, true] })
  const refunded = await land(solver, refundInstruction(escrow, { kind: 'solver' }))
  const end = { ...NOTHING, opened: [opened, true], refunded }
  assert.deepEqual(await summaryOf(factsOf, escrow), end)
  assert.deepEqual(await summaryOf(fresh(), escrow), end)
})

test('an opening that others bury under their own transactions is not taken for none', async () => {
  await advance(6)
  const escrow = newOrder('SOL')
  await land(depositor, openInstruction(escrow))
  const account = escrowAddressOf(cluster.node.escrowProgram, escrow.orderId)
  const buried = createEscrowFacts({
    chain,
    reader: {
      ...reader,
      history: async () => ({ opened: undefined, released: undefined, refunded: undefined, isWhole: false }),
    },
  })
  await cluster.send(solver, [sol(solver, account, 1n)])
  await advance(8)
  await assert.rejects(buried(escrow.orderId, escrow.order), { code: 'TOO_MUCH' })
  assert.notEqual((await fresh()(escrow.orderId, escrow.order)).opened, undefined)
})

test('an order that was refunded and closed between two reads is refunded', async () => {
  await advance(6)
  const [escrow, never] = [newOrder('SOL'), newOrder('SOL')]
  const opened = await land(depositor, openInstruction(escrow))
  const refunded = await land(solver, refundInstruction(escrow, { kind: 'solver' }))
  ahead += 700_000
  await advance(8)
  await land(solver, closeInstruction(cluster.node.escrowProgram, escrow.orderId, depositor.address))
  assert.deepEqual(await summaryOf(fresh(), escrow), { ...NOTHING, opened: [opened, true], refunded })
  assert.deepEqual(await summaryOf(fresh(), never), NOTHING)
})

test('an order whose history is buried is not taken for one that never opened', async () => {
  const { orderId, order } = newOrder('SOL')
  const buried = (isWhole: boolean, opened?: ProgramCall) =>
    createEscrowFacts({
      chain,
      reader: {
        ...reader,
        history: async () => ({ opened, released: undefined, refunded: undefined, isWhole }),
      },
    })
  await assert.rejects(buried(false)(orderId, order), { code: 'TOO_MUCH' })
  const opened = { name: 'open', txHash: 'opening', blockNumber: 1n, timestampSeconds: 1 }
  await assert.rejects(buried(false, opened)(orderId, order), { code: 'TOO_MUCH' })
  assert.equal((await buried(true)(orderId, order)).opened, undefined)
})
