import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNewerVersion } from './axelar-core.ts'

test('versions are compared by their numbers, not as text', () => {
  for (const [one, other, expected] of [
    ['v1.5.1', '1.5.0', true],
    ['1.10.0', 'v1.9.9', true],
    ['2.0.0', '1.99.99', true],
    ['1.6.0-rc.1', '1.5.0', true],
    ['1.5.0', 'v1.5.0', false],
    ['1.4.10', '1.5.0', false],
    ['', '1.5.0', false],
    ['main', '1.5.0', false],
    ['1.5.0.1', '1.4.0', false],
  ] as const)
    assert.equal(isNewerVersion(one, other), expected, `${one} ${other}`)
})
