import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startLocalServer } from '../../../test/local-server.ts'
import { Network } from '../../core/network.ts'
import { checkPrices } from './check-prices.ts'

const NOW = 1_764_000_000_000
const CLOCK = { now: () => NOW, steady: Date.now }

const networkOf = (prices: object): Network =>
  Network.parse({
    name: 'prices.test',
    chains: [
      {
        ...{ chainId: 'eip155:1', chainLabel: 'Ethereum', chainType: 'evm', finality: 1 },
        ...{ rpcUrls: ['http://127.0.0.1:1'], nativeToken: { symbol: 'ETH', decimals: 18 } },
      },
    ],
    tokens: ['ethereum', 'bonk', 'tether'].map((coinGeckoId, index) => ({
      ...{ chainId: 'eip155:1', address: `0x${String(index).repeat(40)}`, symbol: coinGeckoId },
      ...{ name: coinGeckoId, decimals: 18, verified: true, coinGeckoId },
      ...(coinGeckoId === 'tether' ? { usdPrice: '1' } : {}),
    })),
    prices,
  })

/** A server in the shapes of DefiLlama and CoinGecko. */
const startPrices = (ages: { readonly llama: number; readonly gecko: number }, geckoEther = 3000) =>
  startLocalServer(({ url }, response) => {
    const isLlama = url.startsWith('/prices/current/')
    const seconds = NOW / 1000 - (isLlama ? ages.llama : ages.gecko)
    const prices = { ethereum: isLlama ? 3000 : geckoEther, bonk: 0.5 }
    response.end(
      JSON.stringify(
        isLlama
          ? {
              coins: Object.fromEntries(
                Object.entries(prices).map(([id, price]) => [
                  `coingecko:${id}`,
                  { price, timestamp: seconds },
                ]),
              ),
            }
          : Object.fromEntries(
              Object.entries(prices).map(([id, usd]) => [id, { usd, last_updated_at: seconds }]),
            ),
      ),
    )
  })

const linesOf = async (prices: object): Promise<string> =>
  (await checkPrices(networkOf(prices), CLOCK))
    .map(({ level, subject, says }) => `${level} ${subject}: ${says}`)
    .join('\n')

test('a check tells the age of each price, and asks for none that the operator fixed', async (t) => {
  const server = await startPrices({ llama: 34, gecko: 50 })
  t.after(server.stop)
  const url = server.url
  const told = await linesOf({ defiLlama: { url }, coinGecko: { url }, enough: 2 })
  assert.match(told, /^ok prices of defillama: tells 2 prices$/m)
  assert.match(
    told,
    /^ok token ethereum 0x0{40} on eip155:1: price: defillama 3000\.00 USD, 34 s old; coingecko 3000\.00 USD, 50 s old$/m,
  )
  assert.doesNotMatch(told, /warning|tether/)
})

test('a check names a stale price, a conflict, and a price of too few sources, each with what to do', async (t) => {
  const server = await startPrices({ llama: 5_000, gecko: 10 })
  const other = await startPrices({ llama: 10, gecko: 10 }, 2000)
  t.after(server.stop)
  t.after(other.stop)
  const [url, conflicting] = [server.url, other.url]
  assert.match(
    await linesOf({ defiLlama: { url }, enough: 1 }),
    /^warning token ethereum .*: price is stale \(defillama 3000\.00 USD, 5000 s old\): name another source;/m,
  )
  assert.match(
    await linesOf({ defiLlama: { url: conflicting }, coinGecko: { url: conflicting }, enough: 2 }),
    /^warning token ethereum .*: price in conflict \(defillama 3000\.00 USD, 10 s old; coingecko 2000\.00 USD, 10 s old\): correct/m,
  )
  assert.match(
    await linesOf({ coinGecko: { url }, enough: 2 }),
    /^warning token bonk .*: price of too few sources \(.*\): 2 must agree; name another, or lower prices\.enough$/m,
  )
})

test('a check names a dead source, and the tokens that no source prices', async (t) => {
  const server = await startLocalServer((_, response) => {
    response.statusCode = 503
    response.end('{}')
  })
  t.after(server.stop)
  const told = await linesOf({ defiLlama: { url: server.url }, enough: 1 })
  assert.match(
    told,
    /^warning prices of defillama: does not answer \(127\.0\.0\.1:\d+ answered status 503\): correct its url/m,
  )
  assert.match(
    told,
    /^warning prices: no source answers for 2 tokens \(ethereum on eip155:1, bonk on eip155:1\): name/m,
  )
  assert.match(
    await linesOf({ coinGecko: { url: 'http://127.0.0.1:1' }, enough: 1 }),
    /^warning prices of coingecko: does not answer \(.*ECONNREFUSED.*\)/m,
  )
})
