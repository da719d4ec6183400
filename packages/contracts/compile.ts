import { globSync, readFileSync } from 'node:fs'
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
        evm: z.object({ bytecode: z.object({ object: z.string() }) }),
      }),
    ),
  ),
})
const Complaints = Output.pick({ errors: true })

const require = createRequire(import.meta.url)

const readImport = (path: string): { contents: string } | { error: string } => {
  try {
    return { contents: readFileSync(require.resolve(path), 'utf8') }
  } catch (cause) {
    return { error: `cannot read ${path}: ${String(cause)}` }
  }
}

/** Every chain that Axelar reaches supports `paris`; some lack the instructions of later versions. */
const settings = {
  optimizer: { enabled: true, runs: 200 },
  evmVersion: 'paris',
  metadata: { bytecodeHash: 'none' },
}

const OUTPUTS = ['abi', 'storageLayout', 'evm.bytecode.object']

/** Folders whose contracts are compiled by way of Solidity's intermediate language, which saves their users gas. */
const BY_IR = /^(factory|settlers|router)\//

/** The sources of a compiler input, by path from this folder. */
export type Sources = Readonly<Record<string, { readonly content: string }>>

/** Solc's standard JSON input of sources, as explorers take it to verify a contract. */
const standardInput = (sources: Sources, viaIR: boolean, file = '*') => ({
  language: 'Solidity',
  sources,
  settings: { ...settings, viaIR, outputSelection: { [file]: { '*': OUTPUTS } } },
})

/**
 * Compiles sources, or the contracts of one file of them; imports of packages are read from `node_modules`. Throws with
 * the compiler's messages.
 */
export const compileSources = (
  sources: Sources,
  viaIR: boolean,
  file = '*',
): z.infer<typeof Output>['contracts'] => {
  const input = JSON.stringify(standardInput(sources, viaIR, file))
  const answer: unknown = JSON.parse(solc.compile(input, { import: readImport }))
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

/**
 * Compiles every Solidity file of this folder and its subfolders. Returns the artifact text of each deployable
 * contract, by its source folder and name. Throws with the compiler's messages when a source has an error.
 */
export const compileContracts = (): ReadonlyMap<string, string> => {
  const sources = Object.entries(readSources())
  const artifacts = [true, false].flatMap((viaIR) => {
    const group = sources.filter(([file]) => BY_IR.test(file) === viaIR)
    const contracts = compileSources(Object.fromEntries(group), viaIR)
    return group.flatMap(([file]) =>
      Object.entries(contracts[file] ?? {})
        .filter(([, { evm }]) => evm.bytecode.object !== '')
        .map(([contract, { abi, evm }]): [string, string] => [
          posix.join(posix.dirname(file), contract),
          `${JSON.stringify({ abi, bytecode: `0x${evm.bytecode.object}` })}\n`,
        ]),
    )
  })
  return new Map(artifacts)
}
