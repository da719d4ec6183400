'use strict'
// What a program needs before it starts: the dependencies of this lock file, a Node that is new enough, anvil.
// Node 12 parses this file.
const { accessSync, constants, existsSync, readFileSync } = require('fs')
const { delimiter, join } = require('path')

const SERVICE = 'packages/service'
const ANVIL = { name: '@foundry-rs/anvil-linux-amd64', platform: 'linux', arch: 'x64' }

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))

/** The lock file's entries by path, and those that npm has installed; undefined when npm has installed nothing. */
const readLocks = (root) => {
  const installed = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(installed)) return undefined
  return {
    wanted: readJson(join(root, 'package-lock.json')).packages,
    installed: readJson(installed).packages,
  }
}

/** The path of an entry that was installed and is another one, or none, in package-lock.json. */
const findForeign = ({ wanted, installed }) =>
  Object.keys(installed).find(
    (path) =>
      wanted[path] === undefined ||
      wanted[path].version !== installed[path].version ||
      wanted[path].integrity !== installed[path].integrity,
  )

const isInstalled = ({ installed }, workspace, name) =>
  installed[`node_modules/${name}`] !== undefined ||
  installed[`${workspace}/node_modules/${name}`] !== undefined

/** A dependency of a workspace that is not installed; optional ones may be missing. */
const findMissing = (root, locks, { path, withDev }) => {
  const { dependencies, devDependencies } = readJson(join(root, path, 'package.json'))
  const names = Object.keys(Object.assign({}, dependencies, withDev ? devDependencies : {}))
  return names.find((name) => !isInstalled(locks, path, name))
}

const findInstallProblem = (root, locks, needs) => {
  if (locks === undefined) return 'The dependencies are not installed: run `npm ci`.'
  const foreign = findForeign(locks)
  if (foreign !== undefined)
    return `node_modules does not match package-lock.json (${foreign}): run \`npm ci\`.`
  for (const workspace of needs) {
    const missing = findMissing(root, locks, workspace)
    if (missing !== undefined)
      return `${missing} is not installed, which ${workspace.name}: ${workspace.mend}.`
  }
  return undefined
}

const pinnedVersion = (root) => readJson(join(root, SERVICE, 'package.json')).dependencies.node

/** The path of a file of a dependency. */
const findInstalled = (root, workspace, file) =>
  [root, join(root, workspace)].map((folder) => join(folder, 'node_modules', file)).find(existsSync)

const pinnedNode = (root) =>
  findInstalled(root, SERVICE, process.platform === 'win32' ? 'node/bin/node.exe' : 'node/bin/node')

const majorOf = (version) => Number(version.split('.')[0])

/** The pinned Node that npm installed, else the running one when it is not older; undefined when there is neither. */
const findNode = (root) => {
  const pinned = pinnedNode(root)
  if (pinned !== undefined) return pinned
  return majorOf(process.versions.node) >= majorOf(pinnedVersion(root)) ? process.execPath : undefined
}

const nodeProblem = (root) =>
  `Node ${process.versions.node} is too old, and npm's install scripts, which bring Node ${pinnedVersion(root)}, are off: ` +
  `run \`npm rebuild node --ignore-scripts=false\`, or use Node ${majorOf(pinnedVersion(root))} or later.`

const isOnPath = (name) =>
  (process.env.PATH || '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })

/** Why local chains cannot be started on this system. */
const findChainProblem = (root, version) => {
  if (process.platform === 'win32')
    return 'The sandbox does not run on Windows itself: use WSL2, or set RFQ_CONFIG to a network file.'
  if (findInstalled(root, 'packages/sandbox', `${ANVIL.name}/bin/anvil`) || isOnPath('anvil'))
    return undefined
  if (process.platform === ANVIL.platform && process.arch === ANVIL.arch)
    return 'The sandbox needs anvil, which is not installed: run `npm ci` without --omit=optional.'
  return (
    `The sandbox needs anvil ${version}, which npm brings on Linux x64 only: install it ` +
    `(\`foundryup --install ${version}\`, https://getfoundry.sh), or set RFQ_CONFIG to a network file.`
  )
}

/** The first thing that keeps a program from running, in one sentence with its remedy; undefined when there is none. */
const findProblem = (root, { needs, startsChains }) => {
  const locks = readLocks(root)
  const problem = findInstallProblem(root, locks, needs)
  if (problem !== undefined) return problem
  if (findNode(root) === undefined) return nodeProblem(root)
  if (!startsChains) return undefined
  return findChainProblem(
    root,
    readJson(join(root, 'packages/sandbox/package.json')).optionalDependencies[ANVIL.name],
  )
}

module.exports = { findNode, findProblem }
