import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parseUnits, zeroAddress } from 'viem'
import { BackendType } from '../src/core/backend-type.ts'
import {
  accountAt,
  CHAINS,
  requestBody,
  type SandboxService,
  startSandboxService,
  tokenOn,
} from './sandbox-service.ts'
import { fetchJson, type WireQuote } from './wallet.ts'

type PricedToken = {
  readonly chainId: string
  readonly address: string
  readonly decimals: number
  readonly usdPrice: string
}
type WireFee = {
  readonly amount: string
  readonly token: { readonly chain: string; readonly address?: string; readonly type?: string }
  readonly quoteTreatment: string
}
type RankedQuote = WireQuote & {
  readonly estimatedTimeSeconds: number
  readonly fees: { readonly gas: WireFee; readonly user: WireFee }
}

const DIGITS = 18
const MILLI_ETHER = 10n ** 15n

let world: SandboxService
let priced: readonly PricedToken[]
before(async () => {
  world = await startSandboxService()
  priced = (await fetchJson<{ tokens: PricedToken[] }>(`${world.service.url}/sandbox`)).body.tokens
})
after(() => world.stop())

/** US dollars with 36 fraction digits. */
const worthOf = (chainId: string, address: string, amount: bigint): bigint => {
  const token = priced.find((one) => one.chainId === chainId && one.address === address)
  assert.ok(token)
  return amount * parseUnits(token.usdPrice, DIGITS) * 10n ** BigInt(DIGITS - token.decimals)
}

const feeWorth = ({ token, amount }: WireFee): bigint =>
  worthOf(token.chain, token.address ?? zeroAddress, BigInt(amount))

/** What the user has of a quote: what arrives, less what is paid and every cost on top. */
const netOf = ({ input, output, fees }: RankedQuote): bigint => {
  const costs = [fees.gas, fees.user].filter(({ quoteTreatment }) => quoteTreatment === 'outside_quote')
  return (
    worthOf(output.chain, output.token, BigInt(output.amount)) -
    worthOf(input.chain, input.token, BigInt(input.amount)) -
    costs.reduce((sum, fee) => sum + feeWorth(fee), 0n)
  )
}

const isLeast = (value: bigint | number, all: readonly (bigint | number)[]): boolean =>
  all.filter((other) => other <= value).length === 1

/** The reason that is true of a quote, by what the answer itself says. */
const reasonOf = (quote: RankedQuote, quotes: readonly RankedQuote[], best: string): string => {
  const fees = ({ fees: { gas, user } }: RankedQuote): bigint => feeWorth(gas) + feeWorth(user)
  if (quote === quotes[0]) return best
  if (
    isLeast(
      quote.estimatedTimeSeconds,
      quotes.map((one) => one.estimatedTimeSeconds),
    )
  )
    return 'fastest'
  return isLeast(fees(quote), quotes.map(fees)) ? 'lowest_fee' : 'alternative'
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

test('all four backends quote one pair, ranked by net value, each with a reason that is true', async () => {
  const firsts = new Set<string>()
  for (const orderType of ['EXACT_INPUT', 'EXACT_OUTPUT'] as const)
    for (const milli of [10n, 400n, 20_000n, 350_000n]) {
      const quotes = await quotesFor(milli * MILLI_ETHER, orderType)
      assert.deepEqual(backendsOf(quotes), [...BackendType.options].sort())
      const nets = quotes.map(netOf)
      assert.deepEqual(
        nets,
        nets.toSorted((one, other) => (one > other ? -1 : one < other ? 1 : 0)),
      )
      const best = orderType === 'EXACT_INPUT' ? 'highest_output' : 'lowest_input'
      assert.deepEqual(
        quotes.map(({ selectionReason }) => selectionReason),
        quotes.map((quote) => reasonOf(quote, quotes, best)),
      )
      firsts.add(quotes[0]?.backend.type ?? '')
    }
  assert.ok(firsts.size > 1, `first is always ${[...firsts]}`)
})

test('beyond what executors deliver, of any token that may cross, the pair is quoted without them', async () => {
  const [largest, beyond] = [400_000n, 440_000n].map((milli) => milli * MILLI_ETHER)
  assert.ok(backendsOf(await quotesFor(largest ?? 0n, 'EXACT_INPUT')).includes('gateway-express'))
  assert.deepEqual(backendsOf(await quotesFor(beyond ?? 0n, 'EXACT_INPUT')), ['gateway', 'intent', 'its'])
})
