import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACTION, QUOTE } from '../../test/wire-quote.ts'
import { Quote } from '../wire/quote.ts'
import { actionsOf, checkedQuote } from './checked-quote.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')
const quoteOf = (changes: object): Quote => Quote.parse({ ...QUOTE, ...changes })

const refuses = (changes: object, code: string, message: RegExp, now = NOW): void => {
  assert.throws(() => checkedQuote({ quote: quoteOf(changes), now }), {
    name: 'ExecutionError',
    code,
    message,
  })
}

test('returns a valid quote unchanged', () => {
  const quote = quoteOf({})
  assert.deepEqual(checkedQuote({ quote, now: NOW }), quote)
})

test('throws "expired" from quoteExpiresAt on', () => {
  refuses({}, 'expired', /expired at 2026-01-01T00:01:00Z/, NOW + 60_000)
  assert.equal(checkedQuote({ quote: quoteOf({}), now: NOW + 59_999 }).quoteId, 'quote_1')
  const past = { validity: { type: 'expires_at', quoteExpiresAt: '2020-01-01T00:00:00Z' } }
  assert.throws(() => checkedQuote({ quote: quoteOf(past) }), { code: 'expired' })
})

test('throws "unsupported" for types that only a newer version knows', () => {
  const expires = { quoteExpiresAt: '2026-01-01T00:01:00Z' }
  refuses({ validity: { type: 'while_it_lasts', ...expires } }, 'unsupported', /type while_it_lasts/)
  const near = { type: 'near', name: 'Near', tracking: {}, metadata: {} }
  refuses({ backend: near }, 'unsupported', /unknown backend near/)
  refuses({ actions: [ACTION, { ...ACTION, id: 'x', type: 'permit' }] }, 'unsupported', /unknown type permit/)
  refuses({ actions: [] }, 'unsupported', /no actions/)
})

test('names an action of another or an unknown family', () => {
  const psbt = { ...ACTION, id: 'sign', payload: { type: 'bitcoin_psbt', psbt: '' } }
  const quote = quoteOf({ actions: [ACTION, psbt] })
  assert.throws(() => actionsOf(quote, 'evm_transaction'), {
    code: 'unsupported',
    actionId: 'sign',
    message: 'a wallet for evm_transaction cannot run bitcoin_psbt',
  })
})
