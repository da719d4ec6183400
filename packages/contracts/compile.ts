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
      z.object({ abi: z.array(z.unknown()), evm: z.object({ bytecode: z.object({ object: z.string() }) }) }),
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
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
}

/**
 * Compiles every Solidity file of this folder and its subfolders. Returns the artifact text of each deployable
 * contract, by its source folder and name. Throws with the compiler's messages when a source has an error.
 */
export const compileContracts = (): ReadonlyMap<string, string> => {
  const files = globSync('**/*.sol', { cwd: import.meta.dirname })
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
  const sources = Object.fromEntries(
    files.map((file) => [file, { content: readFileSync(join(import.meta.dirname, file), 'utf8') }]),
  )
  const input = JSON.stringify({ language: 'Solidity', sources, settings })
  const answer: unknown = JSON.parse(solc.compile(input, { import: readImport }))
  const errors = Complaints.parse(answer).errors.filter((error) => error.severity === 'error')
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  const output = Output.parse(answer)
  const artifacts = files.flatMap((file) =>
    Object.entries(output.contracts[file] ?? {})
      .filter(([, { evm }]) => evm.bytecode.object !== '')
      .map(([contract, { abi, evm }]): [string, string] => [
        posix.join(posix.dirname(file), contract),
        `${JSON.stringify({ abi, bytecode: `0x${evm.bytecode.object}` })}\n`,
      ]),
  )
  return new Map(artifacts)
}
