'use strict'
// Starts a program of this repository on the pinned Node, with the condition that resolves packages to their sources:
// `node scripts/run.cjs <program> [words]`. Node 12 parses this file and the two beside it, so that a Node that is too old
// ends with a sentence and not with a syntax error.
const { spawnSync } = require('child_process')
const { readFileSync, realpathSync } = require('fs')
const { join } = require('path')
const { CACHE, findBundle } = require('./bundle.cjs')
const { findNode, findProblem } = require('./preflight.cjs')

const ROOT = join(__dirname, '..')
const CONDITION = '--conditions=openrfq-source'
const SOURCE_MAPS = '--enable-source-maps'

const FULL_INSTALL = 'run `npm ci` without --omit and -w'
const SERVICE = { path: 'packages/service', withDev: false, name: 'the service needs', mend: FULL_INSTALL }
const SANDBOX = {
  path: 'packages/sandbox',
  withDev: false,
  name: 'the sandbox needs',
  mend: `${FULL_INSTALL}, or set RFQ_CONFIG to a network file`,
}
const ALL = [{ path: '', withDev: true, name: 'development needs', mend: FULL_INSTALL }, SERVICE, SANDBOX]

/** Each program: its source, the package.json files whose dependencies it needs, and whether it starts local EVM chains. */
const PROGRAMS = {
  serve: { file: 'packages/service/src/main.ts', needs: [SERVICE], startsChains: false },
  sandbox: { file: 'packages/sandbox/src/main.ts', needs: [SERVICE, SANDBOX], startsChains: true },
  rfq: { file: 'packages/service/src/cli/rfq.ts', needs: [SERVICE], startsChains: false },
  test: { file: 'test/run.ts', needs: ALL, startsChains: true },
  bench: { file: 'bench/run.ts', needs: ALL, startsChains: true },
  'bench-start': { file: 'bench/start.ts', needs: ALL, startsChains: true },
  pools: { file: 'bench/pools.ts', needs: ALL, startsChains: true },
  network: { file: 'bench/network.ts', needs: ALL, startsChains: false },
  openapi: { file: 'packages/service/src/http/openapi/write.ts', needs: ALL, startsChains: false },
  examples: { file: 'test/record-examples.ts', needs: ALL, startsChains: true },
  snapshot: { file: 'packages/sandbox/src/build-snapshot.ts', needs: ALL, startsChains: true },
  web: { file: 'packages/web/write.ts', needs: ALL, startsChains: false },
  axelar: { file: 'packages/sdk/write-axelar.ts', needs: ALL, startsChains: false },
  programs: { file: 'packages/sandbox/programs/build.ts', needs: ALL, startsChains: false },
  artifacts: { file: 'packages/contracts/build.ts', needs: ALL, startsChains: false },
}

/** The programs that start from the bundle; the others start from their sources, as `node <file>` does. */
const BUNDLED = ['serve', 'sandbox', 'rfq']

/** `start` serves the network file that RFQ_CONFIG names, and the sandbox without one. */
const programNamed = (name) => (name === 'start' ? (process.env.RFQ_CONFIG ? 'serve' : 'sandbox') : name)

const fail = (sentence) => {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

const environmentFor = (starter, bundle) =>
  Object.assign({ NODE_COMPILE_CACHE: join(bundle || join(ROOT, CACHE), 'code') }, process.env, {
    NODE_OPTIONS: [process.env.NODE_OPTIONS, CONDITION, bundle && SOURCE_MAPS].filter(Boolean).join(' '),
    OPENRFQ_BUNDLE: bundle || '',
    OPENRFQ_STARTER: String(starter),
  })

/** The session of a process, where /proc tells it. */
const sessionOf = (id) => {
  try {
    return readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').pop().split(' ')[3]
  } catch {
    return undefined
  }
}

/** npm's process id, 0 when npm did not start this process. A parent in another session adopted it: npm is gone already. */
const findNpm = () => {
  if (process.env.npm_lifecycle_event === undefined) return 0
  const parent = process.ppid
  if (sessionOf(parent) !== sessionOf(process.pid)) process.exit(1)
  return parent
}

/** Replaces this process where the running Node is the wanted one and can be replaced. */
const replace = (node, words, bundle) => {
  if (process.execve === undefined || realpathSync(node) !== realpathSync(process.execPath)) return
  process.execve(node, [node].concat(words), environmentFor(findNpm(), bundle))
}

/** Runs the program as a child, which ends when this process does, and ends as it ended. */
const runBelow = (node, words, bundle) => {
  const child = spawnSync(node, words, { env: environmentFor(process.pid, bundle), stdio: 'inherit' })
  if (child.error) fail(`${node} does not run on this system (${child.error.message}): run \`npm ci\` here.`)
  if (child.signal) process.kill(process.pid, child.signal)
  process.exit(child.status === null ? 1 : child.status)
}

const main = ([word, ...words]) => {
  const name = programNamed(word)
  const program = PROGRAMS[name]
  if (program === undefined)
    fail(`No program "${name}": expected start, ${Object.keys(PROGRAMS).join(', ')}.`)
  const problem = findProblem(ROOT, program)
  if (problem !== undefined) fail(problem)
  const node = findNode(ROOT)
  const bundle = BUNDLED.includes(name) ? findBundle(ROOT, node) : undefined
  const file =
    bundle === undefined ? join(ROOT, program.file) : join(bundle, program.file.replace('.ts', '.mjs'))
  const all = ['--require', join(__dirname, 'end-with-starter.cjs'), file].concat(words)
  replace(node, all, bundle)
  runBelow(node, all, bundle)
}

main(process.argv.slice(2))
