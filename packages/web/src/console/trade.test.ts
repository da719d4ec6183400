import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Chain, ListedToken, RfqError } from '@openrfq/sdk'
import { SCENE_CHAINS, SCENE_TOKENS } from 'openrfq/test/transfer-scenes.ts'
import { z } from 'zod'
import { refusalText } from './refusal-text.ts'
import { firstTrade, parseAmount, requestOf, tokensOn } from './trade.ts'

const LISTS = { chains: z.array(Chain).parse(SCENE_CHAINS), tokens: z.array(ListedToken).parse(SCENE_TOKENS) }

test('typed amounts become base units exactly, or a sentence', () => {
  for (const [text, decimals, units] of [
    ['25', 6, 25_000_000n],
    ['1,250.5', 6, 1_250_500_000n],
    ['0.000001', 6, 1n],
    ['1.10', 1, 11n],
    ['5.', 0, 5n],
    ['9'.repeat(60), 0, BigInt('9'.repeat(60))],
  ] as const)
    assert.equal(parseAmount(text, decimals), units, text)
  for (const text of ['', 'x', '-1', '1e3', '0', '0.0', '1.0000001', '.5', '1.2.3', 'Infinity'])
    assert.equal(typeof parseAmount(text, 6), 'string', text)
})

test('the first trade pays dollars on one family and receives them on another', () => {
  const trade = firstTrade(LISTS)
  const [from, to] = [trade.fromChain, trade.toChain].map((id) =>
    LISTS.chains.find(({ chainId }) => chainId === id),
  )
  assert.notEqual(from?.chainType, to?.chainType)
  assert.equal(tokensOn(LISTS, trade.fromChain)[0]?.address, trade.fromToken)
})

test('a request is complete, or says what is missing', () => {
  const trade = { ...firstTrade(LISTS), recipient: ' abc ' }
  const request = requestOf(LISTS, trade, '0xsender')
  assert.ok(typeof request !== 'string')
  assert.deepEqual([request.amount, request.recipient], [25_000_000n, 'abc'])
  for (const [change, sender, said] of [
    [{ recipient: '' }, '0x', /receives/],
    [{ amount: 'x' }, '0x', /digits/],
    [{ toChain: trade.fromChain, toToken: trade.fromToken }, '0x', /different/],
    [{ toToken: 'none' }, '0x', /Choose/],
    [{}, undefined, /who pays/],
  ] as const)
    assert.match(String(requestOf(LISTS, { ...trade, ...change }, sender)), said)
})

test('a refusal is said in whole tokens, or in words', () => {
  const [usdc] = LISTS.tokens
  assert.ok(usdc)
  const range = new RfqError('AMOUNT_OUT_OF_RANGE', 'amount 1 is out of range', {
    minimum: '1000000',
    maximum: '250000005630',
    token: usdc.address,
  })
  assert.equal(refusalText(LISTS, range), 'This pair takes 1 to 250,000.00563 USDC at the moment.')
  assert.match(refusalText(LISTS, new RfqError('UNSUPPORTED_ROUTE', 'x', {})), /No backend serves this pair/)
  assert.equal(
    refusalText(LISTS, new RfqError('INVALID_REQUEST', 'recipient is bad', {})),
    'Recipient is bad.',
  )
  assert.match(refusalText(LISTS, new RfqError('RATE_LIMITED', 'x', {})), /cannot be reached/)
})
