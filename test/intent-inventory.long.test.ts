import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from 'openrfq/test/eventually.ts'
import { fetchJson, type WireQuote } from 'openrfq/test/wallet.ts'
import { holdingKey, readHoldings } from './chaos-audit.ts'
import { solverOf } from './chaos-books.ts'
import { type ChaosWorld, startChaosWorld } from './chaos-world.ts'
import { CHAINS, requestBody, type Trade, tokenOn, type WireToken } from './sandbox-service.ts'

const BURST_DEADLINE_MS = 60_000
const SENDERS = 10
const SECONDS = { quoteLifetimeSeconds: 300, fillWindowSeconds: 60, refundDelaySeconds: 60 }
/** A fifth of each sandbox solver's holdings. */
const DOLLARS = 20_000_000_000_000n

let world: ChaosWorld
before(async () => {
  world = await startChaosWorld({ seconds: SECONDS })
})
after(() => world.stop())

const token = (chainId: string, symbol: RegExp): WireToken => tokenOn(world, chainId, 'intent', symbol)

const ask = async (trade: Trade, index: number): Promise<readonly WireQuote[]> => {
  const [sender, recipient] = [world.sandbox.accounts[index], world.sandbox.accounts[(index + 1) % SENDERS]]
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

test('senders that hold the input reserve three quarters of an inventory through one client, and no more', async (context) => {
  const pair = { from: token(CHAINS.a, /USDC/), to: token(CHAINS.b, /USDC/) }
  const { chainId, address } = pair.from
  for (const account of world.sandbox.accounts.slice(0, SENDERS))
    await world.control('/sandbox/faucet', {
      chainId,
      token: address,
      address: account.address,
      amount: DOLLARS.toString(),
    })
  // Funds count after some blocks; on a busy machine standing quotes may expire for a while, too.
  await eventually('senders reserve most of the inventory', async () => {
    const answers = await Promise.all(
      Array.from({ length: SENDERS }, (_, index) => ask({ ...pair, amount: DOLLARS }, index)),
    )
    const best = answers.flatMap(([first]) => (first === undefined ? [] : [first]))
    const promises = await promisesOf(best, pair.to)
    for (const { name, promised, held } of promises)
      assert.ok(promised * 4n <= held * 3n, `${name} promised ${promised} of ${held}`)
    for (const { name, quotes, promised, held } of promises)
      context.diagnostic(`${name}: ${quotes} quotes promise ${(promised * 100n) / held} % of its holdings`)
    return promises.every(({ promised, held }) => promised * 2n > held)
  })
})
