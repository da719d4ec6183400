// Who may import whom. ARCHITECTURE.md draws it; tools/structure.test.ts proves each rule by breaking it.
const { readFileSync } = require('node:fs')
const { join } = require('node:path')

const SERVICE = 'packages/service/src'
const SDK = 'packages/sdk/src'
const WEB = 'packages/web/src'
const TEST = ['\\.test\\.ts$', '^packages/[^/]+/test/']

/** What each folder of the service may import of the others, lowest folder first. */
const FOLDERS = {
  lib: [],
  core: ['lib'],
  chains: ['lib', 'core'],
  pricing: ['lib', 'core'],
  store: ['lib', 'core'],
  protocols: ['lib', 'core', 'chains', 'pricing'],
  registry: ['lib', 'core', 'chains'],
  transactions: ['lib', 'core', 'chains', 'store'],
  intents: ['lib', 'core', 'chains', 'pricing', 'store', 'protocols', 'transactions'],
  backends: ['lib', 'core', 'chains', 'pricing', 'store', 'protocols', 'transactions', 'intents'],
  service: ['lib', 'core', 'chains', 'pricing', 'store', 'protocols', 'transactions', 'backends'],
  webhooks: ['lib', 'core', 'store'],
  http: ['lib', 'core', 'intents/solver-api', 'service', 'webhooks'],
  cli: [
    'lib',
    'core',
    'intents/attester',
    'intents/solver',
    'backends',
    'registry',
    'http/openapi/status-meanings.ts',
    'app/back-up.ts',
    'app/check',
    'app/deploy',
    'app/reconcile.ts',
    'app/vault-signers.ts',
  ],
  app: [
    'lib',
    'core',
    'chains',
    'pricing',
    'store',
    'protocols',
    'transactions',
    'intents',
    'backends',
    'service',
    'webhooks',
    'http',
  ],
  'main.ts': ['core', 'app'],
}

/** Folders whose subfolders must not import each other. */
const SIBLINGS = ['chains', 'protocols', 'backends']
/** What siblings may import of each other all the same: what serves all of them, and what one takes from another. */
const SHARED_SIBLINGS = ['chains/rpc']
const SIBLING_IMPORTS = {
  'backends/gateway': ['backends/router'],
  'backends/gateway-express': ['backends/router'],
}

/** What parts of one folder may import of each other; files of the folder itself belong to no part. */
const PARTS = {
  intents: {
    settlers: [],
    'solver-api': [],
    vault: ['settlers'],
    cosigner: ['settlers', 'vault'],
    attester: ['settlers', 'vault', 'cosigner'],
    solver: ['settlers', 'solver-api'],
    opener: ['settlers'],
  },
}

/** Where product code imports a package. The sandbox and tests may import any that their package.json names. */
const HOMES = {
  '@fastify/rate-limit': [`${SERVICE}/http`],
  '@fastify/websocket': [`${SERVICE}/http`],
  '@noble/hashes': [`${SDK}/guard`],
  '@scure/base': [`${SERVICE}/chains`],
  '@solana/kit': [`${SERVICE}/chains/solana`, `${SDK}/solana`],
  '@stellar/stellar-sdk': [`${SERVICE}/chains/stellar`, `${SDK}/stellar`],
  fastify: [`${SERVICE}/http`],
  'hash-wasm': [`${SERVICE}/chains/evm`],
  pg: [`${SERVICE}/store`],
  pino: [`${SERVICE}/app`],
  'prom-client': [`${SERVICE}/http`],
  qr: [`${SERVICE}/cli`, WEB],
  'quick-lru': [`${SERVICE}/lib`],
  'tiny-secp256k1': [`${SERVICE}/chains/evm`],
  undici: [`${SERVICE}/lib`],
  viem: [
    `${SERVICE}/app/deploy`,
    `${SERVICE}/chains/evm`,
    `${SERVICE}/cli/commands/deploy.ts`,
    `${SERVICE}/transactions`,
    `${SERVICE}/intents/attester`,
    `${SERVICE}/intents/opener`,
    `${SERVICE}/intents/solver`,
    `${SDK}/evm`,
    WEB,
  ],
  ws: [`${SERVICE}/http`, `${SERVICE}/intents/solver`],
  zod: [
    ...[
      'app',
      'backends',
      'chains',
      'cli',
      'core',
      'http',
      'intents',
      'pricing',
      'protocols',
      'registry',
      'store',
      'transactions',
      'webhooks',
    ].map((folder) => `${SERVICE}/${folder}`),
    SDK,
  ],
}

const literal = (text) => text.replaceAll(/[.*+?^$(){}|[\]\\]/g, '\\$&')
/** Files named, or anything below folders named. */
const below = (paths) => paths.map((path) => `^${literal(path)}(/|$)`)
/** A package in a node_modules folder. */
const packageNamed = (name) => `(^|/)node_modules/${literal(name)}/`
const within = (folder, names) => names.map((name) => `${folder}/${name}`)

const folderRules = Object.entries(FOLDERS).map(([folder, others]) => ({
  name: `service-${folder}`,
  comment: `${folder} imports ${others.join(', ') || 'no other folder'}`,
  severity: 'error',
  from: { path: below([`${SERVICE}/${folder}`]), pathNot: TEST },
  to: { path: below([SERVICE]), pathNot: below(within(SERVICE, [folder, ...others])) },
}))

const partRules = Object.entries(PARTS).flatMap(([folder, parts]) =>
  Object.entries(parts).map(([part, others]) => ({
    name: `${folder}-${part}`,
    comment: `${folder}/${part} imports ${others.join(', ') || 'no other part'} of ${folder}`,
    severity: 'error',
    from: { path: below([`${SERVICE}/${folder}/${part}`]), pathNot: TEST },
    to: {
      path: below(within(`${SERVICE}/${folder}`, Object.keys(parts))),
      pathNot: below(within(`${SERVICE}/${folder}`, [part, ...others])),
    },
  })),
)

const siblingRules = [
  ...SIBLINGS.map((folder) => ({
    name: `siblings-${folder}`,
    comment: `the parts of ${folder} know nothing of each other`,
    severity: 'error',
    from: {
      path: `^${literal(`${SERVICE}/${folder}`)}/([^/]+)/`,
      pathNot: [...TEST, ...below(within(SERVICE, Object.keys(SIBLING_IMPORTS)))],
    },
    to: {
      path: `^${literal(`${SERVICE}/${folder}`)}/[^/]+/`,
      pathNot: [`^${literal(`${SERVICE}/${folder}`)}/$1/`, ...below(within(SERVICE, SHARED_SIBLINGS))],
    },
  })),
  ...Object.entries(SIBLING_IMPORTS).map(([part, others]) => ({
    name: `siblings-of-${part}`,
    comment: `${part} imports ${others.join(', ')} and no other sibling`,
    severity: 'error',
    from: { path: below([`${SERVICE}/${part}`]), pathNot: TEST },
    to: {
      path: `^${literal(`${SERVICE}/${part.split('/')[0]}`)}/[^/]+/`,
      pathNot: below(within(SERVICE, [part, ...others])),
    },
  })),
]

/** The files that a package's exports name, apart from those for tests of the repository. */
const publicFiles = (folder) =>
  Object.entries(JSON.parse(readFileSync(join(__dirname, '..', folder, 'package.json'), 'utf8')).exports)
    .filter(([name]) => !/^\.\/(src|test)\//.test(name))
    .map(([, target]) => target['openrfq-source'] ?? target)
    .map((file) => `^${literal(join(folder, file)).replaceAll('\\*', '.+')}$`)

const homeRules = Object.entries(HOMES).map(([name, homes]) => ({
  name: `package-${name}`,
  comment: `${name} is imported in ${homes.join(', ')}`,
  severity: 'error',
  from: { path: below([SERVICE, SDK]), pathNot: [...TEST, ...below(homes)] },
  to: { path: packageNamed(name) },
}))

const packageRules = [
  {
    name: 'sdk-alone',
    comment: 'the SDK imports no other package of the repository',
    from: { path: below([SDK]), pathNot: TEST },
    to: { path: '^packages/', pathNot: '^packages/sdk/' },
  },
  {
    name: 'sdk-in-browsers',
    comment: 'the SDK imports nothing that Node alone has',
    from: { path: below([SDK]), pathNot: TEST },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'service-without-sandbox',
    comment: 'the service knows a sandbox by configuration only',
    from: { path: below([SERVICE]), pathNot: TEST },
    to: { path: '^packages/sandbox/' },
  },
  {
    name: 'public-files',
    comment: 'product code imports what the exports of the service name, and neither src/* nor test/*',
    from: { path: '^packages/', pathNot: ['^packages/service/', ...TEST] },
    to: { path: '^packages/service/', pathNot: publicFiles('packages/service') },
  },
  {
    name: 'package-by-name',
    comment: 'one package imports another by its name, never by a path',
    // The script that builds the sandbox's program uses the compiler of the escrow program, which no package exports.
    from: { path: '^packages/([^/]+)/', pathNot: '^packages/sandbox/programs/build\\.ts$' },
    to: { pathNot: '^packages/$1/', dependencyTypes: ['local'], dependencyTypesNot: ['aliased-workspace'] },
  },
  {
    name: 'package-by-name-from-root',
    comment: 'tests and benchmarks import packages by their names, never by a path',
    from: { pathNot: '^packages/' },
    to: { path: '^packages/', dependencyTypes: ['local'], dependencyTypesNot: ['aliased-workspace'] },
  },
  {
    name: 'no-tests',
    comment: 'product code imports no test and no fixture',
    from: { path: '^packages/[^/]+/src/', pathNot: TEST },
    to: { path: TEST },
  },
  {
    name: 'package-unlisted',
    comment: 'product code imports only packages that have a home',
    from: { path: below([SERVICE, SDK]), pathNot: TEST },
    to: { path: '(^|/)node_modules/', pathNot: Object.keys(HOMES).map(packageNamed) },
  },
  {
    name: 'folder-unlisted',
    comment: 'every folder of the service is in the table of folders',
    from: {},
    to: { path: below([SERVICE]), pathNot: below(within(SERVICE, Object.keys(FOLDERS))) },
  },
  { name: 'no-cycle', comment: 'no module imports itself through others', from: {}, to: { circular: true } },
  {
    name: 'resolvable',
    comment: 'every import is found',
    // Its packages are installed by the test that runs it.
    from: { pathNot: '^tools/(axelarjs|web3js)/' },
    to: { couldNotResolve: true },
  },
].map((rule) => ({ severity: 'error', ...rule }))

module.exports = {
  forbidden: [...folderRules, ...siblingRules, ...partRules, ...homeRules, ...packageRules],
  options: {
    tsPreCompilationDeps: true,
    exoticRequireStrings: ['require.resolve'],
    doNotFollow: { path: 'node_modules' },
    // What a build of a package leaves beside its sources.
    exclude: { path: '^packages/[^/]+/(dist|built)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['openrfq-source', 'types', 'import', 'node', 'default'],
    },
  },
}
