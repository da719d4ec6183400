import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptsGzip } from './accept-encoding.ts'

test('uses gzip when the client accepts it and does not prefer plain bytes', () => {
  for (const [header, accepted] of [
    ['gzip', true],
    ['gzip, deflate, br', true],
    ['br;q=1.0, GZIP;q=0.5', true],
    ['*', true],
    ['x-gzip', true],
    ['gzip;q=0', false],
    ['gzip;q=0, *', false],
    ['gzip;q=0.5, identity', false],
    ['identity;q=0.5, gzip;q=1.0', true],
    ['br', false],
    ['', false],
    [undefined, false],
    ['gzip;q=banana', true],
    [',;,=;q=', false],
  ] as const) {
    assert.equal(acceptsGzip(header), accepted, header)
  }
})
