import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BackendType } from '@openrfq/sdk'
import { eventually } from 'openrfq/test/eventually.ts'
import { until } from 'openrfq/test/follow-backend.ts'
import { assertInOrder, balanceOf, execute, fetchJson, follow, type WireQuote } from 'openrfq/test/wallet.ts'
import type { Hex } from 'viem'
import { judgeBy, type RankedQuote } from './judge-quotes.ts'
import {
  accountAt,
  CHAINS,
  evmService,
  quoteOf,
  requestBody,
  type SandboxService,
  type Trade,
  tokenOn,
} from './sandbox-service.ts'

let world: SandboxService
before(async () => {
  world = await evmService.start()
  // A backend whose first read fails on a busy machine retries a second later.
  await until(
    async () => backendsOf(await quotesFor(400n * MILLI_ETHER, 'EXACT_INPUT')),
    (backends) => backends.length === BackendType.options.length,
  )
})
after(evmService.stop)

const BACKEND = 'gateway-express'
const USDC = /USDC/
const ETHER = /^ETH$/
const WRAPPED = /WETH/
const MILLI_ETHER = 10n ** 15n

const control = async (path: string, body: unknown): Promise<void> =>
  assert.equal((await fetchJson(`${world.service.url}/sandbox/${path}`, body)).status, 200)

const tradeOf = (from: string, input: RegExp, to: string, output: RegExp, amount: bigint): Trade => ({
  from: tokenOn(world, from, BACKEND, input),
  to: tokenOn(world, to, BACKEND, output),
  amount,
})

const newRecipient = (): Hex => `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(20))).toString('hex')}`

/** The native asset as the exchange trades it. */
const wrappedNative = (chainId: string): Hex => {
  const found = world.sandbox.chains.find((chain) => chain.chainId === chainId)
  assert.ok(found)
  return found.exchange.wrappedNative
}

/** Balances of every token on every router. */
const routersHold = async (): Promise<bigint> => {
  const held = world.tokens.map((token) => {
    const chain = world.sandbox.chains.find(({ chainId }) => chainId === token.chainId)
    assert.ok(chain)
    return balanceOf(
      world.sandbox,
      { chain: token.chainId, token: token.address },
      chain.contracts.expressRouter,
    )
  })
  return (await Promise.all(held)).reduce((sum, amount) => sum + amount, 0n)
}

type Executed = {
  readonly quote: WireQuote
  readonly recipient: Hex
  readonly lookup: { readonly quoteId: string; readonly messageId: string; readonly sourceChain: string }
}

/** Quotes and executes a trade; `between` runs after the quote. */
const start = async (
  trade: Trade,
  index: number,
  between: () => Promise<void> = () => Promise.resolve(),
): Promise<Executed> => {
  const sender = accountAt(world, index)
  const recipient = newRecipient()
  const quote = await quoteOf(world, BACKEND, requestBody(trade, sender.address, recipient))
  await between()
  const messageId = await execute(world.sandbox, quote, sender.privateKey)
  return { quote, recipient, lookup: { quoteId: quote.quoteId, messageId, sourceChain: quote.input.chain } }
}

/** Follows by the quote alone to DONE. Asserts that the status equals the recipient's balance, within the quoted bounds. */
const finish = async ({ quote, recipient, lookup }: Executed): Promise<bigint> => {
  const { states, last } = await follow(world.service.url, { quoteId: quote.quoteId })
  assert.equal(last.source?.messageId, lookup.messageId)
  assertInOrder(states, ['AWAITING_DEPOSIT', 'PENDING', 'DONE'])
  assert.equal(last.refund, null)
  const credited = await balanceOf(world.sandbox, quote.output, recipient)
  assert.deepEqual(last.output, {
    chain: quote.output.chain,
    token: quote.output.token,
    amount: credited.toString(),
  })
  assert.ok(credited >= BigInt(quote.output.minimumAmount))
  assert.equal(await routersHold(), 0n)
  return credited
}

const quotesFor = async (amount: bigint, orderType: 'EXACT_INPUT' | 'EXACT_OUTPUT') => {
  const trade = {
    from: tokenOn(world, CHAINS.a, 'its', /^WETH$/),
    to: tokenOn(world, CHAINS.b, 'its', /^axlWETH$/),
    amount,
    orderType,
  }
  const body = requestBody(trade, accountAt(world, 0).address, accountAt(world, 1).address)
  const { body: answer } = await fetchJson<{ quotes: RankedQuote[] }>(
    `${world.service.url}/v1/rfq/quote`,
    body,
  )
  return answer.quotes
}

const backendsOf = (quotes: readonly RankedQuote[]): readonly string[] =>
  [...new Set(quotes.map(({ backend }) => backend.type))].sort()

test('all four backends quote one pair, ranked by net value, each with a correct selection reason', async () => {
  const { netOf, reasonOf } = await judgeBy(world.service.url)
  const firsts = new Set<string>()
  for (const orderType of ['EXACT_INPUT', 'EXACT_OUTPUT'] as const)
    for (const milli of [10n, 400n, 20_000n, 350_000n]) {
      const quotes = await eventually('all four backends quote', async () => {
        const all = await quotesFor(milli * MILLI_ETHER, orderType)
        return backendsOf(all).length === BackendType.options.length && all
      })
      const nets = quotes.map(netOf)
      assert.deepEqual(
        nets,
        nets.toSorted((one, other) => (one > other ? -1 : one < other ? 1 : 0)),
      )
      assert.deepEqual(
        quotes.map(({ selectionReason }) => selectionReason),
        quotes.map((quote) => reasonOf(quote, quotes, orderType)),
      )
      firsts.add(quotes[0]?.backend.type ?? '')
    }
  assert.ok(firsts.size > 1, `first is always ${[...firsts]}`)
})

test("above the executors' cap, in any bridge token, the pair is quoted without them", async () => {
  const [largest, beyond] = [400_000n, 440_000n].map((milli) => milli * MILLI_ETHER)
  const quoting = (amount = 0n) => quotesFor(amount, 'EXACT_INPUT').then(backendsOf)
  await until(
    () => quoting(largest),
    (backends) => backends.includes('gateway-express'),
  )
  await until(
    () => quoting(beyond),
    (backends) => backends.join() === 'gateway,intent,its',
  )
})

test('a wallet that uses only the public API swaps USDC into WETH across chains', async () => {
  const executed = await start(tradeOf(CHAINS.a, USDC, CHAINS.b, WRAPPED, 1_000_000_000n), 0)
  const { output, validity } = executed.quote
  assert.ok(BigInt(output.minimumAmount) < BigInt(output.amount))
  assert.ok(Date.parse(validity.quoteExpiresAt) <= Date.now() + 30_000)
  assert.equal(await finish(executed), BigInt(output.amount))
})

test('swaps native ETH into USDC on another chain without an approval', async () => {
  const executed = await start(tradeOf(CHAINS.b, ETHER, CHAINS.a, USDC, 10n ** 18n), 1)
  assert.deepEqual(
    executed.quote.actions.map(({ id }) => id),
    ['transfer'],
  )
  assert.equal(await finish(executed), BigInt(executed.quote.output.amount))
})

test('a same-token transfer is firm, and EXACT_OUTPUT delivers the exact output through two swaps', async () => {
  const firm = await start(tradeOf(CHAINS.a, USDC, CHAINS.c, USDC, 5_000_000n), 2)
  assert.equal(firm.quote.output.minimumAmount, firm.quote.output.amount)
  assert.equal(await finish(firm), 5_000_000n)
  const wanted = 10n ** 17n
  const trade = { ...tradeOf(CHAINS.b, /USDT/, CHAINS.c, ETHER, wanted), orderType: 'EXACT_OUTPUT' as const }
  const exact = await start(trade, 3)
  assert.equal(exact.quote.output.amount, wanted.toString())
  assert.ok((await finish(exact)) >= wanted)
})

test('a price move within the tolerance delivers between minimumAmount and amount', async () => {
  const trade = tradeOf(CHAINS.a, USDC, CHAINS.b, ETHER, 100_000_000n)
  const move = (moveBps: number) =>
    control('pool', {
      chainId: CHAINS.b,
      tokenA: tokenOn(world, CHAINS.b, BACKEND, /^axlUSDC$/).address,
      tokenB: wrappedNative(CHAINS.b),
      moveBps,
    })
  const executed = await start(trade, 4, () => move(-40))
  const credited = await finish(executed)
  assert.ok(credited < BigInt(executed.quote.output.amount))
})

test('a price move beyond the tolerance is REFUNDED on the source chain in the bridge token', async () => {
  const trade = tradeOf(CHAINS.a, USDC, CHAINS.c, ETHER, 50_000_000n)
  const sender = accountAt(world, 5)
  const before = await balanceOf(
    world.sandbox,
    { chain: CHAINS.a, token: trade.from.address },
    sender.address,
  )
  const executed = await start(trade, 5, () =>
    control('pool', {
      chainId: CHAINS.c,
      tokenA: tokenOn(world, CHAINS.c, BACKEND, /^axlUSDC$/).address,
      tokenB: wrappedNative(CHAINS.c),
      moveBps: -1_000,
    }),
  )
  const { states, last } = await follow(
    world.service.url,
    executed.lookup,
    ({ state }) => state === 'REFUNDED',
  )
  assertInOrder(states, ['AWAITING_DEPOSIT', 'PENDING', 'REFUND_PENDING', 'REFUND_INITIATED', 'REFUNDED'])
  assert.equal(last.output, null)
  assert.equal(last.refund?.token, trade.from.address)
  assert.equal(last.refund?.amount, '50000000')
  const settled = await balanceOf(
    world.sandbox,
    { chain: CHAINS.a, token: trade.from.address },
    sender.address,
  )
  assert.equal(settled, before)
  assert.equal(await routersHold(), 0n)
})

test('a message of another quote is NOT_FOUND', async () => {
  const trade = tradeOf(CHAINS.a, USDC, CHAINS.b, USDC, 3_000_000n)
  const one = await start(trade, 7)
  const other = await quoteOf(world, BACKEND, requestBody(trade, accountAt(world, 7).address, newRecipient()))
  const query = new URLSearchParams({ ...one.lookup, quoteId: other.quoteId })
  await eventually('the message is none of the other quote', async () => {
    const { body } = await fetchJson<{ state: string }>(`${world.service.url}/v1/rfq/status?${query}`)
    return body.state === 'NOT_FOUND'
  })
  await finish(one)
})

test('without an executor the relayer delivers a transfer', async () => {
  await control('relayer', { express: false })
  await finish(await start(tradeOf(CHAINS.a, USDC, CHAINS.b, WRAPPED, 20_000_000n), 6))
  await control('relayer', { express: true })
})
