import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testAnswer } from '../../test/test-quotes.ts'
import { createCatalog } from '../chains/catalog.ts'
import { Network } from '../core/network.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import { awaitingDeposit } from '../core/transfer.ts'
import { getStatus, toldByOneEndpoint } from './get-status.ts'

const ONE = ['https://one.example']
const SEVERAL = [...ONE, 'https://two.example']

const MESSAGE = `0x${'ab'.repeat(32)}-0`

const chainOf = (position: number, settings: object) => ({
  chainId: `eip155:${position}`,
  chainLabel: 'Chain',
  chainType: 'evm',
  nativeToken: { symbol: 'ETH', decimals: 18 },
  finality: 1,
  ...settings,
})

/** The details of a quote's status when its chains have the given settings; the transfer of a message is in flight. */
const detailsOf = async (
  settings: readonly [object, object],
  changes: Partial<QuoteRecord> = {},
  messageId?: string,
): Promise<unknown> => {
  const [first] = testAnswer(1_800_000_000_000, 7n, 1)
  assert.ok(first)
  const quote: QuoteRecord = { ...first, fromChain: 'eip155:1', toChain: 'eip155:2', ...changes }
  const network = Network.parse({
    chains: [chainOf(1, settings[0]), chainOf(2, settings[1])],
    tokens: [],
  })
  const catalog = createCatalog(network)
  const { status } = await getStatus(
    {
      catalog,
      store: {
        findQuote: async () => quote,
        findTransfer: async () => undefined,
        listTransfers: async () => [{ ...awaitingDeposit(quote.quoteId, MESSAGE), state: 'PENDING' }],
      },
      backends: new Map(),
      mayLookUp: () => true,
      trackDeadlineMs: 1_000,
      log: () => undefined,
      refresher: () =>
        Promise.resolve({ transfer: awaitingDeposit(quote.quoteId, messageId ?? ''), details: {} }),
      needsMessage: new Set(['its', 'gateway', 'gateway-express']),
      toldByOne: toldByOneEndpoint(catalog),
      now: () => quote.createdAt,
    },
    { quoteId: quote.quoteId, messageId },
    'client',
  )
  return status.details
}

for (const backend of ['its', 'gateway', 'gateway-express'])
  for (const [place, settings] of Object.entries({
    source: [{ rpcUrls: ONE }, { rpcUrls: SEVERAL }],
    destination: [{ rpcUrls: SEVERAL }, { rpcUrls: ONE }],
  } as const))
    test(`the status of a transfer by ${backend} says that its ${place} has one endpoint`, async () => {
      for (const message of [undefined, MESSAGE])
        assert.deepEqual(await detailsOf(settings, { backend }, message), { endpoints: 1 })
    })

for (const [what, settings] of Object.entries({
  'several endpoints': [{ rpcUrls: SEVERAL }, { rpcUrls: SEVERAL }],
  'one endpoint that the operator trusts': [
    { rpcUrls: ONE, trustSingleEndpoint: true },
    { rpcUrls: SEVERAL },
  ],
} as const))
  test(`the status of a transfer over chains with ${what} says nothing of endpoints`, async () => {
    assert.deepEqual(await detailsOf(settings), {})
  })

test('the status of an intent, and of a chain that is not configured any more, says nothing of endpoints', async () => {
  const settings = [{ rpcUrls: ONE }, { rpcUrls: ONE }] as const
  assert.deepEqual(await detailsOf(settings, { backend: 'intent' }), {})
  assert.deepEqual(await detailsOf(settings, { fromChain: 'eip155:8', toChain: 'eip155:9' }), {})
})

test('rejects a malformed messageId by what is expected, and repeats short ones only', async () => {
  const settings = [{ rpcUrls: SEVERAL }, { rpcUrls: SEVERAL }] as const
  const hash = `0x${'ab'.repeat(32)}`
  for (const tail of ['-x', '-', 'zz', '-0x1', '00', '_1'])
    await assert.rejects(detailsOf(settings, { backend: 'its' }, hash + tail), {
      code: 'INVALID_REQUEST',
      message: `messageId is malformed: it has ${hash.length + tail.length} characters; on EVM chains expected a transaction hash, or <transaction hash>-<position of the event in digits>`,
      details: { field: 'messageId' },
    })
  await assert.rejects(detailsOf(settings, { backend: 'its' }, '0xab-0'), {
    message: /^messageId is malformed: 0xab-0; on EVM chains expected/,
    details: { field: 'messageId', value: '0xab-0' },
  })
})
