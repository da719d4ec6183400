import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transferScenes } from 'openrfq/test/transfer-scenes.ts'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { TransferStages } from './transfer-stages.ts'
import { transferSteps, transferSummary } from './transfer-steps.ts'

const ENDS = { source: 'Arbitrum', destination: 'Solana' }

test('the component shows the sentence and every stage of the page, with its standing and time', () => {
  for (const [name, { quote, status }] of Object.entries(transferScenes(1_800_000_000_000))) {
    const transfer = { quote, status, isOffline: false }
    const html = renderToStaticMarkup(createElement(TransferStages, { transfer, ends: ENDS }))
    const { word, text } = transferSummary(status, ENDS)
    assert.ok(html.startsWith(`<div data-state="${status.state}"><p role="status">${word}. `), html)
    assert.ok(html.replaceAll('&#x27;', "'").includes(`${word}. ${text}</p>`), html)
    const steps = transferSteps(quote, status, ENDS)
    const shown = [
      ...html.matchAll(
        /<li data-standing="(\w+)"[^>]*><strong>([^<]+)<\/strong>( <time dateTime="([^"]+)")?/g,
      ),
    ]
    assert.deepEqual(
      shown.map(([, standing, title, , at]) => ({ standing, title, at })),
      steps.map(({ standing, title, at }) => ({ standing, title, at })),
      name,
    )
    assert.equal(
      [...html.matchAll(/aria-current="step"/g)].length,
      steps.filter((step) => step.standing === 'current').length,
    )
  }
})

test('a hostile name of a chain is text', () => {
  const { quote, status } = transferScenes(1_800_000_000_000)['pending'] ?? assert.fail()
  const ends = { source: '<img src=x>', destination: '<script>' }
  const html = renderToStaticMarkup(
    createElement(TransferStages, { transfer: { quote, status, isOffline: true }, ends }),
  )
  assert.doesNotMatch(html, /<img|<script/)
  assert.match(html, /The service cannot be reached now\.<\/p>/)
})
