import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { isPath, namedPaths } from './named-paths.ts'

const ROOT = join(import.meta.dirname, '..')

test('finds paths in backticks and links, and no HTTP paths, packages, words or addresses', () => {
  const page = [
    'See `core/order.ts`, [the rules](tools/structure.ts) and [a part](docs/operations.md#vaults).',
    '`/v1/rfq/quote`, `@openrfq/sdk`, `npm run check`, `main.ts`, [Foundry](https://getfoundry.sh), [here](#part)',
  ].join('\n')
  assert.deepEqual(namedPaths(page), ['core/order.ts', 'tools/structure.ts', 'docs/operations.md'])
})

test('a path of the repository or of the service exists, also without its ending and with a member', () => {
  for (const path of [
    'packages/sdk/src',
    'core/order.ts',
    'core/order',
    'core/transfer.advance',
    'docs/*.md',
  ])
    assert.equal(isPath(ROOT, path), true, path)
  for (const path of ['core/no-order.ts', 'core/no-order', 'no/transfer.advance', 'docs/*.none'])
    assert.equal(isPath(ROOT, path), false, path)
})
