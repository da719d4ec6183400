import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Action } from '@openrfq/sdk'
import {
  BackendType,
  type FeeToken,
  type IntegratorFee,
  PaymentMethod,
  Quote,
  QuoteAnswer,
  QuoteTreatment,
} from '@openrfq/sdk'
import fc from 'fast-check'
import { baseUnits, MAX_BASE_UNITS } from './amount.ts'
import { toIso } from './instant.ts'
import type { OfferedFee } from './offer.ts'
import { presentQuote } from './present-quote.ts'
import type { RankedQuote } from './ranked-quote.ts'

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
  asset: fc.constant({ chainId: 'eip155:1', address: 'key' }),
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

const presented = (quotes: readonly RankedQuote[]): QuoteAnswer =>
  QuoteAnswer.parse(JSON.parse(JSON.stringify({ quotes: quotes.map(presentQuote) })))

test('a quote is presented as the schema of the quote answer reads it', () => {
  fc.assert(
    fc.property(answered, (quote) => {
      const { record, offer, usd, integrator } = quote
      const [read, ...others] = presented([quote]).quotes
      assert.ok(read !== undefined && others.length === 0)
      assert.equal(read.backend.name, record.backendName)
      assert.equal(read.validity.quoteExpiresAt, toIso(record.quoteExpiresAt))
      assert.equal('fulfillmentDeadline' in read.validity, record.fulfillmentDeadline !== undefined)
      assert.equal(read.input.amount, record.input.toString())
      assert.equal(read.output.minimumAmount, record.minimumOutput.toString())
      assert.equal(read.output.amountUsdApprox, usd.output)
      assert.equal(read.fees.gas.amount, offer.gasFee.amount.toString())
      assert.deepEqual(read.fees.user.token, { ...offer.userFee.token })
      assert.equal(read.fees.user.amountUsdApprox, usd.user)
      assert.equal(read.fees.integrator?.amount, integrator?.amount)
      assert.deepEqual(
        read.actions.map(({ label }) => label),
        offer.actions.map(({ label }) => label),
      )
    }),
    { numRuns: 300 },
  )
})

test('quotes are presented in their order, with the fields in the order of the interface', () => {
  fc.assert(
    fc.property(fc.array(answered, { maxLength: 3 }), (quotes) => {
      assert.deepEqual(
        presented(quotes).quotes.map(({ input }) => input.amount),
        quotes.map(({ record }) => record.input.toString()),
      )
      for (const quote of quotes) assert.deepEqual(Object.keys(presentQuote(quote)), Object.keys(Quote.shape))
    }),
    { numRuns: 50 },
  )
})
