import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageUrl } from './page-url.ts'

test('the page of a transfer lies below the address of the service, behind a path too', () => {
  const quoteId = 'quote_1'
  assert.equal(pageUrl('http://127.0.0.1:8080', { quoteId }), 'http://127.0.0.1:8080/t/quote_1')
  assert.equal(pageUrl('https://rfq.example/base/', { quoteId }), 'https://rfq.example/base/t/quote_1')
  assert.equal(pageUrl('https://rfq.example/base', { quoteId }), 'https://rfq.example/base/t/quote_1')
})

test('the page is told the message of a look-up that names one', () => {
  const query = { quoteId: 'quote_1', messageId: '0x1-2', sourceChain: 'eip155:1' }
  assert.equal(
    pageUrl('http://127.0.0.1:8080', query),
    'http://127.0.0.1:8080/t/quote_1?messageId=0x1-2&sourceChain=eip155%3A1',
  )
})
