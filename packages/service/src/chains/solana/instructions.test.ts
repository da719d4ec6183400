import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Address,
  address,
  createNoopSigner,
  getAddressDecoder,
  getBase58Decoder,
  type Instruction,
  isOffCurveAddress,
} from '@solana/kit'
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget'
import { getAddMemoInstruction } from '@solana-program/memo'
import { getTransferSolInstruction } from '@solana-program/system'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token'
import fc from 'fast-check'
import { plain, toKit } from '../../../test/kit-instruction.ts'
import { solanaPayment } from '../../../test/solana-payment.ts'
import { SOLANA_NATIVE_TOKEN } from './address.ts'
import { decodeBase58, encodeBase58 } from './base58.ts'
import { isOnCurve } from './curve.ts'
import { parseExactJson } from './exact-json.ts'
import { openTokenAccount } from './instructions.ts'
import { paymentFeeAt, unitPriceOf } from './payment-fee.ts'
import { PROGRAMS, programOf, type SolanaMint } from './programs.ts'

const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => getAddressDecoder().decode(bytes))
const amounts = fc.bigInt(1n, (1n << 64n) - 1n)
const prices = fc.bigInt(0n, 10_000_000n)
const NATIVE: SolanaMint = { address: SOLANA_NATIVE_TOKEN, decimals: 9 }
const mints = fc.record({
  address: key,
  decimals: fc.nat(18),
  splProgram: fc.constantFrom('token' as const, 'token-2022' as const, undefined),
})
const memos = fc.string({ unit: 'grapheme', maxLength: 40 })

/** The instructions of a payment by the programs' own clients. */
const ownInstructions = async (
  from: string,
  to: string,
  { token, amount, memo }: { token: SolanaMint; amount: bigint; memo: string },
): Promise<readonly Instruction[]> => {
  const [authority, destination] = [createNoopSigner(address(from)), address(to)]
  const tokenProgram = address(programOf(token))
  const mint = address(token.address)
  const ataOf = async (owner: string): Promise<Address> =>
    (await findAssociatedTokenPda({ owner: address(owner), mint, tokenProgram }))[0]
  return [
    getSetComputeUnitLimitInstruction({ units: 40_000 }),
    getSetComputeUnitPriceInstruction({ microLamports: 10_000n }),
    token.address === SOLANA_NATIVE_TOKEN
      ? getTransferSolInstruction({ source: authority, destination, amount })
      : getTransferCheckedInstruction(
          {
            source: await ataOf(from),
            mint,
            destination: await ataOf(to),
            authority,
            amount,
            decimals: token.decimals,
          },
          { programAddress: tokenProgram },
        ),
    getAddMemoInstruction({ memo, signers: [authority] }, { programAddress: address(PROGRAMS.memo) }),
  ]
}

test('the instructions of a payment equal those of the program clients', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.constant(NATIVE), mints),
      fc.record({ from: key, to: key, amount: amounts, memo: memos }),
      async (token, { from, to, amount, memo }) => {
        const { instructions } = solanaPayment({ token, from, to, amount, memo })
        const own = await ownInstructions(from, to, { token, amount, memo })
        assert.deepEqual(instructions.map(toKit).map(plain), own.map(plain))
      },
    ),
    { numRuns: 60 },
  )
})

test('rejects amounts above 64 bits', () => {
  const [from, to] = [PROGRAMS.memo, PROGRAMS.memoV1]
  for (const token of [NATIVE, { address: PROGRAMS.token, decimals: 6 }])
    for (const amount of [0n, -1n, 1n << 64n])
      assert.throws(() => solanaPayment({ from, to, token, amount, memo: '' }), RangeError)
})

test('the unit price derived from a payment fee never costs more than the fee', () => {
  fc.assert(
    fc.property(prices, (price) => {
      const found = unitPriceOf(paymentFeeAt(price))
      assert.ok(found >= price)
      assert.equal(paymentFeeAt(found), paymentFeeAt(price))
    }),
  )
})

test('associated accounts, the curve and base58 agree with the libraries', async () => {
  await fc.assert(
    fc.asyncProperty(key, key, mints, async (payer, owner, mint) => {
      const [ata] = await findAssociatedTokenPda({
        owner,
        mint: mint.address,
        tokenProgram: address(programOf(mint)),
      })
      const theirs = getCreateAssociatedTokenIdempotentInstruction({
        payer: createNoopSigner(payer),
        ata,
        owner,
        mint: mint.address,
        tokenProgram: address(programOf(mint)),
      })
      assert.deepEqual(plain(toKit(openTokenAccount(payer, owner, mint))), plain(theirs))
      const bytes = decodeBase58(owner)
      assert.ok(bytes !== undefined)
      assert.equal(isOnCurve(bytes), !isOffCurveAddress(owner))
    }),
    { numRuns: 60 },
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.nat(5), (bytes, zeroes) => {
      const padded = Uint8Array.from([...Array<number>(zeroes).fill(0), ...bytes])
      const text = encodeBase58(padded)
      assert.equal(text, getBase58Decoder().decode(padded))
      assert.deepEqual(Uint8Array.from(decodeBase58(text) ?? []), padded)
    }),
  )
  for (const text of ['0', 'O', 'l', 'I', ' 1', '1é']) assert.equal(decodeBase58(text), undefined)
})

test('reads integers above 2^53 exactly', () => {
  const text = '{"a":18446744073709551615,"b":9007199254740991,"c":1.5,"d":"9007199254740993","e":1e300}'
  assert.deepEqual(parseExactJson(text), {
    a: 18446744073709551615n,
    b: 9007199254740991,
    c: 1.5,
    d: '9007199254740993',
    e: 1e300,
  })
})
