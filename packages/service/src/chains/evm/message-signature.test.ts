import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Hex, hashMessage, recoverAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { isSignedBy } from './message-signature.ts'

const key = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)
  .filter((hex) => BigInt(hex) > 0n && BigInt(hex) < 2n ** 255n)
const text = fc.string({ unit: 'binary', maxLength: 200 })

/** Whether viem accepts the signature. */
const isSignedByViem = async (signed: string, signature: Hex, address: string): Promise<boolean> => {
  try {
    return (await recoverAddress({ hash: hashMessage(signed), signature })) === address
  } catch {
    return false
  }
}

test('accepts the signature of a wallet for its address in any case, and for no other', async () => {
  await fc.assert(
    fc.asyncProperty(key, key, text, async (own, foreign, signed) => {
      const account = privateKeyToAccount(own)
      const signature = await account.signMessage({ message: signed })
      assert.ok(isSignedBy(signed, signature, account.address))
      assert.ok(isSignedBy(signed, `0x${signature.slice(2).toUpperCase()}`, account.address.toLowerCase()))
      assert.ok(!isSignedBy(`${signed}.`, signature, account.address))
      if (own !== foreign) assert.ok(!isSignedBy(signed, signature, privateKeyToAccount(foreign).address))
    }),
    { numRuns: 20 },
  )
})

const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'

test('judges a changed signature as viem does', async () => {
  const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
  const signature = (await account.signMessage({ message: 'quotes' })).slice(2)
  const [r, s, v] = [signature.slice(0, 64), signature.slice(64, 128), signature.slice(128)]
  const zero = '00'.repeat(32)
  const otherS = (BigInt(`0x${ORDER}`) - BigInt(`0x${s}`)).toString(16).padStart(64, '0')
  const otherV = v === '1b' ? '1c' : '1b'
  const changed = [
    r + s + (v === '1b' ? '00' : '01'),
    r + s + (v === '1b' ? '01' : '00'),
    r + s + otherV,
    r + otherS + otherV,
    r + otherS + v,
    ...[zero, ORDER, 'f'.repeat(64)].flatMap((number) => [number + s + v, r + number + v]),
  ]
  for (const digits of changed) {
    const expected = await isSignedByViem('quotes', `0x${digits}`, account.address)
    assert.equal(isSignedBy('quotes', `0x${digits}`, account.address), expected, digits)
  }
})

test('rejects text that is not a signature', () => {
  const { address } = privateKeyToAccount(`0x${'11'.repeat(32)}`)
  const digits = '11'.repeat(64)
  for (const signature of [
    '',
    '0x',
    `0x${digits}`,
    `0x${digits}1b1b`,
    `0x${digits}1d`,
    `0x${'zz'.repeat(64)}1b`,
  ])
    assert.equal(isSignedBy('quotes', signature, address), false, signature)
})
