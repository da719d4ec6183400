import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Hex, zeroAddress } from 'viem'
import { executedMessages, gasPaidBy, handsOn, settlerEvent, settlerEvents, sumOf } from './intent-chain.ts'
import {
  CHAINS,
  quoteOf,
  quotesOf,
  requestBody,
  type SandboxService,
  startSandboxService,
  type Trade,
  tokenOn,
} from './sandbox-service.ts'
import {
  balanceOf,
  chainClients,
  execute,
  fetchJson,
  follow,
  sendAction,
  type WireQuote,
  type WireStatus,
} from './wallet.ts'

let world: SandboxService
before(async () => {
  world = await startSandboxService()
})
after(() => world.stop())

/** Blocks on top of a deposit that make it final on the sandbox. */
const FINALITY_BLOCKS = 2n
const DONE_AFTER_FINAL_MS = 5_000

const account = (index: number): { address: Hex; privateKey: Hex } => {
  const found = world.sandbox.accounts[index]
  assert.ok(found)
  return found
}

const native = (chainId: string) => tokenOn(world, chainId, 'intent', /^ETH$/)
const usdc = (chainId: string) => tokenOn(world, chainId, 'intent', /USDC/)

const quoteIntent = (trade: Trade, from: number, to: number): Promise<WireQuote> =>
  quoteOf(world, 'intent', requestBody(trade, account(from).address, account(to).address))

const solverDoes = async (mode: string): Promise<void> => {
  assert.deepEqual(await fetchJson(`${world.service.url}/sandbox/solver`, { mode }), {
    status: 200,
    body: {},
  })
}

const rpcOf =
  (chainId: string) =>
  async (method: string, ...params: readonly unknown[]): Promise<void> => {
    const call = { jsonrpc: '2.0', id: 1, method, params }
    const { body } = await fetchJson<object>(chainClients(world.sandbox, chainId).rpcUrl, call)
    assert.ok(!('error' in body), JSON.stringify(body))
  }

/** Resolves with the time at which the block's transactions became final. */
const finalAt = async (chainId: string, blockNumber: bigint): Promise<number> => {
  const { reader } = chainClients(world.sandbox, chainId)
  while ((await reader.getBlockNumber()) < blockNumber + FINALITY_BLOCKS) await delay(20)
  return Date.now()
}

/** Every asset whose sum a transfer must not change: both sides' tokens, and both native assets but for gas. */
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
 * Quotes, executes and follows one intent to the solver's repayment; asserts the states, the time, both balances to the
 * last base unit, and that nothing was made or lost on the way.
 */
const walk = async (context: TestContext, trade: Trade, from: number, to: number): Promise<WireQuote> => {
  const { sandbox } = world
  const [sender, recipient] = [account(from), account(to)]
  const quote = await quoteIntent(trade, from, to)
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
  assert.deepEqual(
    states.filter((state) => state !== 'AWAITING_DEPOSIT'),
    ['PENDING', 'DONE'],
  )
  assert.ok(doneAfterMs <= DONE_AFTER_FINAL_MS, `DONE ${doneAfterMs} ms after the deposit was final`)
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
  const released = await settlerEvent(sandbox, quote.input.chain, 'Released', orderId)
  assert.equal(await executedMessages(sandbox, quote.input.chain, released), 1)
  await assertConserved(holdings)
  return quote
}

test('GET /v1/rfq/tokens lists the native asset of every chain with the backend intent', () => {
  for (const chainId of Object.values(CHAINS)) {
    assert.deepEqual(native(chainId).backends, ['intent'])
    assert.equal(native(chainId).address, zeroAddress)
    assert.ok(usdc(chainId).backends.includes('gateway'))
  }
})

test('the first quote after the start has the intents of both solvers, the better price at index 0', async () => {
  for (const orderType of ['EXACT_INPUT', 'EXACT_OUTPUT'] as const) {
    const trade = { from: native(CHAINS.a), to: native(CHAINS.b), amount: 10n ** 18n, orderType }
    const body = requestBody(trade, account(0).address, account(1).address)
    const [best, second, third] = await quotesOf(world, 'intent', body)
    assert.ok(second !== undefined && third === undefined)
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
    assert.equal(best.selectionReason, orderType === 'EXACT_INPUT' ? 'highest_output' : 'lowest_input')
    assert.equal(best.output.minimumAmount, best.output.amount)
    assert.ok(best.validity.fulfillmentDeadline)
  }
})

test('an ERC-20 intent is filled within five seconds of a final deposit, and the solver is repaid', async (context) => {
  const quote = await walk(context, { from: usdc(CHAINS.a), to: usdc(CHAINS.b), amount: 250_000_000n }, 0, 1)
  assert.deepEqual(
    quote.actions.map(({ id }) => id),
    ['approve', 'transfer'],
  )
})

test('an ERC-20 intent the other way, with the exact output asked for', async (context) => {
  const trade = { from: usdc(CHAINS.b), to: usdc(CHAINS.a), amount: 77_000_001n }
  const quote = await walk(context, { ...trade, orderType: 'EXACT_OUTPUT' }, 1, 2)
  assert.equal(quote.output.amount, '77000001')
})

test('a native intent goes both ways', async (context) => {
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

test('an intent changes the token: native in, dollars out on a third chain', async (context) => {
  const quote = await walk(
    context,
    { from: native(CHAINS.c), to: usdc(CHAINS.a), amount: 2n * 10n ** 18n },
    5,
    6,
  )
  const dollars = BigInt(quote.output.amount)
  assert.ok(dollars > 4_900_000_000n && dollars < 5_001_000_000n, quote.output.amount)
})

test('a reorg that removes the deposit takes PENDING back to AWAITING_DEPOSIT, and nothing is filled', async () => {
  const { url } = world.service
  const quote = await quoteIntent({ from: native(CHAINS.a), to: native(CHAINS.c), amount: 10n ** 17n }, 7, 8)
  const rpc = rpcOf(CHAINS.a)
  const { quoteId } = quote
  const recipientBefore = await balanceOf(world.sandbox, quote.output, account(8).address)
  const [deposit] = quote.actions
  assert.ok(deposit)
  await rpc('evm_setAutomine', false)
  try {
    const first = await sendAction(world.sandbox, deposit, account(7).privateKey)
    await rpc('evm_mine')
    const pending = await follow(url, { quoteId }, ({ state }) => state === 'PENDING')
    assert.equal(pending.last.source?.txHash, first)
    await rpc('anvil_reorg', 1, [])
    const back = await follow(url, { quoteId }, ({ state }) => state === 'AWAITING_DEPOSIT')
    assert.equal(back.last.source, null)
  } finally {
    await rpc('evm_setAutomine', true)
  }
  assert.equal(
    (await settlerEvents(world.sandbox, CHAINS.c, 'Filled', quote.backend.tracking['swapId'])).length,
    0,
  )
  assert.equal(await balanceOf(world.sandbox, quote.output, account(8).address), recipientBefore)
  const again = await sendAction(world.sandbox, deposit, account(7).privateKey)
  const { last } = await follow(url, { quoteId })
  assert.equal(last.source?.txHash, again)
  assert.equal(
    (await balanceOf(world.sandbox, quote.output, account(8).address)) - recipientBefore,
    BigInt(quote.output.amount),
  )
})

test('a reorg that removes the fill is followed by the same fill, and the recipient is paid once', async () => {
  const { url } = world.service
  const quote = await quoteIntent({ from: native(CHAINS.a), to: native(CHAINS.b), amount: 10n ** 17n }, 7, 9)
  const orderId = quote.backend.tracking['swapId']
  const { quoteId } = quote
  const recipientBefore = await balanceOf(world.sandbox, quote.output, account(9).address)
  await execute(world.sandbox, quote, account(7).privateKey)
  await settlerEvent(world.sandbox, CHAINS.b, 'Filled', orderId)
  await fetchJson(`${url}/sandbox/reorg`, { chainId: CHAINS.b, depth: 1 })
  const { last } = await follow(url, { quoteId })
  assert.equal(
    (await balanceOf(world.sandbox, quote.output, account(9).address)) - recipientBefore,
    BigInt(quote.output.amount),
  )
  const filled = await settlerEvent(world.sandbox, CHAINS.b, 'Filled', orderId)
  assert.equal(last.destination?.txHash, filled.txHash)
  await settlerEvent(world.sandbox, CHAINS.a, 'Released', orderId)
})

test('a solver that declines gives the money back at once', async () => {
  await solverDoes('declining')
  try {
    const quote = await quoteIntent({ from: usdc(CHAINS.c), to: usdc(CHAINS.b), amount: 40_000_000n }, 2, 3)
    const before = await balanceOf(world.sandbox, quote.input, account(2).address)
    await execute(world.sandbox, quote, account(2).privateKey)
    const isRefunded = ({ state }: WireStatus): boolean => state === 'REFUNDED'
    const { states, last } = await follow(world.service.url, { quoteId: quote.quoteId }, isRefunded)
    assert.ok(
      Date.now() < Date.parse(quote.validity.quoteExpiresAt),
      'the refund took as long as the quote lives',
    )
    assert.ok(!states.includes('DONE') && !states.includes('FAILED'), states.join(', '))
    const refunded = await settlerEvent(world.sandbox, CHAINS.c, 'Refunded', quote.backend.tracking['swapId'])
    const { chain, token, amount } = quote.input
    assert.deepEqual(last.refund, { chain, token, amount, txHash: refunded.txHash })
    assert.equal(last.details['reasonCode'], 'declined')
    assert.deepEqual([last.destination, last.output], [null, null])
    assert.equal(await balanceOf(world.sandbox, quote.input, account(2).address), before)
  } finally {
    await solverDoes('normal')
  }
})
