import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usdText, worthWhenQuoted } from './usd-text.ts'

test('what has no price says nothing, and never 0', () => {
  for (const usd of [undefined, '0', '0.00', '', '-1', 'NaN', 'x', 'Infinity'])
    assert.equal(usdText(usd), undefined)
  assert.equal(worthWhenQuoted({ amount: '25' }), undefined)
  assert.equal(worthWhenQuoted({ amount: '0', amountUsdApprox: '1' }, '5'), undefined)
  assert.equal(worthWhenQuoted({ amount: '25', amountUsdApprox: '25' }, '0'), undefined)
})

test('a value is told in cents, and another amount in proportion', () => {
  assert.equal(usdText('1249.5'), '$1,249.50')
  assert.equal(usdText('0.000001'), 'under $0.01')
  const quoted = { amount: '1250000000', amountUsdApprox: '1249.50' }
  assert.equal(worthWhenQuoted(quoted), 'about $1,249.50 when quoted')
  assert.equal(worthWhenQuoted(quoted, '625000000'), 'about $624.75 when quoted')
  assert.equal(worthWhenQuoted(quoted, '1'), 'under $0.01 when quoted')
})
