import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTableUseCases } from '../../../test/table-use-cases.ts'
import { createClientKeys } from '../client-key.ts'
import { createConnections } from '../connections.ts'
import { createApp } from '../create-app.ts'
import { ERROR_STATUS } from '../error-status.ts'
import { createMetrics } from '../metrics.ts'
import { mountEndpoints } from '../mount-endpoints.ts'
import { REQUEST_LIMIT } from '../operation.ts'
import { OPERATIONS } from '../operations.ts'
import { createBodyReader } from '../read-body.ts'
import { COMPONENTS } from './components.ts'
import { openApiDocument } from './document.ts'
import { describeSchemas, type JsonSchema } from './json-schemas.ts'

const { components, parameters } = describeSchemas()

test("the committed openapi.json equals the schemas' description; `npm run openapi` writes it", () => {
  const committed = readFileSync(join(import.meta.dirname, '../../../../../openapi.json'), 'utf8')
  assert.ok(
    committed === `${JSON.stringify(openApiDocument(), null, 2)}\n`,
    'openapi.json is outdated: run npm run openapi',
  )
})

test('every reference of the document has a target, and every component is used', () => {
  const document = openApiDocument()
  const references = [...JSON.stringify(document).matchAll(/"#\/([^"]+)"/g)].map(([, path = '']) => path)
  assert.ok(references.length > 200)
  for (const path of references) {
    const target = path.split('/').reduce<unknown>((node, key) => Object(node)[key], document)
    assert.notEqual(target, undefined, path)
  }
  const unused = Object.keys(COMPONENTS).filter((name) => !references.includes(`components/schemas/${name}`))
  assert.deepEqual(unused, [])
})

/** Every schema within a schema, including itself. */
const within = (schema: JsonSchema): readonly JsonSchema[] => [
  schema,
  ...[...Object.values(schema.properties ?? {}), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(
    within,
  ),
  ...[schema.items, schema.additionalProperties].flatMap((one) => (one === undefined ? [] : within(one))),
]

test('every object and every list of values has a name', () => {
  for (const [name, schema] of Object.entries(components)) {
    const [, ...inner] = within(schema)
    const nameless = inner.filter(
      (one) => one.properties !== undefined || one.enum !== undefined || one.oneOf !== undefined,
    )
    assert.deepEqual(nameless, [], name)
  }
})

test('every endpoint, parameter, component, member and value has a description', () => {
  const isSaid = (text: string | undefined): boolean => text !== undefined && /^[A-Z`].{3}/.test(text)
  for (const { operationId, summary, description } of OPERATIONS)
    assert.ok(isSaid(summary) && isSaid(description), operationId)
  for (const { name, description } of Object.values(parameters).flat()) assert.ok(isSaid(description), name)
  for (const [name, schema] of Object.entries(components)) {
    assert.ok(isSaid(schema.description), name)
    for (const [member, { description }] of Object.entries(schema.properties ?? {}))
      assert.ok(isSaid(description), `${name}.${member}`)
    for (const value of schema.enum ?? [])
      assert.match(
        schema.description ?? '',
        new RegExp(`^- \`${value}\`: [A-Z\`A].{4}`, 'm'),
        `${name} ${value}`,
      )
  }
})

test('every description belongs to an existing member or value', () => {
  for (const [name, { members, values }] of Object.entries(COMPONENTS)) {
    const { properties = {}, enum: list = [] }: JsonSchema = components[name as keyof typeof COMPONENTS]
    assert.deepEqual(Object.keys(members).toSorted(), Object.keys(properties).toSorted(), name)
    assert.deepEqual(Object.keys(values), list, name)
  }
})

test('a discriminator maps each type to its schema', () => {
  const told = Object.values<JsonSchema>(components).filter(
    ({ discriminator }) => discriminator !== undefined,
  )
  assert.equal(told.length, 2)
  for (const { oneOf = [], discriminator } of told) {
    const mapped = Object.entries(discriminator?.mapping ?? {})
    assert.deepEqual(
      mapped.map(([, reference]) => reference),
      oneOf.map(({ $ref }) => $ref),
    )
    for (const [type, reference] of mapped) {
      const name = reference.split('/').at(-1) ?? ''
      assert.equal(
        new Map<string, JsonSchema>(Object.entries(components)).get(name)?.properties?.['type']?.const,
        type,
      )
    }
  }
})

test("each endpoint names the interface's error codes", () => {
  const always = ['RATE_LIMITED', 'INTERNAL_ERROR']
  const codes = new Map(OPERATIONS.map(({ path, errors }) => [path, Object.keys(errors).sort()]))
  assert.deepEqual(codes.get('/v1/rfq/chains'), always.toSorted())
  assert.deepEqual(codes.get('/v1/rfq/tokens'), ['INVALID_REQUEST', 'UNSUPPORTED_CHAIN', ...always].sort())
  assert.deepEqual(codes.get('/v1/rfq/quote'), Object.keys(ERROR_STATUS).sort())
  assert.deepEqual(codes.get('/v1/rfq/status'), ['INVALID_REQUEST', ...always].sort())
  for (const path of ['orders', 'transfer', 'transfers', 'search', 'recovery'].map(
    (name) => `/v1/rfq/${name}`,
  ))
    assert.deepEqual(codes.get(path), codes.get('/v1/rfq/status'))
  for (const path of ['/v1/rfq/quote', '/v1/rfq/status'])
    assert.deepEqual(codes.get(`${path}/stream`), codes.get(path))
  for (const path of ['/v1/solvers', '/openapi.json', '/docs'])
    assert.deepEqual(codes.get(path), always.toSorted())
  for (const path of ['/healthz', '/readyz', '/metrics']) assert.deepEqual(codes.get(path), [])
  assert.equal(codes.size, 17)
})

/** The methods and paths that the server mounts, from Fastify's route tree. */
const mounted = async (): Promise<readonly string[]> => {
  const shared = {
    now: Date.now,
    wallTime: Date.now,
    randomId: () => 'id',
    metrics: createMetrics(),
    connections: createConnections({ perClient: 1, total: 1, clientOf: () => 'one' }),
    isDraining: () => false,
    log: () => undefined,
  }
  const app = createApp({
    ...shared,
    isUpgrade: () => false,
    bodyReader: createBodyReader(),
  })
  mountEndpoints(app, {
    ...shared,
    useCases: createTableUseCases(),
    extraEndpoints: [],
    localAccess: { hosts: new Set(), origins: new Set() },
    withMetrics: true,
    rateLimited: false,
    quotesPerClientDay: 500_000,
    clientKeys: createClientKeys(false),
  })
  await app.ready()
  const path: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', segment = '', methods] = /^([│ ]*)[└├]── (\S+)(?: \((.+)\))?$/.exec(line) ?? []
      path.splice(indent.length / 4, path.length, segment)
      return methods === undefined ? [] : [`${methods} ${path.join('')}`]
    })
}

test('the server mounts exactly the described endpoints, the logos of its pages, and its root, which redirects to the page', async () => {
  const described = OPERATIONS.map(
    ({ method, path }) => `${method === 'GET' && !path.endsWith('/stream') ? 'GET, HEAD' : method} ${path}`,
  )
  const logos = ['GET, HEAD /logos/:chainId', 'GET, HEAD /logos/:chainId/:token']
  const all = [...described, ...logos, 'GET, HEAD /', 'OPTIONS *']
  assert.deepEqual((await mounted()).toSorted(), all.toSorted())
})

test('every 429 states how many requests the server allows', () => {
  const answers = [...JSON.stringify(openApiDocument()).matchAll(/"429":\{"description":"([^"]*)"/g)]
  assert.equal(answers.length, OPERATIONS.filter(({ errors }) => 'RATE_LIMITED' in errors).length)
  const limit = ` ${REQUEST_LIMIT.max} requests in ${REQUEST_LIMIT.windowSeconds} seconds `
  for (const [, description = ''] of answers) assert.ok(description.includes(limit), description)
})

const listOf = ({ enum: list = [] }: JsonSchema): readonly unknown[] => list

test('every reason and warning code is in one list', () => {
  const { ReasonCode, WarningCode, RecipientReason } = components
  const codes = [ReasonCode, WarningCode, RecipientReason].flatMap(listOf)
  assert.ok(codes.length > 30)
  assert.equal(new Set(codes).size, codes.length)
})

/** Values that the interface spells in capitals or with hyphens, or that name a method or family. */
const SPELT_BY_THE_INTERFACE: ReadonlySet<string> = new Set([
  'ErrorCode',
  'StatusState',
  'TransferState',
  'RecoveryOutcome',
  'OrderType',
  'ApprovalMode',
  'BackendType',
])

/** The codes of the changelog's list by the name of their type. */
const changelogCodes = (): ReadonlyMap<string, readonly string[]> => {
  const text = readFileSync(join(import.meta.dirname, '../../../../../CHANGELOG.md'), 'utf8')
  const [, block = ''] = /\n### Codes\n([\s\S]*?)\n###? /.exec(text) ?? []
  const entries = block.matchAll(/^- (\w+), [^\n]*(?:\n {2}[^\n]*)*/gm)
  return new Map(
    [...entries].map(([entry, name = '']) => {
      const codes = entry.slice(entry.lastIndexOf(': ')).matchAll(/`(\w+)`/g)
      return [name, [...codes].map(([, code = '']) => code)]
    }),
  )
}

/** Lists of families and types that the interface gives with its objects. */
const NO_CODES: ReadonlySet<string> = new Set(['ChainType', 'ActionType'])

test("the changelog's list of codes is complete", () => {
  const lists = Object.entries<JsonSchema>(components)
    .filter(([name]) => !SPELT_BY_THE_INTERFACE.has(name) && !NO_CODES.has(name))
    .map(([name, schema]) => [name, listOf(schema)] as const)
    .filter(([, list]) => list.length > 0)
  assert.deepEqual(Object.fromEntries(changelogCodes()), Object.fromEntries(lists))
})

test('every value of a list of ours is in lower-case words', () => {
  for (const [name, schema] of Object.entries<JsonSchema>(components)) {
    if (SPELT_BY_THE_INTERFACE.has(name)) continue
    for (const value of listOf(schema)) assert.match(String(value), /^[a-z]+(_?[a-z0-9]+)*$/, name)
  }
})
