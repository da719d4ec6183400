import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Chain, ListedToken, QuoteAnswer, Status } from '@openrfq/sdk'
import { QuoteRequest } from '../core/order.ts'
import { docsPage } from './docs-page.ts'
import { ERROR_STATUS } from './error-status.ts'
import { openApiDocument } from './openapi.ts'
import { CHAINS, QUOTE_ANSWER, QUOTE_REQUEST, STATUS, TOKENS } from './openapi-examples.ts'
import { componentSchemas, type JsonSchema } from './openapi-schemas.ts'
import { OPERATIONS } from './operations.ts'
import { DESCRIPTIONS } from './schema-descriptions.ts'

test('the committed openapi.json is what the schemas say; `npm run openapi` writes it', () => {
  const committed = readFileSync(join(import.meta.dirname, '../../../../openapi.json'), 'utf8')
  assert.ok(committed === `${JSON.stringify(openApiDocument(), null, 2)}\n`, 'openapi.json is old')
})

test('every reference of the document leads somewhere', () => {
  const document = openApiDocument()
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)]
  assert.ok(references.length > 50)
  for (const [, path = ''] of references) {
    const target = path.split('/').reduce<unknown>((node, key) => Object(node)[key], document)
    assert.notEqual(target, undefined, path)
  }
})

test('the discriminator of a payload leads each type to the schema of that type', () => {
  const { Action } = componentSchemas()
  const { oneOf = [], discriminator } = Object(Action?.properties?.['payload'])
  assert.equal(oneOf.length, 3)
  const mapped = Object.entries<string>(discriminator.mapping)
  assert.deepEqual(
    mapped.map(([, reference]) => reference),
    oneOf.map(({ $ref }: JsonSchema) => $ref),
  )
  for (const [type, reference] of mapped) {
    const schema = componentSchemas()[reference.split('/').at(-1) ?? '']
    assert.equal(schema?.properties?.['type']?.const, type)
  }
})

test('every example is valid', () => {
  for (const chain of CHAINS.chains) Chain.parse(chain)
  for (const token of TOKENS.tokens) ListedToken.parse(token)
  QuoteRequest.parse(QUOTE_REQUEST)
  QuoteAnswer.parse(QUOTE_ANSWER)
  Status.parse(STATUS)
})

test('every description belongs to a field that exists', () => {
  const schemas = componentSchemas()
  for (const path of Object.keys(DESCRIPTIONS)) {
    const [name = '', ...fields] = path.split('.')
    const field = fields.reduce<JsonSchema | undefined>(
      (schema, key) => schema?.properties?.[key],
      schemas[name],
    )
    assert.equal(field?.description, DESCRIPTIONS[path], path)
  }
})

test("each endpoint names the interface's error codes", () => {
  const always = ['RATE_LIMITED', 'INTERNAL_ERROR']
  const codes = new Map(OPERATIONS.map(({ path, errors }) => [path, Object.keys(errors).sort()]))
  assert.deepEqual(codes.get('/v1/rfq/chains'), always.toSorted())
  assert.deepEqual(codes.get('/v1/rfq/tokens'), ['INVALID_REQUEST', 'UNSUPPORTED_CHAIN', ...always].sort())
  assert.deepEqual(codes.get('/v1/rfq/quote'), Object.keys(ERROR_STATUS).sort())
  assert.deepEqual(codes.get('/v1/rfq/status'), ['INVALID_REQUEST', ...always].sort())
})

test('the documentation page loads nothing, runs nothing, and its links inside the page lead somewhere', () => {
  const page = docsPage()
  assert.doesNotMatch(page, /<script|<link|<img|<iframe|@import|url\(|https?:\/\/|style="/)
  const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) assert.ok(ids.has(id), id)
})
