'use strict'
// Finds the bundle of this repository's programs, which start from it in a fraction of the time that 1,200 files take.
// A bundle's folder is named by the hash of its sources. Node 12 parses this file.
const { spawnSync } = require('child_process')
const { createHash } = require('crypto')
const { existsSync, readdirSync, readFileSync, utimesSync } = require('fs')
const { join } = require('path')
const { findNode } = require('./preflight.cjs')

/** Where bundles and their compiled code survive a start; `npm ci` empties it. */
const CACHE = 'node_modules/.cache/openrfq'
const PACKAGES = ['contracts', 'sandbox', 'sdk', 'service'].map((name) => `packages/${name}`)
const FOLDERS = PACKAGES.map((folder) => `${folder}/src`)
/** The sources of the sandbox that tests start. */
const TEST_SOURCES = [
  'test/quick-sandbox.ts',
  'test/intent-seconds.ts',
  'packages/sandbox/test/quick-blocks.ts',
]
/** What decides about a bundle besides sources: who builds it, what npm has installed, and what our packages export. */
const BUILDERS = [
  'scripts/bundle.cjs',
  'scripts/build-bundle.cjs',
  'node_modules/.package-lock.json',
  'tsconfig.json',
].concat(PACKAGES.map((folder) => `${folder}/package.json`))

const sourcesIn = (root, folder) =>
  readdirSync(join(root, folder), { withFileTypes: true }).reduce((files, entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return files.concat(sourcesIn(root, path))
    return /\.(ts|json)$/.test(path) && !/\.test\.ts$/.test(path) ? files.concat(path) : files
  }, [])

/** The files that a bundle may be made of, besides installed packages, as paths from the root. */
const sourcesOf = (root) =>
  FOLDERS.reduce((files, folder) => files.concat(sourcesIn(root, folder)), TEST_SOURCES)

const hashOf = (root) => {
  // A bundle contains the paths of the files that it reads.
  const hash = createHash('sha256').update(root)
  for (const file of BUILDERS.concat(sourcesOf(root)))
    if (existsSync(join(root, file))) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 32)
}

/** Makes a bundle the newest, because a build removes the oldest ones. Returns it. */
const keepInUse = (folder) => {
  try {
    utimesSync(folder, new Date(), new Date())
  } catch {
    // A user who cannot write here builds no bundle either.
  }
  return folder
}

/**
 * The folder of the bundle of these sources, built with the given Node if there is none; undefined where esbuild, a
 * development dependency, is not installed, or the bundle cannot be written, which is printed.
 */
const findBundle = (root, node) => {
  if (node === undefined || !existsSync(join(root, 'node_modules/esbuild'))) return undefined
  const folder = join(root, CACHE, hashOf(root))
  if (existsSync(folder)) return keepInUse(folder)
  const { status } = spawnSync(node, [join(__dirname, 'build-bundle.cjs'), folder], { stdio: 'inherit' })
  return status === 0 ? folder : undefined
}

module.exports = { CACHE, findBundle, sourcesOf }

// npm runs it after `npm ci`, so that the first start need not.
if (require.main === module) {
  const root = join(__dirname, '..')
  findBundle(root, findNode(root))
}
