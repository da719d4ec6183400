import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SOLANA_NATIVE_TOKEN } from 'openrfq/src/chains/solana/address.ts'
import { openInstruction } from 'openrfq/src/intents/settlers/escrow-program.ts'
import { type ClusterOrder, orderMaker } from 'openrfq/test/escrow-cluster.ts'
import { eventually } from 'openrfq/test/eventually.ts'
import { type ClusterWallet, type SolanaCluster, startSolanaCluster } from 'openrfq/test/solana-cluster.ts'
import type { SolanaInstructions } from '../wire/action.ts'
import type { Quote } from '../wire/quote.ts'
import { connectSolana } from './connect-solana.ts'
import { executeSolanaQuote } from './execute-solana-quote.ts'
import { refundSolanaQuote, solanaRefundOf } from './refund-solana-quote.ts'
import { readSolanaBalance } from './solana-balance.ts'

/** An upper bound of the fees of two transactions without a bid, in lamports. */
const MOST_FEES = 20_000n
const HOUR_MS = 3_600_000

let cluster: SolanaCluster
let depositor: ClusterWallet
let newOrder: ReturnType<typeof orderMaker>
let aheadMs = 0

before(async () => {
  cluster = await startSolanaCluster(40, () => Date.now() + aheadMs)
  const [first, second] = cluster.wallets
  assert.ok(first !== undefined && second !== undefined)
  depositor = first
  newOrder = orderMaker(cluster, depositor, second)
})
after(() => cluster.stop())

/** A quote of the order as the service shows it. */
const quoteOf = (escrow: ClusterOrder): Quote => {
  const chain = cluster.node.chainId
  const fee = {
    amount: '0',
    token: { chain, symbol: 'SOL', type: 'native' },
    paymentMethod: 'wallet_native',
    quoteTreatment: 'outside_quote',
  } as const
  const payload: SolanaInstructions = {
    type: 'solana_instructions',
    instructions: [openInstruction(escrow)],
    addressLookupTableAddresses: [],
  }
  const { inputToken: token, inputAmount, openDeadline } = escrow.order
  return {
    quoteId: 'quote_1',
    selectionReason: 'highest_output',
    backend: { type: 'intent', name: 'Intent', tracking: { swapId: escrow.orderId }, metadata: {} },
    estimatedTimeSeconds: 1,
    validity: { type: 'expires_at', quoteExpiresAt: new Date(openDeadline * 1000).toISOString() },
    input: { chain, token, amount: inputAmount.toString() },
    output: { chain: 'eip155:2', token: '0xb', amount: '1', minimumAmount: '1' },
    fees: { gas: fee, user: fee, integrator: null },
    actions: [{ id: 'transfer', label: 'Deposit', type: 'transaction', chain, payload }],
  }
}

const wallet = () => connectSolana(depositor.secret, cluster.node.rpcUrl, cluster.node.subscriptionsUrl)

const held = (token: string): Promise<bigint> =>
  readSolanaBalance({ rpcUrl: cluster.node.rpcUrl, token, owner: depositor.address })

for (const kind of ['SOL', 'USDC'] as const)
  test(`a depositor of ${kind} takes everything back after refundAfter with its own signature alone`, async () => {
    const nowSeconds = Math.floor((Date.now() + aheadMs) / 1000)
    const escrow = newOrder(kind, {
      openDeadline: nowSeconds + 600,
      fillDeadline: nowSeconds + 1_200,
      refundAfter: nowSeconds + 3_600,
    })
    const { address: token } = escrow.mint
    const quote = quoteOf(escrow)
    const before = await Promise.all([held(token), held(SOLANA_NATIVE_TOKEN)])
    await executeSolanaQuote({ ...(await wallet()), quote, now: Date.now() + aheadMs })
    assert.ok((await held(token)) < before[0])
    await assert.rejects(refundSolanaQuote({ ...(await wallet()), quote }), { code: 'refused' })
    aheadMs += 2 * HOUR_MS
    await eventually('the refund', async () => {
      try {
        return (await refundSolanaQuote({ ...(await wallet()), quote })).txHash
      } catch (error) {
        // The clock of the cluster moves with its next block.
        assert.match(String(error), /refused|cannot be sent/)
        return undefined
      }
    })
    const [tokens, lamports] = await Promise.all([held(token), held(SOLANA_NATIVE_TOKEN)])
    if (kind === 'USDC') assert.equal(tokens, before[0])
    assert.ok(before[1] - lamports <= MOST_FEES, `${before[1] - lamports} lamports are missing`)
    const signers = solanaRefundOf(quote).instructions.flatMap(({ keys }) =>
      keys.flatMap(({ isSigner, pubkey }) => (isSigner ? [pubkey] : [])),
    )
    assert.deepEqual(new Set(signers), new Set(kind === 'SOL' ? [] : [depositor.address]))
  })

test('a quote that opens no order has no refund', () => {
  const quote = quoteOf(newOrder('SOL'))
  const [action] = quote.actions
  assert.ok(action?.payload.type === 'solana_instructions')
  const payload = { ...action.payload, instructions: [] }
  assert.throws(() => solanaRefundOf({ ...quote, actions: [{ ...action, payload }] }), {
    code: 'unsupported',
  })
})
