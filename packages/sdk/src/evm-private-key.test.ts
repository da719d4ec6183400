import assert from 'node:assert/strict'
import { test } from 'node:test'
import { privateKeyToAccount } from 'viem/accounts'
import { isEvmPrivateKey } from './evm-private-key.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const keyText = (value: bigint): `0x${string}` => `0x${value.toString(16).padStart(64, '0')}`

test("accepts exactly the numbers from 1 to the curve's order minus 1", () => {
  for (const value of [1n, 2n, ORDER / 2n, ORDER - 1n]) {
    assert.ok(isEvmPrivateKey(keyText(value)), `${value}`)
    assert.ok(
      isEvmPrivateKey(`0x${keyText(value).slice(2).toUpperCase()}`),
      `${value} is accepted in capitals`,
    )
    assert.doesNotThrow(() => privateKeyToAccount(keyText(value)))
  }
  for (const value of [0n, ORDER, ORDER + 1n, 2n ** 256n - 1n]) {
    assert.ok(!isEvmPrivateKey(keyText(value)), `${value}`)
    assert.throws(() => privateKeyToAccount(keyText(value)))
  }
  const digits = '5'.repeat(64)
  for (const text of [
    '',
    '0x',
    digits,
    `0X${digits}`,
    `0x${digits}5`,
    `0x${digits.slice(1)}`,
    `0x${digits}\n`,
  ])
    assert.ok(!isEvmPrivateKey(text), text)
})
