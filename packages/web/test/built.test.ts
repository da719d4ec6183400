import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { readPages } from 'openrfq/src/http/pages.ts'
import { BUILT, buildPages } from '../build.ts'

const MOST_PAGE_BYTES = 150_000

const committed = readPages(BUILT)

/** The files that a page loads before it is used: those that it names, and what their modules import. */
const assetsOf = (page: string): readonly string[] => {
  const named = [
    ...(committed.get(page) ?? '').matchAll(/(?:src|href)="[^"]*(assets\/[^"]+\.(?:js|css|svg))"/g),
  ]
  const found = new Set(named.map(([, name = '']) => name))
  for (const name of found)
    for (const [, part = ''] of (committed.get(name) ?? '').matchAll(
      /(?:from|import)\s*"\.\/(part-\w+\.js)"/g,
    ))
      found.add(`assets/${part}`)
  return [...found]
}

test('the committed pages are those of the sources; `npm run web` writes them', async () => {
  const built = await buildPages()
  assert.deepEqual([...committed.keys()].toSorted(), [...built.keys()].toSorted(), 'run npm run web')
  for (const [name, text] of built)
    assert.ok(committed.get(name) === text, `${name} is outdated: run npm run web`)
})

for (const page of ['transfer.html', 'console.html'])
  test(`${page} takes at most 150 kB before it is used`, () => {
    const assets = assetsOf(page)
    assert.ok(assets.length > 3)
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

test('the built files carry the licence of every package in them, and the pages name it', () => {
  const name = [...committed.keys()].find((file) => file.startsWith('assets/notices-')) ?? assert.fail()
  const text = committed.get(name) ?? ''
  for (const owner of ['react', 'react-dom', 'scheduler', 'zod', 'qr', 'viem', '@noble/curves'])
    assert.match(text, new RegExp(`^${owner} [0-9.]+ \\(.*(MIT|Apache-2.0).*\\)$`, 'm'))
  assert.match(text, /Permission is hereby granted, free of charge/)
  for (const page of ['transfer.html', 'console.html'])
    assert.ok(committed.get(page)?.includes(`${name}">`), page)
})
