import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const SOURCES = join(import.meta.dirname, '../src')
/** zod is more than half of it; importing a schema library as a whole would take 90 kB. */
const MOST_BYTES = 24_500
/** A lower count would mean that the test read nothing. */
const FEWEST_FILES = 40

const bundle = async (code: string) => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'safari15.4',
    conditions: ['openrfq-source'],
    logLevel: 'silent',
  })
  const [output] = outputFiles
  assert.ok(output !== undefined)
  return { text: output.text, inputs: Object.keys(metafile.inputs) }
}

const isOwn = (input: string): boolean => !input.includes('node_modules/') && !input.startsWith('<')

test('the client is at most 24.5 kB for a browser and contains no chain family or its library', async () => {
  const { text, inputs } = await bundle("import * as sdk from '@openrfq/sdk'; console.log(sdk)")
  const bytes = gzipSync(text, { level: 9 }).length
  assert.ok(bytes <= MOST_BYTES, `${bytes} bytes`)
  assert.ok(inputs.filter(isOwn).length >= 25, inputs.join('\n'))
  assert.deepEqual(
    inputs.filter((input) => /sdk\/src\/(evm|solana|stellar)\//.test(input)),
    [],
  )
  const packages = inputs.map((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1])
  assert.deepEqual(
    [...new Set(packages)].filter((name) => name !== undefined),
    ['zod'],
  )
  assert.doesNotMatch(text, /import\(/)
})

test('every family bundles for browsers with its own library only', async () => {
  const libraries = { evm: 'viem', solana: '@solana/kit', stellar: '@stellar/stellar-sdk' }
  for (const [family, library] of Object.entries(libraries)) {
    const { inputs } = await bundle(`import * as sdk from '@openrfq/sdk/${family}'; console.log(sdk)`)
    for (const other of Object.values(libraries))
      assert.equal(
        inputs.some((input) => input.includes(`node_modules/${other}/`)),
        other === library,
        `${other} in ${family}`,
      )
  }
})

test('the sources use nothing of Node and nothing that Safari lacks', () => {
  const files = globSync('**/*.ts', { cwd: SOURCES }).filter((file) => !file.endsWith('.test.ts'))
  assert.ok(files.length >= FEWEST_FILES, `read only ${files.length} files`)
  const foreign = /\bnode:|\bBuffer\b|\bprocess\b|for await|\bAbortSignal\.|from 'zod'/
  for (const file of files) {
    const code = readFileSync(join(SOURCES, file), 'utf8').replaceAll(/\/\*\*[\s\S]*?\*\//g, '')
    assert.doesNotMatch(code, foreign, file)
  }
})
