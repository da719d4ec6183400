import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSnapshot } from './snapshot.ts'

test('the sandbox starts from the committed snapshot, and deploys nothing', () => {
  assert.ok(readSnapshot() !== undefined, 'the snapshot is outdated: run npm run snapshot')
})
