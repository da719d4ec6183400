import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { privateKeyToAccount } from 'viem/accounts'
import { type ClusterOrder, orderMaker, signedBy } from '../../../../test/escrow-cluster.ts'
import { ATTESTER_KEY } from '../../../../test/escrow-orders.ts'
import { eventually, until } from '../../../../test/eventually.ts'
import {
  type ClusterWallet,
  type SolanaCluster,
  startSolanaCluster,
} from '../../../../test/solana-cluster.ts'
import type { PaymentChain } from '../../../chains/payment-chain.ts'
import { SOLANA_NATIVE_TOKEN } from '../../../chains/solana/address.ts'
import type { OrderId } from '../../../core/intent-order.ts'
import type { Claim, StoredPayout } from '../../../store/store.ts'
import { escrowFillDigest } from '../../settlers/attestation.ts'
import { openInstruction, refundInstruction } from '../../settlers/escrow-program.ts'
import { orderIdOf } from '../../settlers/settler-contract.ts'
import { orderKeys } from '../order-keys.ts'
import type { ClaimLink } from './claim-link.ts'
import { createEscrowSide, type EscrowSide } from './escrow-side.ts'
import { programOrigin, type RepaymentOrigin, settlerOrigin } from './repayment-origins.ts'
import { createRepayments } from './repayments.ts'

const FILL_HASH = `0x${'f1'.repeat(32)}` as const
const ATTESTER = privateKeyToAccount(ATTESTER_KEY)

let cluster: SolanaCluster
let chain: PaymentChain
let side: EscrowSide
let depositor: ClusterWallet
let solver: ClusterWallet
let newOrder: ReturnType<typeof orderMaker>
let claims: Map<OrderId, Claim>
let fills: Map<string, Pick<StoredPayout, 'txHash' | 'outcome'>>
let lines: string[]
let asked: string[]
let time: number
let answer: ClaimLink

before(async () => {
  cluster = await startSolanaCluster()
  chain = await cluster.connect()
  const [first, second] = cluster.wallets
  assert.ok(first !== undefined && second !== undefined)
  ;[depositor, solver] = [first, second]
  const found = createEscrowSide({
    paymentChain: chain,
    program: cluster.node.escrowProgram,
    mints: [{ address: SOLANA_NATIVE_TOKEN, decimals: 9 }, ...cluster.mints],
    secret: solver.secret,
    now: Date.now,
  })
  assert.ok(found !== undefined)
  side = found
  newOrder = orderMaker(cluster, depositor, solver)
})
beforeEach(() => {
  claims = new Map()
  fills = new Map()
  lines = []
  asked = []
  time = Date.now()
  answer = async (order, transaction) => {
    const orderId = orderIdOf(order)
    const signature = await ATTESTER.sign({ hash: escrowFillDigest(order, orderId, FILL_HASH) })
    assert.equal(transaction, FILL_HASH)
    return { kind: 'attested', transaction: FILL_HASH, signature }
  }
})
after(() => cluster.stop())

const noteLine = (level: string, message: string): void => void lines.push(`${level} ${message}`)

const start = (origin: RepaymentOrigin = programOrigin(side, noteLine)) =>
  createRepayments({
    origins: new Map([[cluster.node.chainId, origin]]),
    claim: (order, transaction) => {
      asked.push(transaction)
      return answer(order, transaction)
    },
    store: {
      addClaim: async (claim) => void claims.set(claim.orderId, claim),
      listClaims: async () => [...claims.values()],
      removeClaim: async (orderId) => void claims.delete(orderId),
      findPayout: async (key) => fills.get(key) as StoredPayout | undefined,
      findTransaction: async () => undefined,
    },
    now: () => time,
    steady: () => time,
    log: noteLine,
  })

const land = async (wallet: ClusterWallet, instruction: Parameters<typeof signedBy>[0]): Promise<void> => {
  await cluster.send(wallet, [signedBy(instruction, wallet)])
  cluster.node.advance(8)
  const { number } = chain.head() ?? assert.fail()
  await until(() => (chain.head()?.finalNumber ?? 0n) >= number)
}

const opened = async (kind: 'SOL' | 'USDC'): Promise<ClusterOrder> => {
  const escrow = newOrder(kind)
  await land(depositor, openInstruction(escrow))
  return escrow
}

const claimOf = ({ orderId, order }: ClusterOrder, fillTxHash?: string): Claim => ({
  orderId,
  order,
  fillTxHash,
})

const fill = ({ orderId }: ClusterOrder, outcome: StoredPayout['outcome']): void =>
  void fills.set(orderKeys(orderId).fill, { txHash: FILL_HASH, outcome })

/** Runs rounds a minute apart, with blocks between them, until the condition holds. */
const runUntil = (repayments: ReturnType<typeof start>, condition: () => boolean): Promise<unknown> =>
  eventually(
    () => lines.join('\n'),
    async () => {
      await repayments.round()
      cluster.node.advance(8)
      time += 60_000
      return condition()
    },
  )

const balance = async (token: string): Promise<bigint> =>
  (await chain.balances(solver.address, [token])).amounts[0] ?? 0n

for (const kind of ['SOL', 'USDC'] as const)
  test(`a filled order is released to the solver once the attester has signed (${kind})`, async () => {
    const escrow = await opened(kind)
    const before = await balance(escrow.mint.address)
    const repayments = start()
    await repayments.add(claimOf(escrow))
    fill(escrow, 'succeeded')
    await runUntil(repayments, () => !claims.has(escrow.orderId))
    assert.deepEqual(lines, ['info order_repaid'])
    assert.equal(asked.length, 1)
    const got = (await balance(escrow.mint.address)) - before
    if (kind === 'USDC') assert.equal(got, escrow.order.inputAmount)
    else assert.ok(got < escrow.order.inputAmount && got > escrow.order.inputAmount - 100_000n)
  })

test('a restarted solver has an order released that it filled before', async () => {
  const escrow = await opened('USDC')
  await start().add(claimOf(escrow))
  fill(escrow, 'succeeded')
  await runUntil(start(), () => claims.size === 0)
  assert.deepEqual(lines, ['info order_repaid'])
})

test('a fill that was found on chain is handed over without one in the store', async () => {
  const escrow = await opened('SOL')
  const repayments = start()
  await repayments.add(claimOf(escrow, FILL_HASH))
  await runUntil(repayments, () => claims.size === 0)
  assert.deepEqual([asked, lines], [[FILL_HASH], ['info order_repaid']])
})

test('the attester is asked for no fill that is not final, and again while it waits, refuses or is down', async () => {
  const escrow = await opened('USDC')
  const repayments = start()
  await repayments.add(claimOf(escrow))
  await runUntil(repayments, () => true)
  fill(escrow, 'open')
  await runUntil(repayments, () => true)
  assert.deepEqual(asked, [])
  fill(escrow, 'succeeded')
  const attested = answer
  const answers: ClaimLink[] = [
    async () => ({ kind: 'waiting', reason: 'not final' }),
    async () => ({ kind: 'refused', reason: 'no fill' }),
    () => Promise.reject(new Error('down')),
  ]
  answer = (order, transaction) => (answers.shift() ?? attested)(order, transaction)
  await runUntil(repayments, () => claims.size === 0)
  assert.equal(asked.length, 4)
  assert.deepEqual(lines, ['error fill_not_attested', 'warn attester_unreachable', 'info order_repaid'])
})

test('an order that is refunded is kept no longer, and a refund of a filled one is an error', async () => {
  for (const [outcome, expected] of [
    ['succeeded', ['error filled_order_refunded']],
    ['expired', []],
  ] as const) {
    lines = []
    const escrow = await opened('SOL')
    const repayments = start()
    await repayments.add(claimOf(escrow))
    await land(solver, refundInstruction(escrow, { kind: 'solver' }))
    fill(escrow, outcome)
    await runUntil(repayments, () => claims.size === 0)
    assert.deepEqual(lines, expected)
  }
})

test('an order whose fill was never made is kept until an hour after its deadline', async () => {
  const [lost, unsigned] = [await opened('SOL'), await opened('SOL')]
  const repayments = start()
  for (const escrow of [lost, unsigned]) await repayments.add(claimOf(escrow))
  fill(lost, 'expired')
  await repayments.round()
  assert.deepEqual([...claims.keys()], [unsigned.orderId])
  time = unsigned.order.fillDeadline * 1000 + 3_600_001
  await runUntil(repayments, () => claims.size === 0)
  assert.deepEqual([asked, lines], [[], []])
})

/** An order of a settler whose status is the position of its name: none, open, released, refunded. */
const settlerWith = (status: () => number): RepaymentOrigin =>
  settlerOrigin({
    settler: '0x00000000000000000000000000000000000000E1',
    evm: {
      callAgreed: async (calls) =>
        calls.map(() => `0x${status().toString(16).padStart(64, '0')}${'0'.repeat(64)}`),
    },
  })

test('a fill of an order from an EVM chain is handed over until the escrow is released, also after a restart', async () => {
  const escrow = newOrder('SOL')
  let status = 1
  const origin = settlerWith(() => status)
  answer = async () => ({ kind: 'waiting', reason: 'the release is under way' })
  await start(origin).add(claimOf(escrow))
  fill(escrow, 'succeeded')
  const repayments = start(origin)
  await runUntil(repayments, () => asked.length === 2)
  status = 3
  await runUntil(repayments, () => claims.size === 0)
  assert.deepEqual(lines, ['info order_repaid'])
})

test('a filled order from an EVM chain that is refunded is an error', async () => {
  const escrow = newOrder('SOL')
  const repayments = start(settlerWith(() => 2))
  await repayments.add(claimOf(escrow))
  fill(escrow, 'succeeded')
  await runUntil(repayments, () => claims.size === 0)
  assert.deepEqual(lines, ['error filled_order_refunded'])
})

test('an order from an EVM chain that never opened is kept no longer than an hour after its deadline', async () => {
  for (const outcome of [undefined, 'expired'] as const) {
    const escrow = newOrder('SOL')
    time = Date.now()
    const repayments = start(settlerWith(() => 0))
    await repayments.add(claimOf(escrow))
    if (outcome !== undefined) fill(escrow, outcome)
    await repayments.round()
    assert.equal(claims.size, 1)
    time = escrow.order.openDeadline * 1000 + 3_600_001
    await runUntil(repayments, () => claims.size === 0)
    assert.deepEqual(lines, [])
  }
})

test('a fill is kept while endpoints hide its order and how it ended', async () => {
  const escrow = await opened('USDC')
  let isHidden = true
  const sound = programOrigin(side, noteLine)
  const repayments = start({
    ...sound,
    read: async (orderIds) =>
      isHidden ? new Map(orderIds.map((orderId) => [orderId, { status: 'missing' }])) : sound.read(orderIds),
    endOf: async (orderId) => (isHidden ? undefined : sound.endOf?.(orderId)),
  })
  await repayments.add(claimOf(escrow))
  fill(escrow, 'succeeded')
  time = escrow.order.openDeadline * 1000 + 3_600_001
  for (let rounds = 0; rounds < 3; rounds += 1) {
    await repayments.round()
    time += 60_000
  }
  assert.deepEqual([claims.size, lines], [1, ['error filled_order_missing']])
  isHidden = false
  await runUntil(repayments, () => claims.size === 0)
  assert.deepEqual(lines, ['error filled_order_missing', 'info order_repaid'])
})

test('a fill is kept while endpoints say that its order never opened, and repaid once they find it', async () => {
  const escrow = newOrder('SOL')
  let status = 0
  const origin = settlerWith(() => status)
  const repayments = start(origin)
  await repayments.add(claimOf(escrow))
  fill(escrow, 'open')
  time = escrow.order.openDeadline * 1000 + 3_600_001
  await repayments.round()
  fill(escrow, 'succeeded')
  for (let rounds = 0; rounds < 3; rounds += 1) {
    time += 3_600_000
    await repayments.round()
  }
  assert.deepEqual([claims.size, lines], [1, ['error filled_order_missing']])
  const restarted = start(origin)
  await restarted.round()
  assert.deepEqual([claims.size, lines.length], [1, 2])
  status = 3
  time += 3_600_000
  await runUntil(restarted, () => claims.size === 0)
  assert.equal(lines.at(-1), 'info order_repaid')
})
