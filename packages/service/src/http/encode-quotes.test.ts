import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Action } from '@openrfq/sdk'
import {
  BackendType,
  type FeeToken,
  type IntegratorFee,
  PaymentMethod,
  QuoteAnswer,
  QuoteTreatment,
} from '@openrfq/sdk'
import fc from 'fast-check'
import { baseUnits, MAX_BASE_UNITS } from '../core/amount.ts'
import { toIso } from '../core/instant.ts'
import type { OfferedFee } from '../core/offer.ts'
import type { RankedQuote } from '../core/ranked-quote.ts'
import { encodeQuotes } from './encode-quotes.ts'

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constant('0xA1b2'))
const identifier = fc.stringMatching(/^[0-9A-Za-z_-]{1,60}$/)
const address = fc.oneof(fc.stringMatching(/^[0-9A-Za-z]{1,128}$/), fc.constant('0xA1b2'))
const usdText = fc.option(fc.stringMatching(/^[0-9]{1,40}\.[0-9]{2,6}$/), { nil: undefined })
const amount = fc.bigInt({ min: 0n, max: MAX_BASE_UNITS }).map(baseUnits)
const instant = fc.integer({ min: 0, max: 4_102_444_800_000 })
const chain = fc.constantFrom('eip155:1', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'stellar:pubnet')
const json = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
const digits = fc.bigInt({ min: 0n, max: 1n << 200n }).map(String)
const optionalDigits = fc.option(digits, { nil: undefined })

const present = <Value extends object>(value: Value): Value =>
  // CAST: dropping absent fields is what exact optional properties ask for.
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Value

const payload: fc.Arbitrary<Action['payload']> = fc.oneof(
  fc
    .record({
      type: fc.constant('evm_transaction' as const),
      from: address,
      to: address,
      data: fc.uint8Array().map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
      value: digits,
      gasLimit: optionalDigits,
      maxFeePerGas: optionalDigits,
      maxPriorityFeePerGas: optionalDigits,
    })
    .map(present),
  fc.record({ type: fc.constant('deposit_address' as const), address, amount: digits, token: address }),
)

const action: fc.Arbitrary<Action> = fc.record({
  id: identifier,
  label: text,
  type: fc.constantFrom('approval', 'transaction', 'deposit_address'),
  chain,
  payload,
})

const feeToken: fc.Arbitrary<FeeToken> = fc.oneof(
  fc.record({ chain, symbol: text, type: fc.constant('native' as const) }),
  fc.record({ chain, symbol: text, address }),
)

const fee: fc.Arbitrary<OfferedFee> = fc.record({
  amount,
  token: feeToken,
  decimals: fc.constant(18),
  priceKey: fc.constant('key'),
  paymentMethod: fc.constantFrom(...PaymentMethod.options),
  quoteTreatment: fc.constantFrom(...QuoteTreatment.options),
})

const integrator: fc.Arbitrary<IntegratorFee | null> = fc.option(
  fc
    .record({
      amount: digits,
      amountUsdApprox: usdText,
      token: feeToken,
      paymentMethod: fc.constantFrom(...PaymentMethod.options),
      quoteTreatment: fc.constantFrom(...QuoteTreatment.options),
      bps: fc.integer({ min: 0, max: 10_000 }),
      recipient: address,
    })
    .map(present),
)

const answered: fc.Arbitrary<RankedQuote> = fc
  .record({
    amounts: fc.tuple(amount, amount, amount),
    texts: fc.tuple(text, address, address),
    chains: fc.tuple(chain, chain),
    backend: fc.constantFrom(...BackendType.options),
    times: fc.tuple(instant, fc.option(instant, { nil: undefined })),
    seconds: fc.nat(),
    fees: fc.tuple(fee, fee),
    actions: fc.array(action, { maxLength: 3 }),
    objects: fc.tuple(json, json),
    usd: fc.record({ input: usdText, output: usdText, gas: usdText, user: usdText }),
    integrator,
  })
  .map(({ amounts, texts, chains, backend, times, seconds, fees, actions, objects, usd, integrator }) => ({
    record: {
      quoteId: 'quote_01k7uef7c0000000000000000g',
      backend,
      backendName: texts[0],
      createdAt: 0,
      quoteExpiresAt: times[0],
      ...(times[1] === undefined ? {} : { fulfillmentDeadline: times[1] }),
      estimatedTimeSeconds: seconds,
      orderType: 'EXACT_INPUT',
      fromChain: chains[0],
      fromToken: texts[1],
      toChain: chains[1],
      toToken: texts[2],
      sender: '',
      recipient: '',
      input: amounts[0],
      output: amounts[1],
      minimumOutput: amounts[2],
      binding: {},
    },
    offer: {
      backend,
      backendName: texts[0],
      input: amounts[0],
      output: amounts[1],
      minimumOutput: amounts[2],
      estimatedTimeSeconds: seconds,
      lifetimeSeconds: 60,
      gasFee: fees[0],
      userFee: fees[1],
      actions,
      tracking: backend === 'intent' ? { ...objects[0], swapId: '0x5a' } : objects[0],
      metadata: objects[1],
      binding: {},
    },
    selectionReason: 'fastest',
    usd,
    integrator,
  }))

const plainFee = (
  { amount: value, token, paymentMethod, quoteTreatment }: OfferedFee,
  usd: string | undefined,
) => ({
  amount: value.toString(),
  amountUsdApprox: usd,
  token:
    'address' in token
      ? { chain: token.chain, symbol: token.symbol, address: token.address }
      : { chain: token.chain, symbol: token.symbol, type: token.type },
  paymentMethod,
  quoteTreatment,
})

const plainQuote = ({ record, offer, usd, selectionReason, integrator: ours }: RankedQuote) => ({
  quoteId: record.quoteId,
  selectionReason,
  backend: {
    type: record.backend,
    name: record.backendName,
    tracking: offer.tracking,
    metadata: offer.metadata,
  },
  estimatedTimeSeconds: record.estimatedTimeSeconds,
  validity: {
    type: 'expires_at',
    quoteExpiresAt: toIso(record.quoteExpiresAt),
    fulfillmentDeadline:
      record.fulfillmentDeadline === undefined ? undefined : toIso(record.fulfillmentDeadline),
  },
  input: {
    chain: record.fromChain,
    token: record.fromToken,
    amount: record.input.toString(),
    amountUsdApprox: usd.input,
  },
  output: {
    chain: record.toChain,
    token: record.toToken,
    amount: record.output.toString(),
    minimumAmount: record.minimumOutput.toString(),
    amountUsdApprox: usd.output,
  },
  fees: { gas: plainFee(offer.gasFee, usd.gas), user: plainFee(offer.userFee, usd.user), integrator: ours },
  actions: offer.actions,
})

const inAscii = (json: string): string =>
  Array.from({ length: json.length }, (_, index) => {
    const unit = json.charCodeAt(index)
    return unit < 128 ? json.charAt(index) : `\\u${(0x10000 + unit).toString(16).slice(1)}`
  }).join('')

test('writes the text of JSON.stringify in ASCII, whatever the names in a quote hold', () => {
  fc.assert(
    fc.property(fc.array(answered, { maxLength: 3 }), (quotes) => {
      assert.equal(encodeQuotes(quotes), inAscii(JSON.stringify({ quotes: quotes.map(plainQuote) })))
    }),
    { numRuns: 300 },
  )
})

test('writes what the schema of the quote answer reads', () => {
  fc.assert(
    fc.property(fc.array(answered, { maxLength: 3 }), (quotes) => {
      const parsed = QuoteAnswer.parse(JSON.parse(encodeQuotes(quotes)))
      assert.equal(parsed.quotes.length, quotes.length)
    }),
    { numRuns: 100 },
  )
})
