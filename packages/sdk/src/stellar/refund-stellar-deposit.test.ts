import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ISSUER_KEY } from '@openrfq/sandbox/src/stellar/keys.ts'
import { muxedAddress } from 'openrfq/src/chains/stellar/muxed-account.ts'
import { toIso } from 'openrfq/src/core/instant.ts'
import { openStellarWorld, type StellarWorld, UNIT } from 'openrfq/test/stellar-world.ts'
import type { Quote } from '../wire/quote.ts'
import { connectStellar } from './connect-stellar.ts'
import { executeStellarQuote } from './execute-stellar-quote.ts'
import { refundStellarDeposit } from './refund-stellar-deposit.ts'
import { stellarPayer } from './stellar-payer.ts'
import type { StellarWallet } from './stellar-wallet.ts'

const CHAIN = 'stellar:sandbox'
const ID = 99n
const MAKER = 2
const VAULT = 5
const LIFE_SECONDS = 900

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

const walletOf = (index: number): Promise<StellarWallet> =>
  connectStellar(world.user(index).secret(), {
    rpcUrl: world.node.rpcUrl,
    passphrase: world.node.networkPassphrase,
    assets: [{ code: 'USDC', issuer: ISSUER_KEY.address }],
  })

const quoteNow = (changes: Partial<Quote> = {}): Quote => {
  const [token, amount] = [world.token('USDC'), (4n * UNIT).toString()]
  const fee = {
    amount: '1',
    token: { chain: CHAIN, symbol: 'XLM', type: 'native' },
    paymentMethod: 'wallet_native',
    quoteTreatment: 'outside_quote',
  } as const
  return {
    quoteId: 'quote_1',
    selectionReason: 'highest_output',
    backend: {
      type: 'intent',
      name: 'intent',
      tracking: { swapId: '0x1' },
      metadata: {
        refundAfter: toIso(world.now() + LIFE_SECONDS * 1000),
        claimableBalance: { uri: 'web+stellar:tx?xdr=AAAA', terms: 'a sentence' },
      },
    },
    estimatedTimeSeconds: 1,
    validity: { type: 'expires_at', quoteExpiresAt: toIso(world.now() + 60_000) },
    input: { chain: CHAIN, token, amount },
    output: { chain: 'eip155:2', token: '0xb', amount: '1', minimumAmount: '1' },
    fees: { gas: fee, user: fee, integrator: null },
    actions: [
      {
        id: 'transfer',
        label: 'Deposit',
        type: 'deposit_address',
        chain: CHAIN,
        payload: {
          type: 'deposit_address',
          address: muxedAddress(world.user(VAULT).publicKey(), ID),
          amount,
          token,
        },
      },
    ],
    ...changes,
  }
}

const usdcOf = async (index: number): Promise<bigint> => {
  const { amounts } = await world.chain.balances(world.user(index).publicKey(), [world.token('USDC')])
  return amounts[0] ?? 0n
}

test('a deposit in a claimable balance comes back whole by one transaction of its maker, from refundAfter on', async () => {
  const held = await usdcOf(MAKER)
  const wallet = await walletOf(MAKER)
  const quote = quoteNow()
  const payer = stellarPayer(wallet, { holding: 'claimable_balance' })
  const { txHash } = await payer.execute({ quote, now: world.now() })
  assert.ok(txHash)
  assert.equal(await usdcOf(MAKER), held - 4n * UNIT)
  const [made] = (await world.chain.balancesToClaim?.madeIn(txHash)) ?? []
  assert.deepEqual(made?.claimants, [
    { account: world.user(VAULT).publicKey(), right: 'always' },
    { account: wallet.address, right: { notBefore: world.now() / 1000 + LIFE_SECONDS } },
  ])
  await assert.rejects(refundStellarDeposit({ ...wallet, txHash }), {
    code: 'reverted',
    message: /claimClaimableBalanceCannotClaim|claimClaimableBalance/,
  })
  world.passSeconds(LIFE_SECONDS)
  await world.closeLedger()
  const thief = await walletOf(3)
  await assert.rejects(refundStellarDeposit({ ...thief, txHash }), { code: 'reverted' })
  await refundStellarDeposit({ ...wallet, txHash })
  assert.equal(await usdcOf(MAKER), held)
  await assert.rejects(refundStellarDeposit({ ...wallet, txHash }), { code: 'reverted' })
})

test('sends nothing for a quote that takes no claimable balance, and refunds no other transaction', async () => {
  const wallet = await walletOf(MAKER)
  const held = await usdcOf(MAKER)
  const { backend } = quoteNow()
  assert.ok(backend.type === 'intent')
  const without = { ...backend, metadata: { ...backend.metadata, claimableBalance: null } }
  await assert.rejects(
    executeStellarQuote({
      ...wallet,
      quote: quoteNow({ backend: without }),
      now: world.now(),
      holding: 'claimable_balance',
    }),
    { code: 'unsupported', message: /takes no claimable balance/ },
  )
  assert.equal(await usdcOf(MAKER), held)
  const { txHash = '' } = await executeStellarQuote({ ...wallet, quote: quoteNow(), now: world.now() })
  await assert.rejects(refundStellarDeposit({ ...wallet, txHash }), /made no claimable balance/)
  await assert.rejects(refundStellarDeposit({ ...wallet, txHash: '7'.repeat(64) }), {
    code: 'refused',
    message: /knows no successful transaction/,
  })
})

test('makes no claimable balance that its maker could take back only after 30 days, or never', async () => {
  const wallet = await walletOf(MAKER)
  const held = await usdcOf(MAKER)
  const { backend } = quoteNow()
  assert.ok(backend.type === 'intent')
  for (const refundAfter of [toIso(world.now() + 31 * 86_400_000), '9999-12-31T23:59:59Z', 'never']) {
    const quote = quoteNow({ backend: { ...backend, metadata: { ...backend.metadata, refundAfter } } })
    const execution = { ...wallet, quote, now: world.now(), holding: 'claimable_balance' } as const
    await assert.rejects(executeStellarQuote(execution), { code: 'unsafe', guard: 'call_deadline' })
  }
  assert.equal(await usdcOf(MAKER), held)
})
