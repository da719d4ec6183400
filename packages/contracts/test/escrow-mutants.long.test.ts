import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { compileProgram, compilerVersion } from '../solana/compile-program.ts'
import { tryCheat } from './escrow-cheat.ts'
import { CHEATS } from './escrow-cheats.ts'
import { MUTANTS, type Mutant } from './escrow-mutants.ts'

const SOURCE = join(import.meta.dirname, '../solana')
const skip = compilerVersion() === undefined && 'clang-19 is not installed'

let work: string
before(() => {
  work = mkdtempSync(join(tmpdir(), 'openrfq-mutants-'))
})
after(() => rmSync(work, { recursive: true, force: true }))

const compileMutant = ({ file, from, to }: Mutant): Uint8Array => {
  cpSync(SOURCE, work, { recursive: true })
  const parts = readFileSync(join(SOURCE, file), 'utf8').split(from)
  assert.equal(parts.length, 2, `the text of the mutant occurs ${parts.length - 1} times in ${file}`)
  writeFileSync(join(work, file), parts.join(to))
  return compileProgram(work, ['-Wno-unused', '-Wno-unused-parameter'])
}

/** Most mutants fail with one kind of order as with every other, so those of one kind come first. */
const FIRST = /\(SPL\)$|[^)]$/
const ORDERED = CHEATS.toSorted((a, b) => Number(FIRST.test(b.name)) - Number(FIRST.test(a.name)))

/** The first cheat that this program does not stand; undefined when it stands all. */
const findFailure = async (program: Uint8Array): Promise<string | undefined> => {
  for (const cheat of ORDERED) {
    try {
      await tryCheat(program, cheat)
    } catch {
      return cheat.name
    }
  }
  return undefined
}

for (const mutant of MUTANTS)
  test(`a changed program is caught: ${mutant.name}`, { skip }, async (t) => {
    const failure = await findFailure(compileMutant(mutant))
    assert.ok(failure !== undefined, 'no cheat notices')
    t.diagnostic(failure)
  })
