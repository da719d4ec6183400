import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Account, Keypair, MuxedAccount, StrKey } from '@stellar/stellar-sdk'
import fc from 'fast-check'
import { muxedAccount } from './muxed-account.ts'

const muxed = (account: string, id: bigint): string =>
  new MuxedAccount(new Account(account, '0'), id.toString()).accountId()

test('a muxed address is the account and the memo that the Stellar SDK makes it of', () => {
  const key = fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((bytes) => StrKey.encodeEd25519PublicKey(Buffer.from(bytes)))
  fc.assert(
    fc.property(key, fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (account, id) => {
      const address = muxed(account, id)
      assert.deepEqual(muxedAccount(address), { account, id })
    }),
  )
})

test('no other text, and no muxed address with a wrong letter, is one', () => {
  const account = Keypair.random().publicKey()
  const address = muxed(account, 7n)
  const wrong = address.replace(/(?<=^.{20})./, (letter) => (letter === 'A' ? 'B' : 'A'))
  for (const text of [account, '', 'M', address.slice(1), wrong, `${address}A`, address.toLowerCase()])
    assert.equal(muxedAccount(text), undefined, text)
})
