import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Chain } from './chain.ts'
import { Token } from './token.ts'

const ADDRESSES: readonly (readonly [text: string, isTaken: boolean])[] = [
  ['https://etherscan.io', true],
  ['http://localhost:5100', true],
  ['http://127.0.0.1/logo.svg', true],
  ['http://etherscan.io', false],
  ['javascript:alert(1)', false],
  ['data:image/svg+xml,<svg/>', false],
  ['ftp://localhost/logo.svg', false],
  ['http://localhost.evil.example', false],
  ['no address', false],
]

test('pictures and explorers are https addresses, or http addresses of this machine', () => {
  for (const [text, isTaken] of ADDRESSES) {
    assert.equal(Token.shape.logoUrl.safeParse(text).success, isTaken, text)
    assert.equal(Chain.shape.logoUrl.safeParse(text).success, isTaken, text)
    assert.equal(Chain.shape.explorerUrl.safeParse(text).success, isTaken, text)
  }
})
