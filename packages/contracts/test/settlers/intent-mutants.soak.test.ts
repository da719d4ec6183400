import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSoak } from 'openrfq/test/soak.ts'
import { numberToHex } from 'viem'
import { chooseMutants, compileMutant, findFailure } from '../solidity-mutants.ts'
import { CASES } from './cases.ts'
import { INTENT_MUTANTS } from './intent-mutants.ts'
import { SETTLER_ARTIFACT, startSides, withSettler } from './world.ts'

let started: Awaited<ReturnType<typeof startSides>>
before(async () => {
  started = await startSides()
})
after(() => started.stop())

for (const [index, mutant] of chooseMutants(INTENT_MUTANTS, openSoak()).entries())
  test(`a changed settler is caught: ${mutant.name}`, async (t) => {
    const code = compileMutant('settlers/IntentSettler.sol', 'IntentSettler', mutant)
    const world = await withSettler(started.sides, code, numberToHex(index + 1, { size: 32 }))
    const failure = await findFailure(world, CASES)
    assert.ok(failure !== undefined, 'no case notices')
    t.diagnostic(failure)
  })

test('the unchanged settler passes every case, also after the changed ones', async () => {
  const world = await withSettler(started.sides, SETTLER_ARTIFACT.bytecode)
  assert.equal(await findFailure(world, CASES), undefined)
})
