import { existsSync, globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, posix } from 'node:path'
import solc from 'solc'
import { z } from 'zod'

const Output = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).default([]),
  contracts: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        abi: z.array(z.unknown()),
        storageLayout: z.unknown(),
        evm: z.object({
          bytecode: z.object({ object: z.string() }),
          deployedBytecode: z.object({
            object: z.string(),
            immutableReferences: z.record(z.string(), z.array(z.object({ start: z.int(), length: z.int() }))),
          }),
        }),
      }),
    ),
  ),
})
type Compiled = z.infer<typeof Output>['contracts'][string][string]
const Complaints = Output.pick({ errors: true })

const require = createRequire(import.meta.url)

/** Every chain that Axelar reaches supports `paris`; some lack the instructions of later versions. */
const settings = {
  optimizer: { enabled: true, runs: 200 },
  evmVersion: 'paris',
  metadata: { bytecodeHash: 'none' },
}

const OUTPUTS = [
  'abi',
  'storageLayout',
  'evm.bytecode.object',
  'evm.deployedBytecode.object',
  'evm.deployedBytecode.immutableReferences',
]

/** Folders whose contracts are compiled by way of Solidity's intermediate language, which saves their users gas. */
const BY_IR = /^(factory|settlers|router)\//

/** The sources of a compiler input, by path from this folder. */
export type Sources = Readonly<Record<string, { readonly content: string }>>

/** The files that a source imports, by the names that the compiler gives them. */
const importsOf = (file: string, content: string): readonly string[] =>
  [...content.matchAll(/^import\s[^"']*["']([^"']+)["']/gm)].map(([, path = '']) =>
    path.startsWith('.') ? posix.join(posix.dirname(file), path) : path,
  )

/** Where an imported file is read: in `node_modules`, or in this folder. */
const placeOf = (file: string): string =>
  file.startsWith('@') ? require.resolve(file) : join(import.meta.dirname, file)

/** Sources with every other file that they import. */
const withImports = (sources: Sources): Sources => {
  const all = { ...sources }
  for (let left = Object.keys(all); left.length > 0; ) {
    const wanted = new Set(left.flatMap((file) => importsOf(file, all[file]?.content ?? '')))
    // The compiler names a file of this folder that is missing.
    left = [...wanted].filter((file) => all[file] === undefined && existsSync(placeOf(file)))
    for (const file of left) all[file] = { content: readFileSync(placeOf(file), 'utf8') }
  }
  return all
}

/** Solc's standard JSON input of sources, as explorers take it to verify a contract. */
const standardInput = (sources: Sources, viaIR: boolean, file = '*') => ({
  language: 'Solidity',
  sources: withImports(sources),
  settings: { ...settings, viaIR, outputSelection: { [file]: { '*': OUTPUTS } } },
})

/**
 * Compiles sources, or the contracts of one file of them. Other files that they import are read from this folder and `node_modules`.
 * Throws with the compiler's messages.
 */
export const compileSources = (
  sources: Sources,
  viaIR: boolean,
  file = '*',
): z.infer<typeof Output>['contracts'] => {
  const input = JSON.stringify(standardInput(sources, viaIR, file))
  const answer: unknown = JSON.parse(solc.compile(input))
  const errors = Complaints.parse(answer).errors.filter((error) => error.severity === 'error')
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  return Output.parse(answer).contracts
}

/** Every Solidity file of this folder and its subfolders. */
export const readSources = (): Sources =>
  Object.fromEntries(
    globSync('**/*.sol', { cwd: import.meta.dirname })
      .map((file) => file.replaceAll('\\', '/'))
      .sort()
      .map((file) => [file, { content: readFileSync(join(import.meta.dirname, file), 'utf8') }]),
  )

/** The code that stands on a chain, with zeros where the constructor puts immutable values, and where these are, in bytes. */
const runtimeOf = ({ object, immutableReferences }: Compiled['evm']['deployedBytecode']) => ({
  code: `0x${object}`,
  immutables: Object.values(immutableReferences)
    .flat()
    .map(({ start, length }) => [start, length])
    .toSorted(([one = 0], [other = 0]) => one - other),
})

/**
 * Compiles every Solidity file of this folder and its subfolders. Returns by its place in the folder of artifacts: the
 * artifact text of each deployable contract; and of the contracts that are deployed on real chains, the runtime code, and
 * the compiler's input, which is the same for all. Throws with the compiler's messages when a source has an error.
 */
export const compileContracts = (): ReadonlyMap<string, string> => {
  const sources = Object.entries(readSources())
  const textOf = (value: unknown): string => `${JSON.stringify(value)}\n`
  const compiled = [true, false].flatMap((viaIR) => {
    const group = sources.filter(([file]) => BY_IR.test(file) === viaIR)
    const contracts = compileSources(Object.fromEntries(group), viaIR)
    return group.flatMap(([file]) =>
      Object.entries(contracts[file] ?? {})
        .filter(([, { evm }]) => evm.bytecode.object !== '')
        .map(([contract, { abi, evm }]) => ({
          name: posix.join(posix.dirname(file), contract),
          artifact: textOf({ abi, bytecode: `0x${evm.bytecode.object}` }),
          runtime: viaIR ? runtimeOf(evm.deployedBytecode) : undefined,
        })),
    )
  })
  const own = Object.fromEntries(sources.filter(([file]) => BY_IR.test(file)))
  const runtimes = compiled.flatMap(({ name, runtime }) => (runtime === undefined ? [] : [[name, runtime]]))
  return new Map([
    ...compiled.map(({ name, artifact }): [string, string] => [name, artifact]),
    ['verification/runtime-code', textOf(Object.fromEntries(runtimes))],
    ['verification/standard-input', textOf(standardInput(own, true))],
  ])
}
