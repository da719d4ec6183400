import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { AccountRole, type Instruction } from '@solana/kit'
import { z } from 'zod'
import { murmur3 } from '../solana/murmur3.ts'
import { decodeEscrowAccount, ESCROW_ACCOUNT_BYTES } from '../src/solana/escrow-account.ts'
import { escrowErrorOf } from '../src/solana/escrow-error.ts'
import { escrowOf } from './escrow-order.ts'

const FOLDER = join(import.meta.dirname, '../solana')
const textOf = (file: string): string => readFileSync(join(FOLDER, file), 'utf8')

const Field = z.object({
  name: z.string(),
  type: z.union([z.string(), z.object({ array: z.tuple([z.literal('u8'), z.number()]) })]),
})
const Idl = z.object({
  instructions: z.array(
    z.object({
      name: z.string(),
      discriminator: z.array(z.number()),
      accounts: z.array(
        z.object({
          name: z.string(),
          writable: z.boolean().default(false),
          signer: z.boolean().default(false),
          optional: z.boolean().default(false),
          address: z.string().optional(),
        }),
      ),
      args: z.array(Field),
    }),
  ),
  errors: z.array(z.object({ code: z.number(), name: z.string(), msg: z.string() })),
  types: z.array(z.object({ type: z.object({ fields: z.array(Field) }) })),
})
const idl = Idl.parse(JSON.parse(textOf('escrow.idl.json')))

const SIZES: Readonly<Record<string, number>> = { u8: 1, u32: 4, u64: 8, pubkey: 32 }

const sizeOf = (fields: readonly z.infer<typeof Field>[]): number =>
  fields.reduce((sum, { type }) => sum + (typeof type === 'string' ? (SIZES[type] ?? NaN) : type.array[1]), 0)

const instructionsOf = async (kind: 'SOL' | 'SPL'): Promise<Readonly<Record<string, Instruction>>> => {
  const { open, release, refund, close } = await escrowOf(kind)
  return { open, release, refund, close }
}

test('the IDL has the accounts, roles and data of the instructions that clients build', async () => {
  for (const kind of ['SOL', 'SPL'] as const)
    for (const [name, { accounts = [], data = new Uint8Array() }] of Object.entries(
      await instructionsOf(kind),
    )) {
      const described = idl.instructions.find((one) => one.name === name)
      assert.ok(described, name)
      assert.deepEqual([...data.subarray(0, 8)], described.discriminator)
      assert.equal(data.length, 8 + sizeOf(described.args), name)
      const expected = described.accounts.filter(({ optional }) => kind === 'SPL' || !optional)
      assert.equal(accounts.length, expected.length, name)
      for (const [index, account] of expected.entries()) {
        const { role, address } = accounts[index] ?? {}
        const isSigner = role === AccountRole.WRITABLE_SIGNER || role === AccountRole.READONLY_SIGNER
        const isWritable = role === AccountRole.WRITABLE_SIGNER || role === AccountRole.WRITABLE
        assert.deepEqual(
          [isWritable, isSigner],
          [account.writable, account.signer],
          `${name} ${account.name}`,
        )
        if (account.address !== undefined) assert.equal(address, account.address)
      }
    }
})

test('the IDL has the layout of an order’s account', () => {
  const [order] = idl.types
  assert.equal(sizeOf(order?.type.fields ?? []), ESCROW_ACCOUNT_BYTES)
  const bytes = Uint8Array.from({ length: ESCROW_ACCOUNT_BYTES }, (_, index) => (index === 0 ? 1 : index))
  const decoded = decodeEscrowAccount(bytes)
  assert.equal(decoded?.status, 'open')
  assert.equal(decoded.attester, '0x0c0d0e0f101112131415161718191a1b1c1d1e1f')
  assert.equal(decoded.openDeadline, 0x07060504)
  assert.equal(decoded.amount, 0x2726252423222120n)
  for (const status of [0, 4, 255])
    assert.equal(decodeEscrowAccount(Uint8Array.of(status, ...bytes.slice(1))), undefined)
  assert.equal(decodeEscrowAccount(bytes.slice(1)), undefined)
  assert.equal(decodeEscrowAccount(new Uint8Array()), undefined)
})

test('the errors of source, IDL, clients and documentation are the same', () => {
  const source = [...textOf('errors.h').matchAll(/ ([A-Z_]+) = (6\d{3}),/g)].map(([, name = '', code]) => [
    Number(code),
    name.toLowerCase().replaceAll(/(^|_)(.)/g, (_, __, letter: string) => letter.toUpperCase()),
  ])
  assert.equal(source.length, 20)
  assert.deepEqual(
    idl.errors.map(({ code, name }) => [code, name]),
    source,
  )
  const documentation = textOf('README.md')
  for (const { code, name, msg } of idl.errors) {
    assert.equal(escrowErrorOf(code), name)
    assert.ok(documentation.includes(`| ${code} | \`${name}\` | ${msg} |`), name)
  }
  assert.equal(escrowErrorOf(1), undefined)
})

test('each system call of the header is the hash of its name', () => {
  const calls = [...textOf('syscalls.h').matchAll(/\(\*const (\w+)\)[^;]*\(void \*\)(0x[0-9a-f]+);/g)]
  assert.equal(calls.length, 6)
  for (const [, name = '', hash] of calls) assert.equal(murmur3(name), Number(hash), name)
})

test('the documented size is the program’s', () => {
  const [, size = ''] = /([\d,]+) bytes: clang/.exec(textOf('README.md')) ?? []
  assert.equal(Number(size.replaceAll(',', '')), readFileSync(join(FOLDER, 'escrow.so')).length)
})
