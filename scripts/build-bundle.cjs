'use strict'
// Builds the bundle of this repository's programs: `node scripts/build-bundle.cjs <folder>`.
const { readdirSync, readFileSync, renameSync, rmSync, statSync } = require('fs')
const { dirname, join } = require('path')
const { pathToFileURL } = require('url')
const { sourcesOf } = require('./bundle.cjs')

const ROOT = join(__dirname, '..')
/** The programs, which stand in a bundle as they do here; the last one is for tests. */
const PROGRAMS = [
  'packages/sandbox/src/main.ts',
  'packages/service/src/main.ts',
  'packages/service/src/cli/rfq.ts',
  'packages/service/src/cli/roles.ts',
  'packages/service/src/store/sqlite-writer.ts',
  'test/quick-sandbox.ts',
]
/** Packages with files of machine code, which they find beside themselves. */
const EXTERNAL = ['litesvm', 'tiny-secp256k1', 'pg-native']
/** The newest bundles stay: one may be running. */
const KEPT = 4
const REQUIRE = `import { createRequire as createRequireHere } from 'node:module'
const require = createRequireHere(import.meta.url)`

/** Gives a source that finds files by its own place that place, not the bundle's. */
const keepPlaces = {
  name: 'keep-places',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]packages[\\/]\w+[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (!/import\.meta\.(url|dirname)/.test(text)) return undefined
      const contents = text
        .replace(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(path).href))
        .replace(/\bimport\.meta\.dirname\b/g, JSON.stringify(dirname(path)))
      return { contents, loader: 'ts' }
    }),
}

const build = (folder) =>
  require('esbuild').build({
    absWorkingDir: ROOT,
    entryPoints: PROGRAMS,
    outbase: ROOT,
    outExtension: { '.js': '.mjs' },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    conditions: ['openrfq-source'],
    external: EXTERNAL,
    banner: { js: REQUIRE },
    chunkNames: '[hash]',
    sourcemap: true,
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'silent',
    metafile: true,
    plugins: [keepPlaces],
  })

/** Throws Error when the bundle has a file of ours that its hash does not cover. */
const expectCovered = ({ inputs }) => {
  const covered = new Set(sourcesOf(ROOT))
  const foreign = Object.keys(inputs).find((file) => !file.includes('node_modules/') && !covered.has(file))
  if (foreign !== undefined) throw new Error(`${foreign} is not among the sources in scripts/bundle.cjs`)
}

const removeOld = (cache) => {
  const bundles = readdirSync(cache)
    .filter((name) => /^[0-9a-f]{32}/.test(name))
    .map((name) => ({ path: join(cache, name), age: statSync(join(cache, name)).mtimeMs }))
    .sort((one, other) => other.age - one.age)
  for (const { path } of bundles.slice(KEPT)) rmSync(path, { recursive: true, force: true })
}

const main = async (folder) => {
  // Two starts may build the same bundle: each one appears whole, and the second one is dropped.
  const own = `${folder}-${process.pid}`
  try {
    const { metafile } = await build(own)
    expectCovered(metafile)
    renameSync(own, folder)
    removeOld(dirname(folder))
  } catch (error) {
    rmSync(own, { recursive: true, force: true })
    if (error.code === 'ENOTEMPTY' || error.code === 'EEXIST') return
    const [first] = error.errors || []
    const reason = first === undefined ? error.message : first.text
    process.stderr.write(`The programs start slower, from their sources: ${reason}\n`)
    process.exitCode = 1
  }
}

void main(process.argv[2])
