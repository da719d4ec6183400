import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { COMPONENTS } from '../openapi/components.ts'
import { RECORDINGS } from '../openapi/recordings.ts'
import { OPERATIONS } from '../operations.ts'
import { textOf } from './examples.ts'
import { html, prose } from './markup.ts'
import { DOCS_POLICY, docsPage } from './page.ts'

const page = docsPage()
/** Paths whose answers the page shows. */
const SHOWN = OPERATIONS.filter(({ tag }) => tag === 'quotes' || tag === 'solvers')
const SHOWN_IDS = new Set(SHOWN.map(({ operationId }) => operationId))

test('the page loads nothing, and every link within the page has a target', () => {
  assert.doesNotMatch(page, /<img|<iframe|@import|url\(|src=|https?:\/\/|style="/)
  assert.deepEqual(page.match(/<link[^>]*>/g), ['<link rel="icon" href="data:,">'])
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  assert.equal(new Set(ids).size, ids.length)
  for (const [, id] of page.matchAll(/(?:href="#|for="|data-fills=")([^"]+)"/g))
    assert.ok(ids.includes(id), id)
})

test('the policy allows only the script and the style of the page', () => {
  for (const [directive, tag] of [
    ['script-src', 'script'],
    ['style-src', 'style'],
  ] as const) {
    const texts = [...page.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))]
    const hashes = texts.map(
      ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
    )
    assert.equal(hashes.length, 1)
    assert.ok(DOCS_POLICY.split('; ').includes(`${directive} ${hashes[0]}`), tag)
  }
})

test('the page contains every member, value and recorded answer of the interface', () => {
  const apart = new Set(['Health', 'Readiness', 'ReadinessStatus'])
  for (const [name, { members, values }] of Object.entries(COMPONENTS)) {
    if (apart.has(name)) continue
    for (const text of [...Object.values(members), ...Object.values(values)])
      assert.ok(page.includes(prose(text)), `${name}: ${text}`)
  }
  for (const recording of RECORDINGS)
    if (SHOWN_IDS.has(recording.operationId))
      assert.ok(page.includes(html(textOf(recording))), `${recording.operationId} ${recording.name}`)
})

test('every form with a body starts from an example', () => {
  const bodies = [...page.matchAll(/<textarea[^>]*>([^<]*)<\/textarea>/g)].map(([, text = '']) => text)
  assert.equal(bodies.length, SHOWN.filter(({ body }) => body !== undefined).length)
  for (const text of bodies) assert.match(text, /^{/)
})

test('the page has a form for each endpoint of the interface that answers once', () => {
  const forms = [...page.matchAll(/data-method="(\w+)" data-path="([^"]+)"/g)].map(([, method, path]) => [
    method,
    path,
  ])
  assert.deepEqual(
    forms,
    SHOWN.filter(({ path }) => !path.endsWith('/stream')).map(({ method, path }) => [method, path]),
  )
})
