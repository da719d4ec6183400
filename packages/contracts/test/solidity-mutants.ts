import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Chain } from '@openrfq/sandbox/test/chain-calls.ts'
import fc from 'fast-check'
import { openSoak, type Soak } from 'openrfq/test/soak.ts'
import type { Hex } from 'viem'
import { compileSources, readSources } from '../compile.ts'

/** A change of a contract's source: a text that occurs once in a file, and what replaces it. */
export type Mutant = {
  readonly name: string
  readonly file: string
  readonly from: string
  readonly to: string
}

/** Mutants of one file, as rows of name, text and replacement. */
export const mutantsOf =
  (file: string) =>
  (rows: readonly (readonly [name: string, from: string, to: string])[]): readonly Mutant[] =>
    rows.map(([name, from, to]) => ({ name, file, from, to }))

/** All mutants in a whole soak, and in a part of one as many as its share, chosen by its seed. */
const chooseMutants = (mutants: readonly Mutant[], { seed, of }: Soak): readonly Mutant[] => {
  const count = of(mutants.length)
  const choice = fc.shuffledSubarray([...mutants], { minLength: count, maxLength: count })
  return fc.sample(choice, { seed, numRuns: 1 }).flat()
}

/**
 * The creation code of a contract of a changed source. Compiled without the intermediate language, which is faster and
 * means the same. Throws unless the text occurs exactly once and the source compiles.
 */
const compileMutant = (contractFile: string, contract: string, { file, from, to }: Mutant): Hex => {
  const sources = readSources()
  const parts = (sources[file]?.content ?? '').split(from)
  assert.equal(parts.length, 2, `the text of the mutant occurs ${parts.length - 1} times in ${file}`)
  const own = Object.entries(sources).filter(([path]) => /^(factory|settlers|router)\//.test(path))
  const changed = { ...Object.fromEntries(own), [file]: { content: parts.join(to) } }
  const compiled = compileSources(changed, false, contractFile)[contractFile]?.[contract]
  assert.ok(compiled)
  return `0x${compiled.evm.bytecode.object}`
}

type Cases<World> = readonly {
  readonly name: string
  readonly run: (world: World, note: () => void) => Promise<void>
}[]

/**
 * The first case that fails in a new world, by name; undefined when none does. Leaves the chains as they were, because a
 * case that fails may leave a token that misbehaves.
 */
export const findFailure = async <World>(
  chains: readonly Pick<Chain, 'rpc'>[],
  open: () => Promise<World>,
  cases: Cases<World>,
): Promise<string | undefined> => {
  const states = await Promise.all(chains.map((chain) => chain.rpc('evm_snapshot')))
  const failure = await firstFailure(await open(), cases)
  await Promise.all(chains.map((chain, index) => chain.rpc('evm_revert', states[index])))
  return failure
}

const firstFailure = async <World>(world: World, cases: Cases<World>): Promise<string | undefined> => {
  for (const { name, run } of cases) {
    try {
      await run(world, () => undefined)
    } catch {
      return name
    }
  }
  return undefined
}

type MutantSoak = {
  /** The contract in the names of the tests. */
  readonly subject: string
  readonly file: string
  readonly contract: string
  readonly mutants: readonly Mutant[]
  /** The creation code of the unchanged contract. */
  readonly unchanged: Hex
  /** The first case that fails with this creation code; undefined when none does. */
  readonly failureOf: (code: Hex) => Promise<string | undefined>
}

/** Tests that a case fails for each mutant that the soak chooses, and none for the unchanged contract after them. */
export const testMutants = ({ subject, file, contract, mutants, unchanged, failureOf }: MutantSoak): void => {
  for (const mutant of chooseMutants(mutants, openSoak()))
    test(`a changed ${subject} is caught: ${mutant.name}`, async (t) => {
      const failure = await failureOf(compileMutant(file, contract, mutant))
      assert.ok(failure !== undefined, 'no case notices')
      t.diagnostic(failure)
    })

  test(`the unchanged ${subject} passes every case, also after the changed ones`, async () => {
    assert.equal(await failureOf(unchanged), undefined)
  })
}
