import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSolanaRpc, signature, type TransactionModifyingSigner } from '@solana/kit'
import { SOLANA_NATIVE_TOKEN } from 'openrfq/src/chains/solana/address.ts'
import type { SolanaMint } from 'openrfq/src/chains/solana/programs.ts'
import { type ClusterWallet, type SolanaCluster, startSolanaCluster } from 'openrfq/test/solana-cluster.ts'
import { ataOf, lookupTable } from 'openrfq/test/solana-instructions.ts'
import { solanaPayment } from 'openrfq/test/solana-payment.ts'
import type { SolanaInstructions } from '../wire/action.ts'
import type { Quote } from '../wire/quote.ts'
import { connectSolana } from './connect-solana.ts'
import { executeSolanaQuote, type SolanaExecution } from './execute-solana-quote.ts'
import { readSolanaBalance } from './solana-balance.ts'
import { solanaPayer } from './solana-payer.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')
const NATIVE: SolanaMint = { address: SOLANA_NATIVE_TOKEN, decimals: 9 }
const MEMO = `quote_${'a'.repeat(26)} 0x${'b'.repeat(64)}`

let cluster: SolanaCluster
let sender: ClusterWallet
let vault: ClusterWallet

before(async () => {
  cluster = await startSolanaCluster(40)
  const [first, second] = cluster.wallets
  assert.ok(first !== undefined && second !== undefined)
  ;[sender, vault] = [first, second]
})
after(() => cluster.stop())

const depositOf = (token: SolanaMint, amount: bigint) => ({
  payload: solanaPayment({ from: sender.address, to: vault.address, token, amount, memo: MEMO }),
  /** 5,000 a signature, and 40,000 units at 10,000 micro-lamports. */
  gasFee: 5_400n,
})

const quoteOf = (payload: SolanaInstructions, changes: Partial<Quote> = {}): Quote => {
  const chain = cluster.node.chainId
  const fee = {
    amount: '0',
    token: { chain, symbol: 'SOL', type: 'native' },
    paymentMethod: 'wallet_native',
    quoteTreatment: 'outside_quote',
  } as const
  return {
    quoteId: 'quote_1',
    selectionReason: 'highest_output',
    backend: { type: 'intent', name: 'Intent', tracking: { swapId: '0x1' }, metadata: {} },
    estimatedTimeSeconds: 1,
    validity: { type: 'expires_at', quoteExpiresAt: '2026-01-01T00:01:00Z' },
    input: { chain, token: NATIVE.address, amount: '1' },
    output: { chain: 'eip155:2', token: '0xb', amount: '1', minimumAmount: '1' },
    fees: { gas: fee, user: fee, integrator: null },
    actions: [{ id: 'transfer', label: 'Deposit', type: 'transaction', chain, payload }],
    ...changes,
  }
}

const execute = async (quote: Quote, changes: Partial<SolanaExecution> = {}) => {
  const { rpcUrl, subscriptionsUrl } = cluster.node
  const wallet = await connectSolana(sender.secret, rpcUrl, subscriptionsUrl)
  return executeSolanaQuote({ ...wallet, quote, now: NOW, ...changes })
}

const codeOf = (code: string) => (error: Error & { readonly code?: string }) => {
  assert.equal(error.code, code, String(error))
  return true
}

test('a deposit of SOL or tokens pays the exact amount and the quoted fee', async () => {
  const paymentChain = await cluster.connect()
  const start = paymentChain.head()?.finalNumber ?? 0n
  const { rpcUrl } = cluster.node
  const events: string[] = []
  for (const token of [NATIVE, ...cluster.mints]) {
    const held = (owner: ClusterWallet, of: SolanaMint) =>
      readSolanaBalance({ rpcUrl, token: of.address, owner: owner.address })
    const before = await Promise.all([held(vault, token), held(sender, token), held(sender, NATIVE)])
    const { payload, gasFee } = depositOf(token, 1_234_567n)
    const { txHash, messageId, sourceChain } = await execute(quoteOf(payload), {
      onAction: ({ action: { id }, event, txHash: hash }) => events.push(`${id} ${event} ${hash}`),
    })
    assert.deepEqual([messageId, sourceChain], [undefined, cluster.node.chainId])
    assert.deepEqual(events.splice(0), [`transfer sent ${txHash}`, `transfer included ${txHash}`])
    const after = await Promise.all([held(vault, token), held(sender, token), held(sender, NATIVE)])
    assert.equal(after[0] - before[0], 1_234_567n)
    assert.equal(before[2] - after[2], gasFee + (token === NATIVE ? 1_234_567n : 0n))
    const { final, tentative } = await paymentChain.readPayments([vault.address], start)
    const found = [...final, ...tentative].find((payment) => payment.txHash === txHash)
    assert.deepEqual(
      [found?.from, found?.to, found?.token, found?.amount, found?.memo],
      [sender.address, vault.address, token.address, 1_234_567n, MEMO],
    )
  }
})

test('uses the lookup tables that a payload names', async () => {
  const [usdc] = cluster.mints
  const { payload } = depositOf(usdc, 5n)
  const paymentChain = await cluster.connect()
  const entries = [vault.address, usdc.address].map((owner) => ataOf(owner, usdc))
  const { table, instructions } = await lookupTable(sender, paymentChain.head()?.finalNumber ?? 0n, entries)
  await cluster.send(sender, instructions)
  cluster.node.advance(2)
  const { txHash } = await execute(quoteOf({ ...payload, addressLookupTableAddresses: [table] }))
  const landed = await createSolanaRpc(cluster.node.rpcUrl)
    .getTransaction(signature(txHash), {
      commitment: 'confirmed',
      encoding: 'json',
      maxSupportedTransactionVersion: 0,
    })
    .send()
  const message = landed?.transaction.message
  assert.ok(message !== undefined && 'addressTableLookups' in message)
  assert.equal(message.addressTableLookups?.[0]?.accountKey, table)
})

test('accepts a transaction that the wallet changed before signing', async () => {
  const { payload } = depositOf(NATIVE, 5n)
  const wallet = await connectSolana(sender.secret, cluster.node.rpcUrl, cluster.node.subscriptionsUrl)
  const { signer } = wallet
  assert.ok('signTransactions' in signer)
  let isAsked = false
  const modifying: TransactionModifyingSigner = {
    address: signer.address,
    modifyAndSignTransactions: async (given) => {
      isAsked = true
      // CAST: what the SDK builds has a lifetime and is short enough to be sent.
      const transactions = given as Parameters<typeof signer.signTransactions>[0]
      const signatures = await signer.signTransactions(transactions)
      return transactions.map((transaction, index) => ({
        ...transaction,
        signatures: { ...transaction.signatures, ...signatures[index] },
      }))
    },
  }
  const held = () =>
    readSolanaBalance({ rpcUrl: cluster.node.rpcUrl, token: NATIVE.address, owner: vault.address })
  const before = await held()
  await execute(quoteOf(payload), { signer: modifying })
  assert.deepEqual([isAsked, (await held()) - before], [true, 5n])
})

test('sends nothing for another signer, another cluster or an expired quote', async () => {
  const { payload } = depositOf(NATIVE, 1n)
  const [action] = quoteOf(payload).actions
  assert.ok(action !== undefined)
  const elsewhere = { ...action, chain: `solana:${'1'.repeat(32)}` }
  const plain = {
    ...action,
    payload: { type: 'deposit_address', address: 'a', amount: '1', token: 'b' },
  } as const
  const wallet = await connectSolana(vault.secret, cluster.node.rpcUrl)
  const cases: readonly (readonly [string, Quote, Partial<SolanaExecution>?])[] = [
    ['expired', quoteOf(payload), { now: NOW + 60_000 }],
    ['wrong_wallet', quoteOf(payload), wallet],
    ['wrong_wallet', quoteOf(payload, { actions: [elsewhere] })],
    ['unsupported', quoteOf(payload, { actions: [plain] })],
    ['unsupported', quoteOf(payload, { actions: [] })],
    [
      'unsupported',
      quoteOf(payload, { backend: { type: 'gateway', name: 'Gateway', tracking: {}, metadata: {} } }),
    ],
    ['refused', quoteOf(depositOf(NATIVE, 1n << 60n).payload)],
    ['refused', quoteOf({ ...payload, instructions: Array(20).fill(payload.instructions).flat() })],
  ]
  for (const [code, quote, changes] of cases) await assert.rejects(execute(quote, changes), codeOf(code))
  for (const key of ['', '0x00', sender.address])
    await assert.rejects(connectSolana(key, cluster.node.rpcUrl), RangeError)
})

test('sends nothing when the quote expires while the wallet signs', async (t) => {
  const { payload } = depositOf(NATIVE, 5n)
  const { rpcUrl, subscriptionsUrl } = cluster.node
  const { signer } = await connectSolana(sender.secret, rpcUrl, subscriptionsUrl)
  assert.ok('signTransactions' in signer)
  const slow: SolanaExecution['signer'] = {
    address: signer.address,
    signTransactions: (transactions, config) => {
      const late = performance.now() + 60_000
      t.mock.method(performance, 'now', () => late)
      return signer.signTransactions(transactions, config)
    },
  }
  const held = () => readSolanaBalance({ rpcUrl, token: NATIVE.address, owner: vault.address })
  const before = await held()
  await assert.rejects(execute(quoteOf(payload), { signer: slow }), codeOf('expired'))
  cluster.node.advance(2)
  assert.equal(await held(), before)
})

test('a payer learns before any signature that a transaction would fail', async () => {
  const { rpcUrl, subscriptionsUrl } = cluster.node
  const payer = solanaPayer(await connectSolana(sender.secret, rpcUrl, subscriptionsUrl))
  await payer.simulate(quoteOf(depositOf(NATIVE, 5n).payload))
  const tooMuch = payer.simulate(quoteOf(depositOf(NATIVE, 1n << 60n).payload))
  await assert.rejects(tooMuch, { code: 'refused', message: /would fail: / })
})

test('distinguishes an outage before sending from one after', async () => {
  const { payload } = depositOf(NATIVE, 1n)
  cluster.node.setUp(false)
  await assert.rejects(execute(quoteOf(payload)), codeOf('unreachable'))
  cluster.node.setUp(true)
  cluster.node.dropNext(2)
  await assert.rejects(execute(quoteOf(payload), { timeoutMs: 500 }), codeOf('uncertain'))
})

test('sends a transaction that the nodes lose again until it lands, once', async () => {
  const { payload } = depositOf(NATIVE, 7n)
  const held = () =>
    readSolanaBalance({ rpcUrl: cluster.node.rpcUrl, token: NATIVE.address, owner: vault.address })
  const before = await held()
  cluster.node.dropNext(3)
  await execute(quoteOf(payload))
  assert.equal((await held()) - before, 7n)
})
