import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BackendType, type Quote, RfqError } from '@openrfq/sdk'
import { eventually } from 'openrfq/test/eventually.ts'
import { fetchJson, follow, type WireStatus } from 'openrfq/test/wallet.ts'
import { type FamiliesWorld, type FamilyChain, familiesWorld, UNTIL_REFUND } from './families-world.ts'
import { PATIENT_SECONDS } from './intent-seconds.ts'

const HOUR = 3_600

let world: FamiliesWorld
before(async () => {
  world = await familiesWorld.start()
})
after(familiesWorld.stop)

type Family = FamilyChain['chainType']
const ROUND: readonly (readonly [Family, Family])[] = [
  ['evm', 'solana'],
  ['solana', 'stellar'],
  ['stellar', 'evm'],
]

const bodyOf = (source: Family, destination: Family, user: number, whole = 30n): Record<string, string> => {
  const [from, to] = [world.chainOf(source), world.chainOf(destination)]
  const [paid, bought] = [world.tokenOf(from, /USDC/), world.tokenOf(to, /USDC/)]
  return {
    fromChain: from.chainId,
    fromToken: paid.address,
    toChain: to.chainId,
    toToken: bought.address,
    amount: (whole * 10n ** BigInt(paid.decimals)).toString(),
    orderType: 'EXACT_INPUT',
    sender: world.accountOf(from, user).address,
    recipient: world.accountOf(to, user + 1).address,
  }
}

/** A pair that all backends serve. */
const wrappedEther = (): Record<string, string> => {
  const from = world.chainOf('evm')
  const wanted = (symbol: RegExp) => world.tokenOf({ ...from, chainId: 'eip155:31338' }, symbol)
  return {
    ...bodyOf('evm', 'evm', 5),
    fromToken: world.tokenOf(from, /^WETH$/).address,
    toChain: 'eip155:31338',
    toToken: wanted(/^axlWETH$/).address,
    amount: (4n * 10n ** 17n).toString(),
  }
}

const execute = (quote: Quote, source: Family, user: number): Promise<string> =>
  world.execute(quote, world.accountOf(world.chainOf(source), user))

const rpc = async (family: Family, method: string, params: unknown): Promise<unknown> => {
  const call = { jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) }
  return (await fetchJson<{ result: unknown }>(world.chainOf(family).rpcUrl, call)).body.result
}

/** The newest block's time in whole seconds. */
const BLOCK_TIME: Readonly<Record<Family, () => Promise<number>>> = {
  evm: async () => {
    const block = await rpc('evm', 'eth_getBlockByNumber', ['latest', false])
    assert.ok(typeof block === 'object' && block !== null && 'timestamp' in block)
    return Number(block.timestamp)
  },
  solana: async () =>
    Number(
      await rpc('solana', 'getBlockTime', [await rpc('solana', 'getSlot', [{ commitment: 'finalized' }])]),
    ),
  stellar: async () => {
    const unknown = await rpc('stellar', 'getTransaction', { hash: '0'.repeat(64) })
    assert.ok(typeof unknown === 'object' && unknown !== null && 'latestLedgerCloseTime' in unknown)
    return Number(unknown.latestLedgerCloseTime)
  },
}

const backendsOf = async (): Promise<readonly string[]> => {
  const { body } = await fetchJson<{ quotes: { backend: { type: string } }[] }>(
    `${world.url}/v1/rfq/quote`,
    wrappedEther(),
  )
  return [...new Set(body.quotes.map(({ backend }) => backend.type))].sort()
}

const allBackends = async (): Promise<void> => {
  let found: readonly string[] = []
  await eventually(
    () => `quotes of all backends, after those of ${found}`,
    async () => {
      found = await backendsOf()
      return found.length === BackendType.options.length
    },
  )
}

test('POST /sandbox/clock answers once chains, quotes, solvers and the attester use the new time', async () => {
  await allBackends()

  for (const seconds of [1, HOUR, 24 * HOUR, 29 * 24 * HOUR]) {
    const moved = world.now() / 1000 + seconds
    await world.moveClock(seconds)
    const quote = await world.quote(bodyOf('evm', 'solana', 1))

    const createdAt = Date.parse(quote.validity.quoteExpiresAt) / 1000 - PATIENT_SECONDS.quoteLifetimeSeconds
    assert.ok(
      createdAt > moved - 2 && createdAt <= world.now() / 1000,
      `quoted at ${createdAt}, after ${moved}`,
    )
    await allBackends()
    const { headers } = await fetch(`${world.url}/v1/rfq/status?quoteId=${quote.quoteId}`)
    const dated = Date.parse(headers.get('date') ?? '') / 1000
    assert.ok(dated > moved - 2 && dated <= world.now() / 1000, `an answer of ${dated}, after ${moved}`)
    const { body } = await fetchJson<{ status: string }>(`${world.url}/readyz`)
    assert.equal(body.status, 'ready')
    for (const [family, read] of Object.entries(BLOCK_TIME)) {
      const newest = await read()
      const isMoved = newest > moved - 2 && newest < world.now() / 1000 + 2
      assert.ok(isMoved, `the newest block of ${family} is of ${newest}, the move to ${moved}`)
    }
  }
})

test('after a move, deposits are filled and solvers repaid on every family', async () => {
  await Promise.all(
    ROUND.map(async ([source, destination], user) => {
      const quote = await world.quote(bodyOf(source, destination, user))
      await execute(quote, source, user)
      const { last } = await follow(world.url, { quoteId: quote.quoteId })
      assert.equal(last.output?.amount, quote.output.amount)
    }),
  )
})

test('transfers in flight arrive while the clock moves by seconds', async () => {
  const { body } = await fetchJson<{ quotes: { quoteId: string }[] }>(
    `${world.url}/v1/rfq/quote`,
    wrappedEther(),
  )
  assert.ok(body.quotes.length > 0)
  const quotes = await Promise.all(
    ROUND.map(([source, destination], user) => world.quote(bodyOf(source, destination, user + 3))),
  )
  await Promise.all(quotes.map((quote, index) => execute(quote, ROUND[index]?.[0] ?? 'evm', index + 3)))
  for (let moves = 0; moves < 5; moves += 1) await world.moveClock(1)
  for (const { quoteId, output } of quotes)
    assert.equal((await follow(world.url, { quoteId })).last.output?.amount, output.amount)
})

const isRefunded = ({ state }: WireStatus): boolean => state === 'REFUNDED'

test('an unfilled deposit is refunded once the clock has passed its deadlines', async () => {
  await world.control('/sandbox/solver', { mode: 'paused' })
  try {
    const sources = ['evm', 'solana', 'stellar'] as const
    const quotes = await Promise.all(
      sources.map((source) => world.quote(bodyOf(source, source === 'evm' ? 'stellar' : 'evm', 7))),
    )
    await Promise.all(quotes.map((quote, index) => execute(quote, sources[index] ?? 'evm', 7)))
    for (const { quoteId } of quotes) await follow(world.url, { quoteId }, ({ state }) => state === 'PENDING')
    await world.moveClock(UNTIL_REFUND)
    for (const { quoteId, input } of quotes) {
      const { last } = await follow(world.url, { quoteId }, isRefunded)
      assert.deepEqual([last.refund?.amount, last.details['reasonCode']], [input.amount, 'not_filled'])
    }
  } finally {
    await world.control('/sandbox/solver', { mode: 'normal' })
  }
})

test('a quote that expires by a move accepts no deposit', async () => {
  const sources = ['evm', 'solana', 'stellar'] as const
  const quotes = await Promise.all(
    sources.map((source) => world.quote(bodyOf(source, source === 'evm' ? 'stellar' : 'evm', 8))),
  )
  await world.moveClock(PATIENT_SECONDS.quoteLifetimeSeconds + 1)
  for (const [index, quote] of quotes.entries()) {
    await assert.rejects(execute(quote, sources[index] ?? 'evm', 8), { code: 'expired' })
    const isExpired = ({ details }: WireStatus): boolean => details['expired'] === true
    const { last } = await follow(world.url, { quoteId: quote.quoteId }, isExpired)
    assert.equal(last.state, 'AWAITING_DEPOSIT')
  }
})

test('time moves only forward, by whole seconds, and to at most 90 days ahead', async () => {
  const ahead = async () =>
    (await fetchJson<{ clock: { secondsAhead: number } }>(`${world.url}/sandbox`)).body.clock.secondsAhead
  const before = await ahead()
  const refused = [0, -1, 1.5, '60', null, undefined, 90 * 24 * HOUR + 1, 90 * 24 * HOUR]
  for (const seconds of refused)
    await assert.rejects(
      world.control('/sandbox/clock', { seconds }),
      (error) =>
        error instanceof RfqError && error.code === 'INVALID_REQUEST' && error.message.includes('seconds'),
      String(seconds),
    )
  await assert.rejects(world.control('/sandbox/clock', { seconds: 1, minutes: 1 }), RfqError)
  assert.equal(await ahead(), before)
})
