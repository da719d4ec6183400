import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { holdingKey, readHoldings } from './chaos-audit.ts'
import { solverOf } from './chaos-books.ts'
import { type ChaosWorld, startChaosWorld } from './chaos-world.ts'
import { CHAINS, requestBody, type Trade, tokenOn, type WireToken } from './sandbox-service.ts'
import { fetchJson, type WireQuote } from './wallet.ts'

const REQUESTS = 1_000
const SECONDS = { quoteLifetimeSeconds: 300, fillWindowSeconds: 60, refundDelaySeconds: 60 }
/** A hundredth of what each solver of the sandbox holds. */
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
  const answer = await fetchJson<{ quotes?: WireQuote[] }>(`${world.url}/v1/rfq/quote`, body)
  return answer.body.quotes?.filter(({ backend }) => backend.type === 'intent') ?? []
}

test('a thousand requests at once are never promised more than the solvers declared', async (context) => {
  const pair = { from: token(CHAINS.a, /USDC/), to: token(CHAINS.b, /USDC/) }
  const giveUpAt = Date.now() + 20_000
  const probe = { ...pair, amount: 5_000_000n }
  const open: WireQuote[] = []
  for (;;) {
    const quotes = await ask(probe, 0)
    open.push(...quotes)
    if (quotes.length === 2) break
    assert.ok(Date.now() < giveUpAt, 'both solvers quote')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const trades: readonly Trade[] = [
    { ...pair, amount: DOLLARS },
    { ...pair, amount: DOLLARS, orderType: 'EXACT_OUTPUT' },
    { from: token(CHAINS.c, /^ETH$/), to: pair.to, amount: 10n ** 20n },
  ]
  const answers = await Promise.all(
    Array.from({ length: REQUESTS }, (_, index) => ask(trades[index % trades.length] ?? probe, index)),
  )
  open.push(...answers.flat())
  const { sandbox, assets } = world
  // A solver never declares more than it holds; what it holds has not changed, because nobody deposited.
  const holdings = await readHoldings(
    sandbox,
    assets,
    sandbox.solvers.map(({ address }) => address),
  )
  for (const { address, name } of sandbox.solvers) {
    const quotes = open.filter((quote) => solverOf(quote) === address)
    const promised = quotes.reduce((sum, { output }) => sum + BigInt(output.amount), 0n)
    const held = holdings.get(holdingKey(CHAINS.b, pair.to.address, address)) ?? 0n
    context.diagnostic(
      `${name}: ${quotes.length} quotes promise ${(promised * 100n) / held} % of its holdings`,
    )
    assert.ok(promised <= held, `${name} promised ${promised} of ${held}`)
    assert.ok(promised > held / 10n, `${name} promised only ${promised} of ${held}`)
  }
  assert.deepEqual(
    (await ask({ ...pair, amount: 20n * DOLLARS }, 0)).map(solverOf),
    [],
    'what has been promised is not promised again',
  )
})
