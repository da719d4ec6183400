import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ISSUER_KEY } from '@openrfq/sandbox/src/stellar/keys.ts'
import { Networks, type Transaction, TransactionBuilder } from '@stellar/stellar-sdk'
import { muxedAddress } from 'openrfq/src/chains/stellar/muxed-account.ts'
import { toIso } from 'openrfq/src/core/instant.ts'
import { openStellarWorld, type StellarWorld, USDC } from 'openrfq/test/stellar-world.ts'
import type { Quote } from '../wire/quote.ts'
import { connectStellar } from './connect-stellar.ts'
import { executeStellarQuote, type StellarExecution } from './execute-stellar-quote.ts'
import { readStellarBalance } from './stellar-balance.ts'
import { stellarPayer } from './stellar-payer.ts'
import { stellarPaymentUri } from './stellar-uri.ts'

const ISSUED = { code: 'USDC', issuer: ISSUER_KEY.address }
const ID = 0x0123_4567_89ab_cdefn
const LIFETIME_SECONDS = 60
const VAULT = 5

let world: StellarWorld
let closing: NodeJS.Timeout

before(async () => {
  world = await openStellarWorld()
  closing = setInterval(() => world.node.closeLedger(), 50)
})

after(() => {
  clearInterval(closing)
  return world.close()
})

const vault = () => world.user(VAULT).publicKey()

const deposit = (token: string, amount: string): Quote['actions'][number] => ({
  id: 'deposit',
  label: 'Deposit',
  type: 'deposit_address',
  chain: 'stellar:sandbox',
  payload: { type: 'deposit_address', address: muxedAddress(vault(), ID), amount, token },
})

const quoteOf = (...actions: Quote['actions']): Quote => {
  const fee = {
    amount: '1',
    token: { chain: 'stellar:sandbox', symbol: 'XLM', type: 'native' },
    paymentMethod: 'wallet_native',
    quoteTreatment: 'outside_quote',
  } as const
  const payload = actions[0]?.payload
  const { amount, token } = payload?.type === 'deposit_address' ? payload : { amount: '1', token: 'C' }
  return {
    quoteId: 'quote_1',
    selectionReason: 'highest_output',
    backend: { type: 'intent', name: 'intent', tracking: { swapId: '0x1' }, metadata: {} },
    estimatedTimeSeconds: 1,
    validity: { type: 'expires_at', quoteExpiresAt: toIso(world.now() + LIFETIME_SECONDS * 1000) },
    input: { chain: 'stellar:sandbox', token, amount },
    output: { chain: 'eip155:2', token: '0xb', amount: '1', minimumAmount: '1' },
    fees: { gas: fee, user: fee, integrator: null },
    actions: [...actions],
  }
}

const walletOf = (user: number) =>
  connectStellar(world.user(user).secret(), {
    rpcUrl: world.node.rpcUrl,
    passphrase: world.node.networkPassphrase,
    assets: [ISSUED],
  })

const execute = async (user: number, quote: Quote, changes: Partial<StellarExecution> = {}) =>
  executeStellarQuote({ ...(await walletOf(user)), quote, now: world.now(), ...changes })

test('pays the exact amount and token to the address and returns the transaction', async () => {
  const [xlm, usdc] = [world.token('XLM'), world.token('USDC')]
  const startedAt = world.height()
  const { rpcUrl } = world.node
  const held = await readStellarBalance({ rpcUrl, asset: ISSUED, owner: vault() })
  const seen: string[] = []
  const [inUsdc, inLumens] = await Promise.all([
    execute(0, quoteOf(deposit(usdc, '12345678')), {
      onAction: ({ action: { id }, event, txHash }) => seen.push(`${id} ${event} ${txHash}`),
    }),
    execute(1, quoteOf(deposit(xlm, '10000000')), { assets: [] }),
  ])
  assert.deepEqual(inUsdc, {
    quoteId: 'quote_1',
    txHash: inUsdc.txHash,
    messageId: undefined,
    sourceChain: 'stellar:sandbox',
    estimatedTimeSeconds: 1,
  })
  assert.deepEqual(seen, [`deposit sent ${inUsdc.txHash}`, `deposit included ${inUsdc.txHash}`])
  const { final } = await world.chain.readPayments([vault()], startedAt)
  const payments = final.map(({ txHash, from, token, amount, muxedId }) => ({
    txHash,
    from,
    token,
    amount,
    muxedId,
  }))
  assert.deepEqual(
    new Set(payments),
    new Set([
      {
        txHash: inUsdc.txHash,
        from: world.user(0).publicKey(),
        token: usdc,
        amount: 12_345_678n,
        muxedId: ID,
      },
      {
        txHash: inLumens.txHash,
        from: world.user(1).publicKey(),
        token: xlm,
        amount: 10_000_000n,
        muxedId: ID,
      },
    ]),
  )
  assert.equal(await readStellarBalance({ rpcUrl, asset: ISSUED, owner: vault() }), held + 12_345_678n)
  assert.ok((await readStellarBalance({ rpcUrl, asset: undefined, owner: vault() })) > 0n)
  assert.equal(await readStellarBalance({ rpcUrl, asset: ISSUED, owner: ISSUER_KEY.address }), 0n)
})

const refuses = async (run: Promise<unknown>, code: string, message: RegExp): Promise<void> => {
  await assert.rejects(run, { name: 'ExecutionError', code, message })
}

test('sends nothing that the quote, the network or the token rules out', async () => {
  const quote = quoteOf(deposit(world.token('USDC'), '1'))
  const [action] = quote.actions
  assert.ok(action)
  const silent = await world.startRelay(() => undefined)
  const sequence = async () => (await world.server.getAccount(world.user(2).publicKey())).sequenceNumber()
  const before = await sequence()
  const expiresAt = Date.parse(quote.validity.quoteExpiresAt)
  await refuses(execute(2, quote, { now: expiresAt }), 'expired', /ask for a fresh one/)
  await refuses(execute(2, quoteOf()), 'unsupported', /has no actions/)
  await refuses(execute(2, quoteOf(action, action)), 'unsupported', /not one deposit/)
  const foreign = { type: 'solana_instructions', instructions: [], addressLookupTableAddresses: [] } as const
  const other = { ...action, payload: { ...foreign, instructions: [], addressLookupTableAddresses: [] } }
  await refuses(execute(2, quoteOf(other)), 'unsupported', /cannot run solana_instructions/)
  for (const shown of [{ amount: '2' }, { token: world.token('XLM') }, { chain: 'stellar:pubnet' }] as const)
    await refuses(
      execute(2, { ...quote, input: { ...quote.input, ...shown } }),
      'unsupported',
      /asks to pay 1 of/,
    )
  await refuses(execute(2, quote, { assets: [] }), 'unsupported', /which no known asset/)
  await refuses(execute(2, quote, { rpcUrl: silent }), 'unreachable', /cannot be sent/)
  const elsewhere = { ...action, payload: { ...deposit(USDC.contractId(Networks.PUBLIC), '1').payload } }
  await refuses(
    execute(2, quoteOf(elsewhere), { passphrase: Networks.PUBLIC }),
    'wrong_wallet',
    /expected "Public Global Stellar Network/,
  )
  await assert.rejects(connectStellar('S', { ...world.node, passphrase: '', assets: [] }), RangeError)
  await world.closeLedger()
  assert.equal(await sequence(), before)
})

test('repeats a lost payment, and distinguishes a failed payment from an expired one', async () => {
  const usdc = world.token('USDC')
  const patient = quoteOf(deposit(usdc, '1'))
  patient.validity.quoteExpiresAt = toIso(world.now() + 10 * LIFETIME_SECONDS * 1000)
  world.node.dropNext(1)
  const wasSent = Promise.withResolvers<void>()
  const lost = execute(6, patient, { onAction: () => wasSent.resolve() })
  await Promise.race([wasSent.promise, lost])
  world.node.holdNext(1)
  const late = execute(4, quoteOf(deposit(usdc, '1')), {
    onAction: () => world.passSeconds(LIFETIME_SECONDS + 1),
  })
  await refuses(late, 'refused', /in no ledger before the quote expired/)
  const tooMuch = quoteOf(deposit(usdc, (10n ** 18n).toString()))
  await refuses(execute(3, tooMuch), 'reverted', /paymentUnderfunded/)
  const { txHash } = await lost
  assert.equal((await world.server.getTransaction(txHash)).status, 'SUCCESS')
})

test('a payer learns before any signature that its balance does not suffice', async () => {
  const payer = stellarPayer(await walletOf(5))
  const quote = quoteOf(deposit(world.token('USDC'), '1'))
  const paying = (token: string, amount: string) => ({ ...quote, input: { ...quote.input, token, amount } })
  await payer.simulate(paying(world.token('USDC'), '1'))
  const tooMuch = payer.simulate(paying(world.token('XLM'), '9'.repeat(18)))
  await assert.rejects(tooMuch, { code: 'refused', message: /holds \d+ base units/ })
  const unknown = payer.simulate(paying(USDC.contractId(Networks.PUBLIC), '1'))
  await assert.rejects(unknown, { code: 'unsupported' })
})

test('pays nothing when the wallet rejects, fails or signs something else', async () => {
  const quote = quoteOf(deposit(world.token('USDC'), '1'))
  const other = await walletOf(7)
  const signs: readonly (readonly [StellarExecution['signTransaction'], RegExp])[] = [
    [() => Promise.resolve({ signedTxXdr: '', error: { message: 'the user said no' } }), /the user said no/],
    [() => Promise.reject(new Error('the wallet is locked')), /the wallet is locked/],
    [
      () => {
        throw new Error('the wallet is broken')
      },
      /the wallet is broken/,
    ],
    // CAST: a wallet in JavaScript may answer nothing.
    [() => Promise.resolve(undefined as never), /cannot be signed/],
    [() => Promise.resolve({ signedTxXdr: 'garbage' }), /cannot be signed/],
    [
      async (xdr, options) => {
        // CAST: the SDK asks for no fee bump.
        const asked = TransactionBuilder.fromXDR(xdr, options.networkPassphrase) as Transaction
        const altered = TransactionBuilder.cloneFrom(asked, { fee: '200' }).build()
        return other.signTransaction(altered.toXDR(), options)
      },
      /signed another transaction/,
    ],
  ]
  for (const [signTransaction, message] of signs)
    await refuses(execute(2, quote, { signTransaction }), 'refused', message)
})

test('pays nothing from another account than that of the quote, or from none', async () => {
  const quote = quoteOf(deposit(world.token('USDC'), '1'))
  const refund = { address: world.user(1).publicKey() }
  const made = { ...quote, backend: { ...quote.backend, metadata: { refund } } } as Quote
  await refuses(execute(2, made), 'wrong_wallet', /made for G.* the wallet is G/)
  await refuses(
    execute(2, quote, { address: 'nonsense' }),
    'wrong_wallet',
    /is nonsense, expected an account/,
  )
})

test('says that an RPC address cannot be used', async () => {
  const quote = quoteOf(deposit(world.token('USDC'), '1'))
  await refuses(execute(2, quote, { rpcUrl: 'nonsense' }), 'unreachable', /cannot be sent: Invalid URL/)
})

test('builds the SEP-7 URI of a deposit', async () => {
  const { payload } = deposit('C', '12345678')
  assert.ok(payload.type === 'deposit_address')
  const uri = (asset: typeof ISSUED | undefined, passphrase: string) =>
    stellarPaymentUri({ payload, asset, passphrase })
  assert.equal(
    uri(ISSUED, Networks.TESTNET),
    `web+stellar:pay?destination=${payload.address}&amount=1.2345678&asset_code=USDC` +
      `&asset_issuer=${ISSUED.issuer}&network_passphrase=Test%20SDF%20Network%20%3B%20September%202015`,
  )
  assert.equal(
    uri(undefined, Networks.PUBLIC),
    `web+stellar:pay?destination=${payload.address}&amount=1.2345678`,
  )
})
