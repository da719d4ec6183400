import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amountText, type Catalogue, feeText, findToken } from './catalogue.ts'

const token = (chainId: string, address: string, symbol: string) => ({
  chainId,
  address,
  symbol,
  name: symbol,
  decimals: 6,
  verified: true,
  backends: [],
})

const CATALOGUE: Catalogue = {
  chains: ['eip155:1', 'eip155:2'].map((chainId) => ({
    chainId,
    chainLabel: chainId,
    chainType: 'evm',
    nativeToken: { symbol: 'ETH', decimals: 18 },
  })),
  tokens: [
    token('eip155:1', '0xAbC1', 'USDC'),
    token('eip155:2', '0xAbC2', 'USDC'),
    token('eip155:2', '0xAbC3', 'TWIN'),
    token('eip155:2', '0xAbC4', 'TWIN'),
  ],
}

test('finds a token by its symbol in any case or by its address, on its own chain', () => {
  assert.equal(findToken(CATALOGUE, 'eip155:1', 'usdc').address, '0xAbC1')
  assert.equal(findToken(CATALOGUE, 'eip155:2', 'USDC').address, '0xAbC2')
  assert.equal(findToken(CATALOGUE, 'eip155:2', '0xabc4').address, '0xAbC4')
})

test('a symbol of several tokens is an error that lists their addresses', () => {
  assert.throws(() => findToken(CATALOGUE, 'eip155:2', 'TWIN'), {
    name: 'UsageError',
    message: /0xAbC3, 0xAbC4/,
  })
})

test("unlisted chains and tokens throw the interface's error codes", () => {
  assert.throws(() => findToken(CATALOGUE, 'eip155:9', 'USDC'), { code: 'UNSUPPORTED_CHAIN' })
  assert.throws(() => findToken(CATALOGUE, 'eip155:1', 'TWIN'), {
    code: 'UNSUPPORTED_TOKEN',
    message: /USDC/,
  })
  assert.throws(() => findToken(CATALOGUE, 'eip155:1', '0xAbC2'), { code: 'UNSUPPORTED_TOKEN' })
})

test('says that a service without chains serves none, and where to see why', () => {
  assert.throws(() => findToken({ chains: [], tokens: [] }, 'eip155:1', 'USDC'), {
    code: 'UNSUPPORTED_CHAIN',
    message:
      'chain "eip155:1" is not served; the service serves no chain at the moment; /readyz says what is missing',
  })
})

test('formats an amount in whole tokens beside its base units', () => {
  const shown = { chain: 'eip155:1', token: '0xabc1', amount: '1500000' }
  assert.equal(amountText(CATALOGUE, shown), '1.5 USDC (1500000)')
  assert.equal(amountText(CATALOGUE, { ...shown, token: '0xdead' }), '1500000 base units of 0xdead')
})

test('formats a fee in the native asset with its decimals', () => {
  const fee = {
    amount: '2500000000000000',
    amountUsdApprox: '7.50',
    token: { chain: 'eip155:1', symbol: 'ETH', type: 'native' },
    paymentMethod: 'tx_value',
    quoteTreatment: 'outside_quote',
  } as const
  assert.equal(feeText(CATALOGUE, fee), '0.0025 ETH (2500000000000000), about $7.50, on top')
  assert.match(
    feeText(CATALOGUE, { ...fee, quoteTreatment: 'included_in_quote' }),
    /, already in the quoted amounts$/,
  )
})
