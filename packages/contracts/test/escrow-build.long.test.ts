import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { ESCROW_PROGRAM } from '@openrfq/sandbox/test/escrow-programs.ts'
import { compileProgram, compilerVersion } from '../solana/compile-program.ts'

const SOURCE = join(import.meta.dirname, '../solana')
const skip = compilerVersion() === undefined && 'clang-19 is not installed'

let work: string
before(() => {
  work = mkdtempSync(join(tmpdir(), 'openrfq-build-'))
})
after(() => rmSync(work, { recursive: true, force: true }))

test('the committed program equals a fresh build of the committed source, from any folder', { skip }, () => {
  const committed = Buffer.from(ESCROW_PROGRAM)
  assert.ok(committed.equals(compileProgram()), 'run `npm run artifacts`, and commit the program')
  cpSync(SOURCE, work, { recursive: true })
  assert.ok(committed.equals(compileProgram(work, ['-g'])))
})

const CALL = 'unsigned long long entrypoint(unsigned char *input)'

/** Sources that the compiler takes, with the error of the linker and options. */
const REFUSED: readonly (readonly [string, RegExp, (readonly string[])?])[] = [
  [`static int calls; ${CALL} { calls += input[0]; return calls; }`, /variables outside of functions/],
  [`int calls = 7; ${CALL} { calls += input[0]; return calls; }`, /variables outside of functions/],
  [`extern int elsewhere(void); ${CALL} { return elsewhere() + input[0]; }`, /nothing defines elsewhere/],
  [
    `${CALL} { return ((unsigned long long (*)(unsigned char *))0x12345678)(input); }`,
    /an unknown system call/,
  ],
  [`${CALL} { return __sync_fetch_and_add((unsigned *)input, 1u); }`, /an atomic operation|fetch_and_add/],
  [`unsigned long long start(unsigned char *input) { return *input; }`, /a function named entrypoint/],
  [`${CALL} { return *(unsigned *)input * 3u + 5u; }`, /32-bit arithmetic/, ['-mcpu=v3']],
]

test('the linker refuses what the machine does not have, or understands in another way', { skip }, () => {
  writeFileSync(join(work, 'syscalls.h'), '')
  for (const [source, expected, options] of REFUSED) {
    writeFileSync(join(work, 'escrow.c'), source)
    assert.throws(() => compileProgram(work, options), expected, source)
  }
  writeFileSync(join(work, 'escrow.c'), `${CALL} { return *(unsigned *)input * 3u + 5u; }`)
  assert.ok(compileProgram(work).length > 0)
})
