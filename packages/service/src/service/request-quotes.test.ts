import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { RfqError } from '@openrfq/sdk'
import type { Backend } from '../backends/backend.ts'
import { createCatalog } from '../chains/catalog.ts'
import { baseUnits } from '../core/amount.ts'
import { Network } from '../core/network.ts'
import type { Decline, Offer, OfferedFee } from '../core/offer.ts'
import { QuoteRequest } from '../core/order.ts'
import { openSqliteStore } from '../store/sqlite.ts'
import type { Store } from '../store/store.ts'
import { createListing } from './listing.ts'
import { refusedAccounts } from './refused-accounts.ts'
import { type BackendOutcome, type RequestQuotesDeps, requestQuotes } from './request-quotes.ts'

const CHAIN_A = 'eip155:101'
const CHAIN_B = 'eip155:102'
const TOKEN = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const WALLET = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
const BRIDGE = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
const ROUTER = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'
const NOW = 1_800_000_000_000

const chain = (chainId: string) => ({
  chainId,
  chainLabel: chainId,
  chainType: 'evm',
  nativeToken: { symbol: 'ETH', decimals: 18 },
  rpcUrls: ['http://127.0.0.1:1'],
  finality: 1,
})
const token = (chainId: string) => ({
  chainId,
  address: TOKEN,
  symbol: 'T',
  name: 'Token',
  decimals: 6,
  verified: true,
})
const catalog = createCatalog(
  Network.parse({ chains: [chain(CHAIN_A), chain(CHAIN_B)], tokens: [token(CHAIN_A), token(CHAIN_B)] }),
)

const fee: OfferedFee = {
  amount: baseUnits(0n),
  token: { chain: CHAIN_A, symbol: 'ETH', type: 'native' },
  decimals: 18,
  asset: { chainId: CHAIN_A, address: 'native' },
  paymentMethod: 'wallet_native',
  quoteTreatment: 'outside_quote',
}
const offer = (backend: string, output: bigint): Offer => ({
  backend,
  backendName: backend,
  input: baseUnits(100n),
  output: baseUnits(output),
  minimumOutput: baseUnits(output),
  estimatedTimeSeconds: 60,
  lifetimeSeconds: 60,
  gasFee: fee,
  userFee: fee,
  actions: [],
  tracking: {},
  metadata: {},
  binding: {},
})

/** A backend whose answer the test sets. */
const backend = (type: string, answer: Backend['quote']): Backend => ({
  type,
  name: type,
  contracts: () => [],
  messageEvent: null,
  serves: () => true,
  routes: (pair) => [{ ...pair, backend: type }],
  quote: answer,
  track: async () => ({ seen: 'nothing', details: {} }),
  start: async () => undefined,
  stop: async () => undefined,
})

const request = QuoteRequest.parse({
  fromChain: CHAIN_A,
  fromToken: TOKEN,
  toChain: CHAIN_B,
  toToken: TOKEN,
  amount: '100',
  orderType: 'EXACT_INPUT',
  sender: WALLET,
  recipient: WALLET,
})

const directory = mkdtempSync(join(tmpdir(), 'openrfq-'))
let store: Store
let outcomes: [string, BackendOutcome][] = []
let answers = 0n
before(async () => {
  store = await openSqliteStore({ directory, log: () => undefined })
})
after(async () => {
  await store.close()
  rmSync(directory, { recursive: true })
})
beforeEach(() => {
  outcomes = []
})

const deps = (backends: readonly Backend[]): RequestQuotesDeps => ({
  catalog,
  listing: createListing(catalog, backends),
  refusedAccounts: refusedAccounts({ catalog, backends }),
  backends,
  store,
  prices: () => undefined,
  offerable: async (_order, offers) => offers,
  quoted: () => undefined,
  now: () => NOW,
  randomBits: () => {
    answers += 100n
    return answers
  },
  log: () => undefined,
  backendAnswered: (type, outcome) => outcomes.push([type, outcome]),
  deadlineMs: () => 50,
})

const never: Backend['quote'] = () => new Promise(() => undefined)
const range = (minimum: bigint, maximum: bigint | null) => async (): Promise<Decline> => ({
  declined: 'out_of_range',
  minimum: baseUnits(minimum),
  maximum: maximum === null ? null : baseUnits(maximum),
})
const unserved = async (): Promise<Decline> => ({ declined: 'unserved', reason: 'never quoted' })
const unpriced = async (): Promise<Decline> => ({ declined: 'unpriced', reason: 'no price' })

const refusal = async (backends: readonly Backend[], asked = request): Promise<RfqError> => {
  try {
    await requestQuotes(deps(backends), asked, 'client')
  } catch (error) {
    if (error instanceof RfqError) return error
    throw error
  }
  return assert.fail('the request was answered')
}

test('a failing or late backend is left out, and the others answer', async () => {
  const quotes = await requestQuotes(
    deps([
      backend('intent', never),
      backend('gateway', () => Promise.reject(new Error('broken'))),
      backend('its', async () => [offer('its', 99n)]),
    ]),
    request,
    'client',
  )
  assert.deepEqual(
    quotes.map(({ record }) => record.backend),
    ['its'],
  )
  assert.deepEqual(
    new Map(outcomes),
    new Map([
      ['gateway', 'fault'],
      ['its', 'offer'],
      ['intent', 'timeout'],
    ]),
  )
})

test('answers quotes best first, under stored ids', async () => {
  const quotes = await requestQuotes(
    deps([
      backend('gateway', async () => [offer('gateway', 98n)]),
      backend('its', async () => [offer('its', 99n)]),
    ]),
    request,
    'client',
  )
  assert.deepEqual(
    quotes.map(({ record }) => record.output),
    [99n, 98n],
  )
  for (const { record } of quotes) {
    assert.deepEqual(await store.findQuote(record.quoteId), record)
    assert.equal(record.quoteExpiresAt, NOW + 60_000)
  }
})

test('one backend may answer several offers, which are ranked with the others', async () => {
  const asked: string[] = []
  const quotes = await requestQuotes(
    deps([
      backend('intent', async ({ answerId }) => {
        asked.push(answerId)
        return [offer('intent', 100n), offer('intent', 97n)]
      }),
      backend('its', async () => [offer('its', 99n)]),
    ]),
    request,
    'client',
  )
  assert.deepEqual(
    quotes.map(({ record }) => [record.backend, record.output]),
    [
      ['intent', 100n],
      ['its', 99n],
      ['intent', 97n],
    ],
  )
  assert.deepEqual(asked, [quotes[0]?.record.quoteId])
  for (const { record } of quotes) assert.deepEqual(await store.findQuote(record.quoteId), record)
})

test('answers no quotes, without an error, for a served route that no backend prices', async () => {
  const silent = deps([backend('its', never), backend('gateway', unpriced)])
  assert.deepEqual(await requestQuotes(silent, request, 'client'), [])
})

test('AMOUNT_OUT_OF_RANGE requires every backend that can price now to decline the amount', async () => {
  const mixed = await refusal([
    backend('its', range(200n, null)),
    backend('gateway', unpriced),
    backend('gateway-express', unserved),
    backend('intent', never),
  ])
  assert.equal(mixed.code, 'AMOUNT_OUT_OF_RANGE')
  assert.deepEqual(mixed.details['unpriced'], ['gateway', 'intent'])
  const error = await refusal([backend('its', range(150n, 180n)), backend('gateway', range(300n, null))])
  assert.equal(error.code, 'AMOUNT_OUT_OF_RANGE')
  assert.deepEqual(error.details, {
    amount: '100',
    token: TOKEN,
    minimum: '150',
    maximum: '180',
    backends: {
      its: { minimum: '150', maximum: '180' },
      gateway: { minimum: '300', maximum: null },
    },
  })
})

test('the bounds are those of the amounts that some backend quotes without a gap', async () => {
  const boundsOf = async (...ranges: readonly (readonly [bigint, bigint | null])[]) => {
    const types = ['its', 'gateway', 'intent', 'gateway-express']
    const error = await refusal(
      ranges.map(([low, high], index) => backend(types[index] ?? '', range(low, high))),
    )
    return [error.details['minimum'], error.details['maximum']]
  }
  assert.deepEqual(await boundsOf([150n, 180n], [160n, 300n], [301n, 400n], [402n, null]), ['150', '400'])
  assert.deepEqual(await boundsOf([500n, null], [150n, 180n], [181n, 499n]), ['150', null])
  assert.deepEqual(await boundsOf([1n, 20n], [30n, 90n]), ['30', '90'])
})

test('AMOUNT_OUT_OF_RANGE says amounts in whole tokens and in base units', async () => {
  const messageOf = async (minimum: bigint, maximum: bigint | null): Promise<string> =>
    (await refusal([backend('its', range(minimum, maximum))])).message
  const asked = "amount 100 base units (0.0001 T) is outside the route's range: "
  const bounded = await messageOf(1_000_000n, 2_500_000n)
  assert.equal(bounded, `${asked}1 to 2.5 T (1000000 to 2500000 base units)`)
  assert.equal(await messageOf(1_000_000n, null), `${asked}at least 1 T (1000000 base units)`)
  assert.equal(await messageOf(1n, 0n), `${asked}no amount can pass at the moment`)
})

test('the bounds leave out a backend without any room', async () => {
  const error = await refusal([backend('its', range(1n, 0n))])
  assert.deepEqual([error.details['minimum'], error.details['maximum']], [null, null])
})

test('a pair that every backend serves in its configuration only is UNSUPPORTED_ROUTE', async () => {
  assert.equal((await refusal([backend('intent', unserved)])).code, 'UNSUPPORTED_ROUTE')
  const mixed = deps([backend('intent', unserved), backend('its', unpriced)])
  assert.deepEqual(await requestQuotes(mixed, request, 'client'), [])
})

test('a minimum at least 5 % below the output carries the warning high_slippage', async () => {
  const warningsFor = async (minimum: bigint): Promise<unknown> => {
    const floating = { ...offer('its', 10_000n), minimumOutput: baseUnits(minimum) }
    const quotes = await requestQuotes(deps([backend('its', async () => [floating])]), request, 'client')
    return quotes[0]?.offer.metadata['warnings']
  }
  assert.equal(await warningsFor(9_501n), undefined)
  assert.deepEqual(await warningsFor(9_500n), [
    { code: 'high_slippage', message: 'the guaranteed output is 5.00 % below the expected one' },
  ])
})

test('a recipient that no serving backend can pay is INVALID_REQUEST with the reason', async () => {
  const unpayable = async (): Promise<Decline> => ({
    declined: 'unpayable',
    reasonCode: 'no_trustline',
    reason: 'no trustline for USDC',
  })
  const mixed = deps([backend('intent', unpayable), backend('its', unpriced)])
  assert.deepEqual(await requestQuotes(mixed, request, 'client'), [])
  const error = await refusal([backend('intent', unpayable)])
  assert.equal(error.code, 'INVALID_REQUEST')
  assert.match(error.message, /^recipient 0x\w+ cannot be paid on .*: no trustline for USDC$/)
  assert.deepEqual(error.details, {
    field: 'recipient',
    value: WALLET,
    chain: CHAIN_B,
    reasonCode: 'no_trustline',
    reason: 'no trustline for USDC',
  })
})

test('an offer whose order is not known where it must be is neither shown nor saved', async () => {
  const saved: number[] = []
  const requestWith = (offerable: RequestQuotesDeps['offerable']) =>
    requestQuotes(
      {
        ...deps([
          backend('intent', async () => [offer('intent', 99n)]),
          backend('its', async () => [offer('its', 98n)]),
        ]),
        store: { saveQuotes: async (records) => void saved.push(records.length) },
        offerable,
      },
      request,
      'client',
    )
  const left = await requestWith(async (_order, offers) => offers.filter(({ backend }) => backend === 'its'))
  assert.deepEqual(
    left.map(({ offer: { backend }, selectionReason }) => [backend, selectionReason]),
    [['its', 'highest_output']],
  )
  assert.deepEqual(await requestWith(async () => []), [])
  assert.deepEqual(saved, [1])
})

test('offers are counted as quoted only once the store has accepted the quotes', async () => {
  const counted: (readonly bigint[])[] = []
  const requestWith = (saveQuotes: Store['saveQuotes']) =>
    requestQuotes(
      {
        ...deps([backend('its', async () => [offer('its', 99n)])]),
        store: { saveQuotes },
        quoted: (_order, shown) => counted.push(shown.map(({ offer: { output } }) => output)),
      },
      request,
      'client',
    )
  await assert.rejects(
    requestWith(() => Promise.reject(new Error('disk full'))),
    /disk full/,
  )
  assert.deepEqual(counted, [])
  await requestWith((records) => store.saveQuotes(records))
  assert.deepEqual(counted, [[99n]])
})

test('a contract of any backend and chain is INVALID_REQUEST as recipient and as sender', async () => {
  const bridge: Backend = {
    ...backend('its', async () => [offer('its', 99n)]),
    contracts: ({ chainId }) => [chainId === CHAIN_A ? BRIDGE.toLowerCase() : ROUTER],
  }
  const refused = async (parties: object): Promise<readonly unknown[]> => {
    const { code, details } = await refusal([backend('gateway', unpriced), bridge], {
      ...request,
      ...parties,
    })
    return [code, details['field'], details['value']]
  }
  assert.deepEqual(await refused({ sender: BRIDGE }), ['INVALID_REQUEST', 'sender', BRIDGE])
  assert.deepEqual(await refused({ recipient: ROUTER }), ['INVALID_REQUEST', 'recipient', ROUTER])
  assert.deepEqual(await refused({ recipient: BRIDGE }), ['INVALID_REQUEST', 'recipient', BRIDGE])
})

test('a pair that no backend serves is UNSUPPORTED_ROUTE', async () => {
  const pairless: Backend = { ...backend('its', never), routes: () => [] }
  assert.equal((await refusal([pairless])).code, 'UNSUPPORTED_ROUTE')
})
