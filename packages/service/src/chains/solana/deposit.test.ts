import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  generateKeyPairSigner,
  getAddressDecoder,
  getBase58Decoder,
  getTransactionSize,
  type Instruction,
  isOffCurveAddress,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
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
import { SOLANA_NATIVE_TOKEN } from './address.ts'
import { decodeBase58, encodeBase58 } from './base58.ts'
import { isOnCurve } from './curve.ts'
import { solanaDeposit } from './deposit.ts'
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

const compiled = (payer: Address, instructions: readonly Instruction[]) =>
  compileTransaction(
    pipe(
      createTransactionMessage({ version: 0 }),
      (empty) => setTransactionMessageFeePayer(payer, empty),
      (paid) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: blockhash(PROGRAMS.memo), lastValidBlockHeight: 1n },
          paid,
        ),
      (timed) => appendTransactionMessageInstructions(instructions, timed),
    ),
  )

const ownInstructions = async (
  deposit: Parameters<typeof solanaDeposit>[0],
): Promise<readonly Instruction[]> => {
  const [authority, destination] = [createNoopSigner(address(deposit.sender)), address(deposit.vault)]
  const tokenProgram = address(programOf(deposit.token))
  const mint = address(deposit.token.address)
  const ataOf = async (owner: string): Promise<Address> =>
    (await findAssociatedTokenPda({ owner: address(owner), mint, tokenProgram }))[0]
  const isNative = deposit.token.address === SOLANA_NATIVE_TOKEN
  return [
    getSetComputeUnitLimitInstruction({ units: isNative ? 30_000 : 40_000 }),
    getSetComputeUnitPriceInstruction({ microLamports: unitPriceOf(deposit.paymentFee) }),
    isNative
      ? getTransferSolInstruction({ source: authority, destination, amount: deposit.amount })
      : getTransferCheckedInstruction(
          {
            source: await ataOf(deposit.sender),
            mint,
            destination: await ataOf(deposit.vault),
            authority,
            amount: deposit.amount,
            decimals: deposit.token.decimals,
          },
          { programAddress: tokenProgram },
        ),
    getAddMemoInstruction(
      { memo: deposit.memo, signers: [authority] },
      { programAddress: address(PROGRAMS.memo) },
    ),
  ]
}

test('the instructions of a deposit equal those of the program clients', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.constant(NATIVE), mints),
      fc.record({ sender: key, vault: key, amount: amounts, memo: memos, price: prices }),
      async (token, { sender, vault, amount, memo, price }) => {
        const deposit = { token, sender, vault, amount, memo, paymentFee: paymentFeeAt(price) }
        const { payload } = solanaDeposit(deposit)
        assert.deepEqual(
          payload.instructions.map(toKit).map(plain),
          (await ownInstructions(deposit)).map(plain),
        )
        assert.deepEqual(payload.addressLookupTableAddresses, [])
      },
    ),
    { numRuns: 60 },
  )
})

test("a deposit with the longest memo fits one transaction and needs only its sender's signature", async () => {
  const [{ address: sender }, { address: vault }] = await Promise.all([
    generateKeyPairSigner(),
    generateKeyPairSigner(),
  ])
  const memo = `quote_${'a'.repeat(26)} 0x${'b'.repeat(64)}`
  for (const token of [NATIVE, { address: vault, decimals: 6 }]) {
    const { payload, gasFee } = solanaDeposit({ sender, vault, token, amount: 1n, memo, paymentFee: 6_200n })
    const transaction = compiled(sender, payload.instructions.map(toKit))
    assert.ok(getTransactionSize(transaction) < 600)
    assert.deepEqual(Object.keys(transaction.signatures), [sender])
    assert.ok(gasFee > 5_000n && gasFee <= 6_200n)
  }
})

test('rejects amounts above 64 bits', () => {
  const [sender, vault] = [PROGRAMS.memo, PROGRAMS.memoV1]
  for (const token of [NATIVE, { address: PROGRAMS.token, decimals: 6 }])
    for (const amount of [0n, -1n, 1n << 64n])
      assert.throws(
        () => solanaDeposit({ sender, vault, token, amount, memo: '', paymentFee: 5_000n }),
        RangeError,
      )
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
