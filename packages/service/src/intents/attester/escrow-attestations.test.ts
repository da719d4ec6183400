import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { privateKeyToAccount } from 'viem/accounts'
import { type ClusterOrder, orderMaker, signedBy } from '../../../test/escrow-cluster.ts'
import { ATTESTER_KEY } from '../../../test/escrow-orders.ts'
import { until } from '../../../test/eventually.ts'
import { type ClusterWallet, type SolanaCluster, startSolanaCluster } from '../../../test/solana-cluster.ts'
import { createTestPaymentChain, type TestPayment } from '../../../test/test-payment-chain.ts'
import type { EvmBlock, EvmLog, EvmReceipt } from '../../chains/evm/evm-chain.ts'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import { RpcError } from '../../chains/rpc/rpc-error.ts'
import { strKeyText } from '../../chains/stellar/str-key.ts'
import { EvmPrivateKey } from '../../core/evm-private-key.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import { createFactCheck } from '../../transactions/fact-check.ts'
import { repayTo } from '../settlers/attestation.ts'
import { openInstruction, refundInstruction, releaseInstruction } from '../settlers/escrow-program.ts'
import { createEscrowReader, type EscrowReader } from '../settlers/escrow-reader.ts'
import { createPaidFact } from '../settlers/paid-fact.ts'
import { SETTLER_TOPICS } from '../settlers/settler-events.ts'
import type { ClaimJudge } from './claim-answer.ts'
import { createEscrowAttester } from './escrow-attestations.ts'
import type { EvmFills } from './evm-fill.ts'

const EVM = 'eip155:31337'
const STELLAR = 'stellar:sandbox'
const SETTLER = '0x00000000000000000000000000000000000000E1'
const FILL_HASH = `0x${'f1'.repeat(32)}`
const G = (seed: number): string => strKeyText('G', new Uint8Array(32).fill(seed))
const TOKEN = strKeyText('C', new Uint8Array(32).fill(9))
const TO_STELLAR = {
  destinationChain: STELLAR,
  destinationSettler: G(1),
  outputToken: TOKEN,
  recipient: G(3),
  filler: G(4),
}

let cluster: SolanaCluster
let chain: PaymentChain
let reader: EscrowReader
let depositor: ClusterWallet
let solver: ClusterWallet
let newOrder: ReturnType<typeof orderMaker>
let stellar: ReturnType<typeof createTestPaymentChain>
let receipts: EvmReceipt[] = []
let isStatusDenied = false
let attest: ClaimJudge

const evmFills: EvmFills = {
  settler: SETTLER,
  evm: {
    chainId: EVM,
    agreedReceipt: async (txHash) => receipts.find((receipt) => receipt.txHash === txHash),
    finalBlock: async (number) => ({ number, hash: `0x${number}`, parentHash: '', timestampSeconds: 0 }),
    finalLogs: async ({ number }, last, { addresses }) => {
      const blocks = receipts.filter(({ blockNumber }) => blockNumber > number && blockNumber <= last)
      const block: EvmBlock = { number: last, hash: `0x${last}`, parentHash: '', timestampSeconds: 0 }
      const logs = blocks.flatMap((receipt) =>
        receipt.logs
          .filter((log) => addresses.includes(log.address))
          .map((log, position) => ({ ...log, ...receipt, position })),
      )
      return { last: block, logs }
    },
    callStatements: async () =>
      [0, 1].map((endpoint) => ({ endpoint, confirms: endpoint === 0 || !isStatusDenied })),
  },
}

before(async () => {
  cluster = await startSolanaCluster()
  chain = await cluster.connect()
  const [first, second] = cluster.wallets
  assert.ok(first !== undefined && second !== undefined && chain.programs !== undefined)
  ;[depositor, solver] = [first, second]
  reader = createEscrowReader(chain.programs, cluster.node.escrowProgram)
  newOrder = orderMaker(cluster, depositor, solver)
})
beforeEach(async () => {
  receipts = []
  isStatusDenied = false
  stellar = createTestPaymentChain({ chainId: STELLAR, chainType: 'stellar', startSeconds: 1_000 })
  attest = attesterOf(ATTESTER_KEY)
  cluster.node.advance(1)
  await until(() => chain.head() !== undefined)
})
after(() => cluster.stop())

const attesterOf = (privateKey: EvmPrivateKey): ClaimJudge => {
  const paymentChains = new Map([[STELLAR, stellar.chain]])
  return createEscrowAttester({
    privateKey,
    origins: new Map([[cluster.node.chainId, { program: cluster.node.escrowProgram, chain, reader }]]),
    evmFills: new Map([[EVM, evmFills]]),
    paymentChains,
    paidFact: createPaidFact(paymentChains),
    factCheck: createFactCheck({ now: () => 0, log: () => undefined }),
  })
}

const land = async (wallet: ClusterWallet, ...instructions: readonly Parameters<typeof signedBy>[0][]) => {
  await cluster.send(
    wallet,
    instructions.map((instruction) => signedBy(instruction, wallet)),
  )
  cluster.node.advance(8)
  const slot = chain.head()?.finalNumber ?? 0n
  await until(() => (chain.head()?.finalNumber ?? 0n) >= slot)
}

const opened = async (part: Partial<IntentOrder> = {}): Promise<ClusterOrder> => {
  const order = newOrder('USDC', part)
  await land(depositor, openInstruction(order))
  return order
}

const word = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

const filledLog = (orderId: OrderId, order: IntentOrder, address = SETTLER): EvmLog => ({
  address: address.toLowerCase(),
  topics: [SETTLER_TOPICS.attestedFilled, orderId, word(order.filler), repayTo(order)],
  data: '0x',
})

const fillOnEvm = (logs: readonly EvmLog[], final = true): void => {
  receipts.push({
    txHash: FILL_HASH,
    blockNumber: 7n,
    blockHash: '0x7',
    timestampSeconds: 0,
    succeeded: true,
    from: '0x',
    to: SETTLER,
    input: '0x',
    value: 0n,
    logs,
    firstLogIndex: 0,
    final,
  })
}

const payOnStellar = ({ order, orderId }: ClusterOrder, part: Partial<TestPayment> = {}): string => {
  const txHash = stellar.pay({
    from: order.filler,
    to: order.recipient,
    token: order.outputToken,
    amount: order.outputAmount,
    memo: orderId,
    ...part,
  })
  stellar.advance(5)
  return txHash
}

const kindOf = async (order: IntentOrder, transaction = FILL_HASH): Promise<string> => {
  const answer = await attest({ order, transaction })
  return answer.kind === 'attested' ? 'attested' : `${answer.kind}: ${answer.reason}`
}

test('the program releases an order by the attestation of its fill on an EVM chain', async () => {
  const escrow = await opened()
  fillOnEvm([filledLog(escrow.orderId, escrow.order)])
  const answer = await attest({ order: escrow.order, transaction: FILL_HASH })
  assert.ok(answer.kind === 'attested')
  await land(solver, releaseInstruction(escrow, answer))
  assert.equal((await reader.agreed([escrow.orderId], 0n)).get(escrow.orderId)?.status, 'released')
  assert.equal(await kindOf(escrow.order), 'refused: the order is released')
})

test('the program releases an order by the attestation of its fill on a payment chain', async () => {
  const escrow = await opened(TO_STELLAR)
  const transaction = payOnStellar(escrow)
  const answer = await attest({ order: escrow.order, transaction })
  assert.ok(answer.kind === 'attested')
  await land(solver, releaseInstruction(escrow, answer))
  assert.equal((await reader.agreed([escrow.orderId], 0n)).get(escrow.orderId)?.status, 'released')
})

test('a payment that is not exactly the fill attests nothing', async () => {
  const escrow = await opened(TO_STELLAR)
  const wrong: readonly Partial<TestPayment>[] = [
    { amount: escrow.order.outputAmount - 1n },
    { memo: newOrder('SOL').orderId },
    { to: G(5) },
    { from: G(6) },
    { token: strKeyText('C', new Uint8Array(32).fill(8)) },
  ]
  for (const part of wrong)
    assert.match(await kindOf(escrow.order, payOnStellar(escrow, part)), /^refused: no fill/)
})

test('a payment after the fill deadline attests nothing', async () => {
  const tomorrow = Math.floor(Date.now() / 1000) + 86_400
  stellar = createTestPaymentChain({ chainId: STELLAR, chainType: 'stellar', startSeconds: tomorrow })
  attest = attesterOf(ATTESTER_KEY)
  const escrow = await opened(TO_STELLAR)
  assert.match(await kindOf(escrow.order, payOnStellar(escrow)), /^refused: .*paid after the fill deadline/)
})

test('a payment that one endpoint denies waits', async () => {
  const escrow = await opened(TO_STELLAR)
  const transaction = payOnStellar(escrow)
  stellar.setContradicted(true)
  assert.equal(await kindOf(escrow.order, transaction), 'waiting: an endpoint denies the fill')
})

test('a fill on an EVM chain counts only from the configured settler, in the named and final transaction', async () => {
  const escrow = await opened()
  const { order, orderId } = escrow
  assert.match(await kindOf(order), /^waiting: .* is not final/)
  fillOnEvm([filledLog(orderId, order)], false)
  assert.match(await kindOf(order), /^waiting: .* is not final/)
  receipts = []
  fillOnEvm([
    filledLog(orderId, order, '0x00000000000000000000000000000000000000bb'),
    filledLog(newOrder('SOL').orderId, order),
    filledLog(orderId, { ...order, solver: depositor.address }),
  ])
  assert.match(await kindOf(order), /^refused: no fill/)
  receipts = []
  fillOnEvm([filledLog(orderId, order)])
  isStatusDenied = true
  assert.equal(await kindOf(order), 'waiting: an endpoint denies the fill')
})

test('an order whose fills its own contract would claim is refused', async () => {
  const hostile = '0x00000000000000000000000000000000000000bb'
  const escrow = await opened({ destinationSettler: '0x00000000000000000000000000000000000000bB' })
  fillOnEvm([filledLog(escrow.orderId, escrow.order, hostile), filledLog(escrow.orderId, escrow.order)])
  assert.match(await kindOf(escrow.order), /^refused: .* is no settler/)
})

test('an order that is not open in a final block is not attested', async () => {
  const never = newOrder('SOL')
  fillOnEvm([filledLog(never.orderId, never.order)])
  assert.equal(await kindOf(never.order), 'waiting: the order is not open in a final block')
  const declined = await opened()
  fillOnEvm([filledLog(declined.orderId, declined.order)])
  await land(solver, refundInstruction(declined, { kind: 'solver' }))
  assert.equal(await kindOf(declined.order), 'refused: the order is refunded')
})

test('terms that are not those of the escrow are another order, which is not open', async () => {
  const { order } = await opened(TO_STELLAR)
  const cheaper = { ...newOrder('USDC', TO_STELLAR), order: { ...order, recipient: G(7) } }
  const transaction = payOnStellar(cheaper)
  assert.equal(await kindOf(cheaper.order, transaction), 'waiting: the order is not open in a final block')
})

test('an order of another attester, program or chain is refused', async () => {
  const { order } = await opened()
  const other = EvmPrivateKey.parse(`0x${'b8'.repeat(32)}`)
  assert.match(
    await kindOf({ ...order, attester: privateKeyToAccount(other).address }),
    /^refused: .*attester/,
  )
  assert.match(await kindOf({ ...order, originSettler: depositor.address }), /^refused: .*no escrow program/)
  assert.match(await kindOf({ ...order, originChain: EVM }), /^refused: the order is invalid/)
  assert.match(await kindOf({ ...order, recipient: 'nobody' }), /^refused: the order is invalid/)
  assert.match(await kindOf(order, 'nothing'), /^refused: nothing names no transaction/)
})

test('an origin that cannot be read is an error or a reason to wait, never an attestation', async () => {
  const escrow = await opened()
  fillOnEvm([filledLog(escrow.orderId, escrow.order)])
  const unread = (error: Error): ClaimJudge =>
    createEscrowAttester({
      privateKey: ATTESTER_KEY,
      origins: new Map([
        [
          cluster.node.chainId,
          { program: cluster.node.escrowProgram, chain, reader: { agreed: () => Promise.reject(error) } },
        ],
      ]),
      evmFills: new Map([[EVM, evmFills]]),
      paymentChains: new Map(),
      paidFact: createPaidFact(new Map()),
      factCheck: createFactCheck({ now: () => 0, log: () => undefined }),
    })
  const claim = { order: escrow.order, transaction: FILL_HASH }
  assert.equal((await unread(new RpcError('NODE_BEHIND', 'behind'))(claim)).kind, 'waiting')
  await assert.rejects(unread(new RpcError('NO_AGREEMENT', 'no'))(claim), { code: 'NO_AGREEMENT' })
})
