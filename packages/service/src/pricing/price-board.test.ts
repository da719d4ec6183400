import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { startLocalServer } from '../../test/local-server.ts'
import { NetworkToken } from '../core/network.ts'
import { createHttpClient } from '../lib/http-client.ts'
import { fixedPrices } from './fixed.ts'
import { coinGeckoFeed, defiLlamaFeed } from './http-feeds.ts'
import { createPriceBoard } from './price-board.ts'
import { usdPrice } from './usd.ts'

const token = (digit: string, more: object): NetworkToken =>
  NetworkToken.parse({
    ...{
      chainId: 'eip155:1',
      address: `0x${digit.repeat(40)}`,
      symbol: 'T',
      name: 'T',
      decimals: 18,
      verified: true,
    },
    ...more,
  })
const ETHER = token('0', { coinGeckoId: 'ethereum' })
const BONK = token('2', { coinGeckoId: 'bonk' })
const FIXED = token('3', { coinGeckoId: 'tether', usdPrice: '1' })
const SECONDS = 1_764_000_000

/** Servers in the published shapes of DefiLlama and CoinGecko; a price of 0 leaves the token out. */
const startPriceServers = async () => {
  const told = {
    llama: { ethereum: 3000.5, bonk: 1.5e-7 },
    gecko: { ethereum: 3001, bonk: 1.5e-7 },
    seconds: SECONDS,
  }
  const asked: string[] = []
  const server = await startLocalServer(({ url }, response) => {
    asked.push(url)
    const { seconds, llama, gecko } = told
    const coins = Object.fromEntries(
      Object.entries(llama)
        .filter(([, price]) => price > 0)
        .map(([id, price]) => [
          `coingecko:${id}`,
          { price, symbol: id, timestamp: seconds, confidence: 0.99 },
        ]),
    )
    const simple = Object.fromEntries(
      Object.entries(gecko).map(([id, usd]) => [id, { usd, last_updated_at: seconds }]),
    )
    response.end(JSON.stringify(url.startsWith('/prices/current/') ? { coins } : simple))
  })
  return { told, asked, ...server }
}

const startBoard = async (enough = 2) => {
  const servers = await startPriceServers()
  const events: string[] = []
  let now = SECONDS * 1000 + 5_000
  const tokens = [ETHER, BONK]
  const deps = { http: createHttpClient(), tokens, maxAgeSeconds: 600 }
  const board = createPriceBoard({
    feeds: [
      defiLlamaFeed(deps, { url: servers.url, chains: {} }),
      coinGeckoFeed(deps, { url: servers.url, headers: { 'x-cg-demo-api-key': 'key' } }),
    ],
    fixed: fixedPrices([ETHER, BONK, FIXED]),
    ...{ enough, agreementBps: 200, refreshMs: 20, now: () => now },
    log: (_level, event) => events.push(event),
  })
  await board.start()
  return {
    ...{ board, servers, events },
    moveTo: (ms: number) => {
      now = ms
    },
    stop: async () => {
      await board.stop()
      servers.stop()
    },
  }
}

test('prices come from two servers that agree, also very small ones, and a fixed price needs no server', async () => {
  const { board, stop } = await startBoard()
  try {
    await eventually('ether is priced', () => board.priceOf(ETHER))
    assert.equal(board.priceOf(ETHER), usdPrice('3000.5'))
    assert.equal(board.priceOf(BONK), usdPrice('0.00000015'))
    assert.equal(board.priceOf(FIXED), usdPrice('1'))
    assert.equal(board.priceOf(token('9', {})), undefined)
  } finally {
    await stop()
  }
})

test('a token is unpriced, never free, while its sources conflict, and priced again when they agree', async () => {
  const { board, servers, events, stop } = await startBoard()
  try {
    await eventually('ether is priced', () => board.priceOf(ETHER))
    servers.told.gecko.ethereum = 30.01
    await eventually('ether is unpriced', () => board.priceOf(ETHER) === undefined)
    assert.equal(events.filter((event) => event === 'prices_in_conflict').length, 1)
    assert.ok(board.priceOf(BONK))
    servers.told.gecko.ethereum = 3001
    await eventually('ether is priced again', () => board.priceOf(ETHER))
    const told = events.filter((event) => event.startsWith('prices_'))
    assert.deepEqual(told, ['prices_in_conflict', 'prices_agree'])
  } finally {
    await stop()
  }
})

test('a price that no server renews is stale after its age', async () => {
  const { board, moveTo, stop } = await startBoard(1)
  try {
    await eventually('ether is priced', () => board.priceOf(ETHER))
    moveTo((SECONDS + 600) * 1000)
    assert.ok(board.priceOf(ETHER))
    moveTo((SECONDS + 600) * 1000 + 1)
    assert.equal(board.priceOf(ETHER), undefined)
  } finally {
    await stop()
  }
})

test('a server that tells zero, text or a time far ahead prices nothing, and one that is away is told once', async () => {
  const { board, servers, events, stop } = await startBoard(1)
  try {
    await eventually('ether is priced', () => board.priceOf(ETHER))
    Object.assign(servers.told, {
      llama: { ethereum: 0 },
      gecko: { ethereum: 'free' },
      seconds: SECONDS + 10 ** 8,
    })
    await eventually('the servers are asked again', () => servers.asked.length > 8)
    assert.equal(board.priceOf(ETHER), usdPrice('3000.5'))
    servers.stop()
    await eventually(
      'both feeds fail',
      () => events.filter((event) => event === 'price_feed_failed').length === 2,
    )
  } finally {
    await stop()
  }
})
