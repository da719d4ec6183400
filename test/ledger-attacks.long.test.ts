import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, test } from 'node:test'
import { solanaKey } from '@openrfq/sandbox/src/solana/keys.ts'
import { Operation } from '@stellar/stellar-sdk'
import { encodeBase58 } from 'openrfq/src/chains/solana/base58.ts'
import { eventually } from 'openrfq/test/eventually.ts'
import { follow } from 'openrfq/test/wallet.ts'
import { alteredOnStellar, assetOf, depositAddressOf, submitOnStellar } from './altered-deposits.ts'
import { openBooks } from './attack-books.ts'
import { isDone, isRefunded, quoteDeposit } from './deposit-world.ts'
import {
  type FamiliesWorld,
  type FamilyAccount,
  type FamilyChain,
  type FamilyToken,
  startFamiliesWorld,
  UNTIL_REFUND,
} from './families-world.ts'
import { openSolanaWallet, QuotedInstruction } from './lone-wallets.ts'

/** What the vault keeps of returned dollars that name no order, in base units. */
const KEPT_DOLLARS = 1_000n
/** Rent of a token account, in lamports. */
const TOKEN_RENT = 2_039_280n
/** The sandbox's price of SOL, in dollars. */
const SOL_DOLLARS = 150n
const LAMPORTS = 1_000_000_000n
/** Base units of a dollar on Stellar and on Solana. */
const [ON_STELLAR, ON_SOLANA] = [10_000_000n, 1_000_000n]
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const CLOSE_ACCOUNT = 9
/** The place of the depositor's token account among those of `open`. */
const SOURCE_OF_OPEN = 4
const FRESH_WALLETS = 4
const RENT_ORDERS = 3

let world: FamiliesWorld
before(async () => {
  world = await startFamiliesWorld()
})
after(() => world?.stop())

const freshSolanaAccount = (): FamilyAccount => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' })
  const [seed, publicKey] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]
  return {
    chainType: 'solana',
    address: encodeBase58(publicKey),
    privateKey: encodeBase58(Buffer.concat([seed, publicKey])),
  }
}

/** What the solvers hold of a token together. */
const solversHold = async (token: FamilyToken, chain: FamilyChain): Promise<bigint> => {
  const held = world.solversOn(chain).map((account) => world.balanceOf(chain, token, account))
  return (await Promise.all(held)).reduce((sum, one) => sum + one, 0n)
}

test('a quote that names the victim as its sender gets none of a payment without a reference', async (context) => {
  const victim = await quoteDeposit(world, { from: 'stellar', user: 0 })
  const evm = world.chainOf('evm')
  const attacker = world.accountOf(evm, 9)
  const dollars = world.tokenOf(evm, /USDC/)
  const { input, chain, payer } = victim
  const squat = await world.quote({
    fromChain: chain.chainId,
    fromToken: victim.token.address,
    toChain: evm.chainId,
    toToken: dollars.address,
    amount: input.toString(),
    orderType: 'EXACT_INPUT',
    sender: payer.address,
    recipient: attacker.address,
  })
  const books = await openBooks(async () => ({
    victim: await victim.balance(),
    attacker: await world.balanceOf(evm, dollars, attacker.address),
  }))
  const quotes = [victim.quote, squat]
  for (const quote of [squat, victim.quote])
    await world.execute(alteredOnStellar(quote, { address: chain.vault ?? '' }), payer)
  await eventually(
    'both payments come back',
    async () => (await victim.balance()) === books.start.victim - 2n * KEPT_DOLLARS,
  )
  assert.deepEqual(await books.print(context), { victim: -2n * KEPT_DOLLARS, attacker: 0n })
  for (const { quoteId } of quotes) {
    const { last } = await follow(world.url, { quoteId }, () => true)
    assert.deepEqual([last.state, last.source], ['AWAITING_DEPOSIT', null])
  }
})

test('orders that one transaction pays, in the other order, are delivered each to its own recipient', async (context) => {
  const [first, second] = [
    await quoteDeposit(world, { from: 'stellar', user: 1, whole: 40n }),
    await quoteDeposit(world, { from: 'stellar', user: 1, whole: 30n }),
  ]
  const { chain, token, payer } = first
  const pay = (to: typeof first, amount: string) =>
    Operation.payment({ destination: depositAddressOf(to.quote), asset: assetOf(token), amount })
  const evm = world.chainOf('evm')
  const recipient = world.accountOf(evm, 1)
  const books = await openBooks(async () => ({
    payer: await first.balance(),
    recipient: await world.balanceOf(evm, world.tokenOf(evm, /USDC/), recipient.address),
    solvers: await solversHold(token, chain),
  }))
  const { txHash } = await submitOnStellar(chain, payer.privateKey, [pay(second, '30'), pay(first, '40')])
  for (const { follow: followed, quote } of [first, second]) {
    const { last } = await followed(isDone)
    assert.deepEqual([last.source?.txHash, last.output?.amount], [txHash, quote.output.amount])
  }
  const input = first.input + second.input
  await eventually(
    'the solvers are repaid',
    async () => (await solversHold(token, chain)) === books.start.solvers + input,
  )
  assert.deepEqual(await books.print(context), {
    payer: -input,
    solvers: input,
    recipient: BigInt(first.quote.output.amount) + BigInt(second.quote.output.amount),
  })
})

test('fills to fresh wallets cost the solvers no rent that the quotes do not charge', async (context) => {
  const [from, to] = [world.chainOf('stellar'), world.chainOf('solana')]
  const [paid, received] = [world.tokenOf(from, /USDC/), world.tokenOf(to, /USDC/)]
  const lamports = world.tokenOf(to, /^SOL$/)
  const payer = world.accountOf(from, 2)
  const books = await openBooks(async () => ({
    'solvers, dollars on Stellar': await solversHold(paid, from),
    'solvers, dollars on Solana': await solversHold(received, to),
    'solvers, lamports': await solversHold(lamports, to),
  }))
  let input = 0n
  for (let round = 0; round < FRESH_WALLETS; round += 1) {
    const quote = await world.quote({
      fromChain: from.chainId,
      fromToken: paid.address,
      toChain: to.chainId,
      toToken: received.address,
      amount: ON_STELLAR.toString(),
      orderType: 'EXACT_INPUT',
      sender: payer.address,
      recipient: freshSolanaAccount().address,
    })
    await world.execute(quote, payer)
    await follow(world.url, { quoteId: quote.quoteId }, isDone)
    input += ON_STELLAR
  }
  await eventually(
    'the solvers are repaid',
    async () => (await solversHold(paid, from)) === books.start['solvers, dollars on Stellar'] + input,
  )
  const changed = await books.print(context)
  const charged = input / (ON_STELLAR / ON_SOLANA) + changed['solvers, dollars on Solana']
  const spent = -changed['solvers, lamports']
  const worth = (spent * SOL_DOLLARS * ON_SOLANA) / LAMPORTS
  context.diagnostic(`${FRESH_WALLETS} quotes charged ${charged} and cost ${worth} millionths of a dollar`)
  assert.ok(spent >= BigInt(FRESH_WALLETS) * TOKEN_RENT, 'the fills opened accounts')
  assert.ok(charged >= worth)
})

/** Deposits all of a fresh wallet's dollars on Solana, and closes its token account. */
const depositAndClose = async () => {
  const [from, to] = [world.chainOf('solana'), world.chainOf('evm')]
  const dollars = world.tokenOf(from, /USDC/)
  const account = freshSolanaAccount()
  const amount = 40n * ON_SOLANA
  await world.fund(from, world.tokenOf(from, /^SOL$/), account.address, LAMPORTS)
  await world.fund(from, dollars, account.address, amount)
  const wallet = await openSolanaWallet(from.rpcUrl, account.privateKey)
  const wealth = await wallet.lamports()
  const quote = await world.quote({
    fromChain: from.chainId,
    fromToken: dollars.address,
    toChain: to.chainId,
    toToken: world.tokenOf(to, /USDC/).address,
    amount: amount.toString(),
    orderType: 'EXACT_INPUT',
    sender: account.address,
    recipient: world.accountOf(to, 9).address,
  })
  const payload = quote.actions.at(-1)?.payload
  assert.ok(payload?.type === 'solana_instructions')
  const open = QuotedInstruction.parse(payload.instructions.at(-1))
  await world.execute(quote, account)
  const source = open.keys[SOURCE_OF_OPEN]?.pubkey ?? ''
  const key = (pubkey: string, isSigner: boolean) => ({ pubkey, isSigner, isWritable: true })
  await wallet.deposit([
    {
      programId: TOKEN_PROGRAM,
      keys: [key(source, false), key(account.address, false), key(account.address, true)],
      data: Buffer.of(CLOSE_ACCOUNT).toString('base64'),
    },
  ])
  return { account, wealth: wealth + TOKEN_RENT, quoteId: quote.quoteId, dollars, amount }
}

test('refunds to closed token accounts cost the keeper fees only, and earn the depositor nothing', async (context) => {
  const chain = world.chainOf('solana')
  const [lamports, dollars] = [world.tokenOf(chain, /^SOL$/), world.tokenOf(chain, /USDC/)]
  const { address: keeper } = solanaKey('keeper')
  const keeperBefore = await world.balanceOf(chain, lamports, keeper)
  await world.control('/sandbox/solver', { mode: 'paused' })
  const made: Awaited<ReturnType<typeof depositAndClose>>[] = []
  try {
    for (let order = 0; order < RENT_ORDERS; order += 1) made.push(await depositAndClose())
    for (const { quoteId } of made) await follow(world.url, { quoteId }, ({ state }) => state === 'PENDING')
    await world.moveClock(UNTIL_REFUND)
    for (const { quoteId } of made) await follow(world.url, { quoteId }, isRefunded)
  } finally {
    await world.control('/sandbox/solver', { mode: 'normal' })
  }
  for (const { account, wealth, amount } of made) {
    // The token account is open again, with its rent.
    const now = async () => (await world.balanceOf(chain, lamports, account.address)) + TOKEN_RENT
    await eventually('the rent comes back', async () => (await now()) > wealth - TOKEN_RENT / 2n)
    assert.equal(await world.balanceOf(chain, dollars, account.address), amount)
    const end = await now()
    context.diagnostic(`attacker: ${wealth} lamports before, ${end} after, ${end - wealth} changed`)
    assert.ok(end < wealth)
  }
  const spent = keeperBefore - (await world.balanceOf(chain, lamports, keeper))
  context.diagnostic(`keeper: ${spent} lamports spent on ${RENT_ORDERS} refunds and closings`)
  assert.ok(spent > 0n && spent < BigInt(RENT_ORDERS) * (TOKEN_RENT / 10n))
})
