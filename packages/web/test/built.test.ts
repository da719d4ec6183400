import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { readPages } from 'openrfq/src/http/pages.ts'
import { BUILT, buildPages } from '../build.ts'

const MOST_PAGE_BYTES = 150_000

const committed = readPages(BUILT)

/** The files that a page names. */
const assetsOf = (page: string): readonly string[] =>
  [...(committed.get(page) ?? '').matchAll(/(?:src|href)="[^"]*(assets\/[^"]+)"/g)].map(
    ([, name = '']) => name,
  )

test('the committed pages are those of the sources; `npm run web` writes them', async () => {
  const built = await buildPages()
  assert.deepEqual([...committed.keys()].toSorted(), [...built.keys()].toSorted(), 'run npm run web')
  for (const [name, text] of built)
    assert.ok(committed.get(name) === text, `${name} is outdated: run npm run web`)
})

test('the transfer page takes at most 150 kB', () => {
  const assets = assetsOf('transfer.html')
  assert.equal(assets.length, 3)
  const bytes = assets.map((name) => gzipSync(committed.get(name) ?? '', { level: 9 }).length)
  assert.ok(bytes.every((size) => size > 100))
  const total = bytes.reduce((sum, size) => sum + size, 0)
  assert.ok(total <= MOST_PAGE_BYTES, `${total} bytes`)
})

test('no page has inline scripts or styles, or names another host', () => {
  for (const [name, text] of committed) {
    if (!name.endsWith('.html')) continue
    assert.doesNotMatch(text, /<style|style="|<script>|\son\w+="|https?:/, name)
  }
})
