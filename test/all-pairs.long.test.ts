import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { familyEnds } from './address-table.ts'
import { judgePairs, pairsBetween } from './judge-pairs.ts'
import { type SandboxService, startSandboxService } from './sandbox-service.ts'

let world: SandboxService
before(async () => {
  world = await startSandboxService({ SANDBOX_FAMILIES: 'all' })
})
after(() => world?.stop())

test('over all pairs and both order types superlatives are true, and every pair is quoted or refused', async () => {
  const pairs = pairsBetween(world.tokens)
  assert.ok(pairs.length > 250)
  await judgePairs(world, await familyEnds(world.service.url), pairs)
})
