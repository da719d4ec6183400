import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Account, Asset, Keypair, MuxedAccount, Networks, StrKey } from '@stellar/stellar-sdk'
import fc from 'fast-check'
import { stellarRulesOf } from './address.ts'
import { contractIdOf } from './asset-contract.ts'
import { stellarDeposit } from './deposit.ts'
import { accountBehind, muxedAddress } from './muxed-account.ts'
import { accountOfSecret } from './secret-account.ts'

const { parseToken, parseSender, parseRecipient, nativeToken } = stellarRulesOf([])
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

test('accepts contracts as tokens, accounts as senders, and also muxed accounts as recipients', () => {
  fc.assert(fc.property(strKey, agrees))
})

test('agrees with the Stellar SDK on addresses with one character changed, added or missing', () => {
  const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567ghi01=']
  const edit = fc.tuple(strKey, fc.nat(69), fc.constantFrom('', ...alphabet), fc.nat(1))
  fc.assert(
    fc.property(edit, ([text, position, character, removed]) => {
      agrees(text.slice(0, position) + character + text.slice(position + removed))
    }),
    { numRuns: 2_000 },
  )
})

test('other kinds of keys and other texts are not addresses', () => {
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

test('the native asset of any configured network follows from its passphrase', () => {
  const passphrase = 'Somebody else ; 2026'
  const rules = stellarRulesOf([
    { chainId: 'stellar:own', passphrase },
    { chainId: 'stellar:pubnet', passphrase: Networks.PUBLIC },
    { chainId: 'stellar:silent' },
  ])
  assert.equal(rules.nativeToken('stellar:own'), Asset.native().contractId(passphrase))
  assert.equal(rules.nativeToken('stellar:pubnet'), nativeToken('stellar:pubnet'))
  assert.equal(rules.nativeToken('stellar:testnet'), nativeToken('stellar:testnet'))
  assert.equal(rules.nativeToken('stellar:silent'), undefined)
  assert.throws(() => stellarRulesOf([{ chainId: 'stellar:pubnet', passphrase }]), /not that of the network/)
})

const account = bytes(32).map((value) => StrKey.encodeEd25519PublicKey(value))
const muxedId = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })

test("an asset's contract is the one that the Stellar SDK derives", () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789']
  const code = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(code, account, fc.string(), (name, issuer, passphrase) => {
      const expected = new Asset(name, issuer).contractId(passphrase)
      assert.equal(contractIdOf({ code: name, issuer }, passphrase), expected)
    }),
  )
  assert.throws(() => contractIdOf({ code: 'USDC', issuer: 'G' }, ''), RangeError)
})

test("a deposit's payload holds the exact amount, the token, and an address with vault and id", () => {
  fc.assert(
    fc.property(account, muxedId, (vault, id) => {
      const expected = new MuxedAccount(new Account(vault, '0'), id.toString()).accountId()
      assert.deepEqual(stellarDeposit({ vault, id, token: 'C', amount: 5n }), {
        type: 'deposit_address',
        address: expected,
        amount: '5',
        token: 'C',
      })
      assert.deepEqual(accountBehind(expected), { account: vault, muxedId: id })
      assert.deepEqual(accountBehind(vault), { account: vault, muxedId: undefined })
      assert.equal(parseRecipient(expected), expected)
    }),
  )
  const vault = Keypair.random().publicKey()
  for (const id of [-1n, 2n ** 64n]) assert.throws(() => muxedAddress(vault, id), RangeError)
  assert.throws(() => muxedAddress(muxedAddress(vault, 1n), 1n), RangeError)
  assert.equal(accountBehind(contractIdOf('native', '')), undefined)
})

test('derives the same account from a secret as the Stellar SDK, and no error repeats a secret', () => {
  fc.assert(
    fc.property(bytes(32), (seed) => {
      const keypair = Keypair.fromRawEd25519Seed(seed)
      assert.equal(accountOfSecret(keypair.secret()), keypair.publicKey())
      agrees(keypair.secret())
    }),
    { numRuns: 20 },
  )
  const wrong = `${Keypair.random().secret().slice(0, -1)}1`
  assert.throws(
    () => accountOfSecret(wrong),
    (error: Error) => error instanceof RangeError && !error.message.includes(wrong),
  )
})
