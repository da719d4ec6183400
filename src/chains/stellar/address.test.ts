import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Asset, Networks, StrKey } from '@stellar/stellar-sdk'
import fc from 'fast-check'
import { stellarAddressRules } from './address.ts'

const { parseToken, parseSender, parseRecipient, nativeToken } = stellarAddressRules
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const strKey = fc.oneof(
  bytes(32).map((value) => StrKey.encodeEd25519PublicKey(value)),
  bytes(32).map((value) => StrKey.encodeContract(value)),
  bytes(40).map((value) => StrKey.encodeMed25519PublicKey(value)),
)

const isToken = (text: string): boolean => StrKey.isValidContract(text)
const isSender = (text: string): boolean => StrKey.isValidEd25519PublicKey(text)
const isRecipient = (text: string): boolean =>
  isToken(text) || isSender(text) || StrKey.isValidMed25519PublicKey(text)

const agrees = (text: string): void => {
  assert.equal(parseToken(text), isToken(text) ? text : undefined)
  assert.equal(parseSender(text), isSender(text) ? text : undefined)
  assert.equal(parseRecipient(text), isRecipient(text) ? text : undefined)
}

test('takes contracts as tokens, accounts as senders, and muxed accounts too as recipients', () => {
  fc.assert(fc.property(strKey, agrees))
})

test('agrees with the Stellar SDK when one character is changed, added or missing', () => {
  const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567ghi01=']
  const edit = fc.tuple(strKey, fc.nat(69), fc.constantFrom('', ...alphabet), fc.nat(1))
  fc.assert(
    fc.property(edit, ([text, position, character, removed]) => {
      agrees(text.slice(0, position) + character + text.slice(position + removed))
    }),
    { numRuns: 2_000 },
  )
})

test('other kinds of keys and other texts are no addresses', () => {
  for (const text of [
    '',
    StrKey.encodeEd25519SecretSeed(new Uint8Array(32)),
    StrKey.encodePreAuthTx(new Uint8Array(32)),
  ])
    agrees(text)
  fc.assert(fc.property(fc.string({ maxLength: 70 }), agrees))
})

test('native XLM is the contract of the native asset on its network', () => {
  assert.equal(nativeToken('stellar:pubnet'), Asset.native().contractId(Networks.PUBLIC))
  assert.equal(nativeToken('stellar:testnet'), Asset.native().contractId(Networks.TESTNET))
  assert.equal(nativeToken('stellar:unheard-of'), undefined)
})
