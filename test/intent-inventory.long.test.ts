import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fetchJson, type WireQuote } from 'openrfq/test/wallet.ts'
import { holdingKey, readHoldings } from './chaos-audit.ts'
import { solverOf } from './chaos-books.ts'
import { type ChaosWorld, startChaosWorld } from './chaos-world.ts'
import { CHAINS, requestBody, type Trade, tokenOn, type WireToken } from './sandbox-service.ts'

/** Requests of one client, which may hold 512 connections. */
const REQUESTS = 500
/** Many simultaneous connections take a busy machine a while. */
const BURST_DEADLINE_MS = 60_000
const SECONDS = { quoteLifetimeSeconds: 300, fillWindowSeconds: 60, refundDelaySeconds: 60 }
/** A hundredth of each sandbox solver's holdings. */
const DOLLARS = 1_000_000_000_000n

let world: ChaosWorld
before(async () => {
  world = await startChaosWorld({ seconds: SECONDS })
})
after(() => world.stop())

const token = (chainId: string, symbol: RegExp): WireToken => tokenOn(world, chainId, 'intent', symbol)

const ask = async (trade: Trade, index: number): Promise<readonly WireQuote[]> => {
  const [sender, recipient] = [world.sandbox.accounts[index % 10], world.sandbox.accounts[(index + 1) % 10]]
  assert.ok(sender && recipient)
  const body = requestBody(trade, sender.address, recipient.address)
  const answer = await fetchJson<{ quotes?: WireQuote[] }>(
    `${world.url}/v1/rfq/quote`,
    body,
    BURST_DEADLINE_MS,
  )
  return answer.body.quotes?.filter(({ backend }) => backend.type === 'intent') ?? []
}

/** The sum that each solver's quotes promise of the token, and the solver's holdings. */
const promisesOf = async (open: readonly WireQuote[], to: WireToken) => {
  const { sandbox, assets } = world
  const addresses = sandbox.solvers.map(({ address }) => address)
  const holdings = await readHoldings(sandbox, assets, addresses)
  return sandbox.solvers.map(({ address, name }) => {
    const quotes = open.filter((quote) => solverOf(quote) === address)
    const promised = quotes.reduce((sum, { output }) => sum + BigInt(output.amount), 0n)
    return {
      name,
      quotes: quotes.length,
      promised,
      held: holdings.get(holdingKey(to.chainId, to.address, address)) ?? 0n,
    }
  })
}

test('the quotes of hundreds of parallel requests never exceed the declared inventory', async (context) => {
  const pair = { from: token(CHAINS.a, /USDC/), to: token(CHAINS.b, /USDC/) }
  const trades: readonly Trade[] = [
    { ...pair, amount: DOLLARS },
    { ...pair, amount: DOLLARS, orderType: 'EXACT_OUTPUT' },
    { from: token(CHAINS.c, /^ETH$/), to: pair.to, amount: 10n ** 20n },
  ]
  const giveUpAt = Date.now() + 2 * BURST_DEADLINE_MS
  const open: WireQuote[] = []
  for (;;) {
    const answers = await Promise.all(
      Array.from({ length: REQUESTS }, (_, index) =>
        ask(trades[index % trades.length] ?? { ...pair, amount: 1n }, index),
      ),
    )
    open.push(...answers.flat())
    // Holdings bound the declared inventory, and no deposit has changed them.
    const promises = await promisesOf(open, pair.to)
    for (const { name, promised, held } of promises)
      assert.ok(promised <= held, `${name} promised ${promised} of ${held}`)
    // On a busy machine a solver's standing quotes may expire for a while; then the test asks again.
    if (promises.every(({ promised, held }) => promised > (held * 9n) / 10n)) {
      for (const { name, quotes, promised, held } of promises)
        context.diagnostic(`${name}: ${quotes} quotes promise ${(promised * 100n) / held} % of its holdings`)
      break
    }
    assert.ok(Date.now() < giveUpAt, 'each solver promises nearly its whole inventory')
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  assert.deepEqual(
    (await ask({ ...pair, amount: 20n * DOLLARS }, 0)).map(solverOf),
    [],
    'promised inventory was promised again',
  )
})
