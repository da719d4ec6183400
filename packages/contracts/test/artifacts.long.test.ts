import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import solc from 'solc'
import { z } from 'zod'
import { abiModules } from '../abi-modules.ts'
import { compileContracts } from '../compile.ts'

const filesOf = (folder: string, extension: string): ReadonlyMap<string, string> => {
  const path = join(import.meta.dirname, '..', folder)
  const files = globSync(`**/*${extension}`, { cwd: path }).map((file): [string, string] => [
    file.replaceAll('\\', '/'),
    readFileSync(join(path, file), 'utf8'),
  ])
  return new Map(files.toSorted())
}

test('the committed artifacts and ABIs equal a fresh build of the committed sources', () => {
  const compiled = compileContracts()
  const artifacts = [...compiled].map(([name, text]): [string, string] => [`${name}.json`, text])
  assert.deepEqual(filesOf('artifacts', '.json'), new Map(artifacts.toSorted()))
  assert.deepEqual(filesOf('src/abis', '.ts'), new Map([...abiModules(compiled)].toSorted()))
})

const Runtime = z.record(z.string(), z.object({ code: z.string(), immutables: z.array(z.array(z.int())) }))
const Output = z.object({
  contracts: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        evm: z.object({
          bytecode: z.object({ object: z.string() }),
          deployedBytecode: z.object({ object: z.string() }),
        }),
      }),
    ),
  ),
})

test('the standard JSON input needs no other file, and gives the code of every contract that is deployed', () => {
  const artifacts = filesOf('artifacts', '.json')
  const input = artifacts.get('verification/standard-input.json') ?? ''
  const { contracts } = Output.parse(JSON.parse(solc.compile(input)))
  const runtimes = Runtime.parse(JSON.parse(artifacts.get('verification/runtime-code.json') ?? ''))
  assert.deepEqual(Object.keys(runtimes).toSorted(), [
    'factory/ContractFactory',
    'router/ExpressRouter',
    'settlers/AttestedSettler',
    'settlers/IntentSettler',
    'settlers/Settler',
  ])
  for (const [name, { code, immutables }] of Object.entries(runtimes)) {
    const evm = contracts[`${name}.sol`]?.[name.replace(/.*\//, '')]?.evm
    const artifact = z.object({ bytecode: z.string() }).parse(JSON.parse(artifacts.get(`${name}.json`) ?? ''))
    assert.equal(artifact.bytecode, `0x${evm?.bytecode.object}`, name)
    assert.equal(code, `0x${evm?.deployedBytecode.object}`, name)
    assert.ok(immutables.length > 0)
  }
})
