import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import {
  createPackedProject,
  findUnpackedExports,
  lintTarball,
  type PackedProject,
  packPackage,
} from './packed-project.ts'

const README = readFileSync(join(import.meta.dirname, '../packages/contracts/README.md'), 'utf8')

let packed: Awaited<ReturnType<typeof packPackage>>
let project: PackedProject

before(async () => {
  project = createPackedProject()
  packed = await packPackage('contracts', project.path)
  await project.install(packed.tarball, 'viem@2.57.1', 'typescript@5.9.3')
})
after(() => project?.remove())

test('the package holds ABIs, artifacts and sources, and no test contracts', () => {
  for (const file of [
    'dist/index.js',
    'artifacts/settlers/IntentSettler.json',
    'settlers/IntentSettler.sol',
    'dist/solana/index.js',
    'solana/escrow.c',
    'solana/escrow.so',
    'solana/escrow.idl.json',
    'LICENSE',
  ])
    assert.ok(packed.files.includes(file), file)
  const foreign = packed.files.filter((file) =>
    /(^|\/)test\/|^(build|compile|abi-modules)\.|^solana\/.*\.ts$/.test(file),
  )
  assert.deepEqual(foreign, [])
  assert.ok(!project.installed().includes('solc'))
})

test('publint and attw report no problems', () => lintTarball(packed.tarball))

test('the exports name packed files only', () => {
  assert.deepEqual(findUnpackedExports('contracts', packed.files), [])
})

test("every ABI has an export by its name and equals its artifact's", async () => {
  project.write(
    'artifacts.mjs',
    `import { attestedSettlerAbi, expressRouterAbi, intentSettlerAbi } from '@openrfq/contracts'
     import { createRequire } from 'node:module'
     import { isDeepStrictEqual } from 'node:util'
     const artifact = (name) => createRequire(import.meta.url)('@openrfq/contracts/artifacts/' + name + '.json')
     const pairs = [
       [intentSettlerAbi, 'settlers/IntentSettler'],
       [attestedSettlerAbi, 'settlers/AttestedSettler'],
       [expressRouterAbi, 'router/ExpressRouter'],
     ]
     for (const [abi, name] of pairs) console.log(isDeepStrictEqual(abi, artifact(name).abi), artifact(name).bytecode.length > 1000)`,
  )
  assert.equal(await project.run('node', 'artifacts.mjs'), 'true true\n'.repeat(3))
})

test("the README's programs compile, and viem infers the types of an event", async () => {
  const programs = [...README.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, program = '']) => program)
  assert.equal(programs.length, 2)
  const typed = `${programs[0]}\nconst [first] = logs\nfirst?.args.orderId satisfies \`0x\${string}\` | undefined\n`
  const wrong =
    '// @ts-expect-error there is no such event\nvoid client.getContractEvents({ abi: intentSettlerAbi, eventName: "Opened" })\n'
  project.write('program.ts', typed + wrong)
  project.write('artifact.ts', `${programs[1]}\nconsole.log(settler.bytecode)\n`)
  const compilerOptions = {
    ...{ target: 'es2022', module: 'nodenext', lib: ['es2023', 'dom'], types: [], noEmit: true },
    ...{
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      resolveJsonModule: true,
    },
  }
  project.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['program.ts', 'artifact.ts'] }))
  await project.run('node', 'node_modules/typescript/bin/tsc', '-p', '.')
})
