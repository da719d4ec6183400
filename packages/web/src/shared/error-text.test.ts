import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorText } from './error-text.ts'

test('a part of the page that an upgrade took away is named as such, in the words of every browser', () => {
  for (const said of [
    'Failed to fetch dynamically imported module: https://rfq.example/assets/part-A.js',
    'error loading dynamically imported module: https://rfq.example/assets/part-A.js',
    'Importing a module script failed.',
  ])
    assert.match(errorText(new TypeError(said)), /Load the page again\.$/)
  assert.equal(errorText('why'), 'why')
})
