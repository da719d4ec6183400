import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from 'openrfq/test/eventually.ts'
import {
  assertInOrder,
  balanceOf,
  chainClients,
  execute,
  follow,
  type WireQuote,
} from 'openrfq/test/wallet.ts'
import { type Hex, zeroAddress } from 'viem'
import { executedMessages, gasPaidBy, handsOn, settlerEvent, sumOf } from './intent-chain.ts'
import {
  accountAt,
  CHAINS,
  patientEvmService,
  quoteIntent,
  quotesOf,
  requestBody,
  type SandboxService,
  type Trade,
  tokenOn,
} from './sandbox-service.ts'

let world: SandboxService
before(async () => {
  world = await patientEvmService.start()
})
after(patientEvmService.stop)

/** Confirmations that make a deposit final in the sandbox. */
const FINALITY_BLOCKS = 2n

const native = (chainId: string) => tokenOn(world, chainId, 'intent', /^ETH$/)
const usdc = (chainId: string) => tokenOn(world, chainId, 'intent', /USDC/)

/** Resolves with the time at which the block's transactions became final. */
const finalAt = async (chainId: string, blockNumber: bigint): Promise<number> => {
  const { reader } = chainClients(world.sandbox, chainId)
  while ((await reader.getBlockNumber()) < blockNumber + FINALITY_BLOCKS) await delay(20)
  return Date.now()
}

/** Every asset whose total a transfer must conserve: both sides' tokens, and both native assets except gas. */
const measure = async (quote: WireQuote, users: readonly Hex[]) => {
  const sides = [
    { chain: quote.input.chain, token: quote.input.token },
    { chain: quote.input.chain, token: zeroAddress },
    { chain: quote.output.chain, token: quote.output.token },
    { chain: quote.output.chain, token: zeroAddress },
  ]
  return Promise.all(
    sides.map(async (asset) => {
      const { reader } = chainClients(world.sandbox, asset.chain)
      const hands = handsOn(world.sandbox, asset.chain, users)
      const block = await reader.getBlockNumber()
      return { asset, hands, block, sum: await sumOf(world.sandbox, asset, hands, block) }
    }),
  )
}

const assertConserved = async (before: Awaited<ReturnType<typeof measure>>): Promise<void> => {
  for (const { asset, hands, block: from, sum } of before) {
    const to = await chainClients(world.sandbox, asset.chain).reader.getBlockNumber()
    const paid =
      asset.token === zeroAddress ? await gasPaidBy(world.sandbox, asset.chain, hands, { from, to }) : 0n
    assert.equal(sum - (await sumOf(world.sandbox, asset, hands, to)), paid, JSON.stringify(asset))
  }
}

/**
 * Quotes, executes and follows one intent to the solver's repayment. Asserts the states, both exact balances, and that
 * value is conserved.
 */
const walk = async (context: TestContext, trade: Trade, from: number, to: number): Promise<WireQuote> => {
  const { sandbox } = world
  const [sender, recipient] = [accountAt(world, from), accountAt(world, to)]
  const quote = await quoteIntent(world, trade, from, to)
  const orderId = quote.backend.tracking['swapId']
  const users = [sender.address, recipient.address]
  const holdings = await measure(quote, users)
  const sourceBefore = await balanceOf(sandbox, quote.input, sender.address)
  const destinationBefore = await balanceOf(sandbox, quote.output, recipient.address)
  const startBlock = await chainClients(sandbox, quote.input.chain).reader.getBlockNumber()
  assert.equal(await execute(sandbox, quote, sender.privateKey), '')
  const opened = await settlerEvent(sandbox, quote.input.chain, 'Open', orderId)
  const [{ states, last, at }, depositFinalAt] = await Promise.all([
    follow(world.service.url, { quoteId: quote.quoteId }).then((end) => ({ ...end, at: Date.now() })),
    finalAt(quote.input.chain, opened.blockNumber),
  ])
  const doneAfterMs = at - depositFinalAt
  context.diagnostic(`DONE ${doneAfterMs} ms after the deposit was final`)
  assertInOrder(states, ['AWAITING_DEPOSIT', 'PENDING', 'DONE'])
  assert.equal(last.source?.txHash, opened.txHash)
  const filled = await settlerEvent(sandbox, quote.output.chain, 'Filled', orderId)
  assert.equal(last.destination?.txHash, filled.txHash)
  const { chain, token, amount } = quote.output
  assert.deepEqual(last.output, { chain, token, amount })
  assert.equal(last.refund, null)
  const gas =
    quote.input.token === zeroAddress
      ? await gasPaidBy(sandbox, quote.input.chain, [sender.address], {
          from: startBlock,
          to: await chainClients(sandbox, quote.input.chain).reader.getBlockNumber(),
        })
      : 0n
  const sourceAfter = await balanceOf(sandbox, quote.input, sender.address)
  const destinationAfter = await balanceOf(sandbox, quote.output, recipient.address)
  assert.equal(sourceBefore - sourceAfter, BigInt(quote.input.amount) + gas)
  assert.equal(destinationAfter - destinationBefore, BigInt(amount))
  const proven = await settlerEvent(sandbox, quote.input.chain, 'Proven', orderId)
  assert.equal(await executedMessages(sandbox, quote.input.chain, proven), 1)
  await settlerEvent(sandbox, quote.input.chain, 'Released', orderId)
  await assertConserved(holdings)
  return quote
}

test('GET /v1/rfq/tokens lists the native asset of every chain with the backends that accept it', () => {
  for (const chainId of Object.values(CHAINS)) {
    assert.deepEqual(native(chainId).backends, ['intent', 'gateway-express'])
    assert.equal(native(chainId).address, zeroAddress)
    assert.ok(usdc(chainId).backends.includes('gateway'))
  }
})

test("an answer holds both solvers' intents, the better price first", async () => {
  for (const orderType of ['EXACT_INPUT', 'EXACT_OUTPUT'] as const) {
    const trade = { from: native(CHAINS.a), to: native(CHAINS.b), amount: 10n ** 18n, orderType }
    const body = requestBody(trade, accountAt(world, 0).address, accountAt(world, 1).address)
    // On a busy machine a solver may renew its prices late.
    const [best, second, ...others] = await eventually('both solvers quote', async () => {
      const [one, other, ...more] = await quotesOf(world, 'intent', body)
      return other !== undefined && ([one, other, ...more] as const)
    })
    assert.deepEqual(others, [])
    assert.deepEqual(
      [best, second].map(({ backend }) => backend.metadata['solver']),
      world.sandbox.solvers.map(({ name, address }) => ({ name, address })),
    )
    assert.notEqual(best.backend.tracking['swapId'], second.backend.tracking['swapId'])
    const advantage =
      orderType === 'EXACT_INPUT'
        ? BigInt(best.output.amount) - BigInt(second.output.amount)
        : BigInt(second.input.amount) - BigInt(best.input.amount)
    assert.ok(advantage > 0n)
    const superlative = orderType === 'EXACT_INPUT' ? 'highest_output' : 'lowest_input'
    assert.ok([superlative, 'best_value'].includes(best.selectionReason), best.selectionReason)
    assert.equal(best.output.minimumAmount, best.output.amount)
    assert.ok(best.validity.fulfillmentDeadline)
  }
})

test('a solver fills an ERC-20 intent and is repaid', async (context) => {
  const quote = await walk(context, { from: usdc(CHAINS.a), to: usdc(CHAINS.b), amount: 250_000_000n }, 0, 1)
  assert.deepEqual(
    quote.actions.map(({ id }) => id),
    ['approve', 'transfer'],
  )
})

test('a solver fills an ERC-20 intent in the other direction with EXACT_OUTPUT', async (context) => {
  const trade = { from: usdc(CHAINS.b), to: usdc(CHAINS.a), amount: 77_000_001n }
  const quote = await walk(context, { ...trade, orderType: 'EXACT_OUTPUT' }, 1, 2)
  assert.equal(quote.output.amount, '77000001')
})

test('solvers fill native intents in both directions', async (context) => {
  const there = await walk(
    context,
    { from: native(CHAINS.a), to: native(CHAINS.b), amount: 1_500_000_000_000_000_001n },
    3,
    4,
  )
  assert.deepEqual(
    there.actions.map(({ id, payload }) => [id, payload.value]),
    [['transfer', there.input.amount]],
  )
  await walk(context, { from: native(CHAINS.b), to: native(CHAINS.a), amount: 10n ** 18n }, 4, 3)
})

test('an intent from a native asset pays dollars on a third chain', async (context) => {
  const quote = await walk(
    context,
    { from: native(CHAINS.c), to: usdc(CHAINS.a), amount: 2n * 10n ** 18n },
    5,
    6,
  )
  const dollars = BigInt(quote.output.amount)
  assert.ok(dollars > 4_900_000_000n && dollars < 5_001_000_000n, quote.output.amount)
})
