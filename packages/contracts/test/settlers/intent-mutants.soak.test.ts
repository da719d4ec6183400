import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSoak } from 'openrfq/test/soak.ts'
import type { Hex } from 'viem'
import { chooseMutants, compileMutant, findFailure } from '../solidity-mutants.ts'
import { CASES } from './cases.ts'
import { INTENT_MUTANTS } from './intent-mutants.ts'
import { SETTLER_ARTIFACT, startSides, withSettler } from './world.ts'

let started: Awaited<ReturnType<typeof startSides>>
before(async () => {
  started = await startSides()
})
after(() => started.stop())

const failureOf = (code: Hex) => findFailure(started.sides, () => withSettler(started.sides, code), CASES)

for (const mutant of chooseMutants(INTENT_MUTANTS, openSoak()))
  test(`a changed settler is caught: ${mutant.name}`, async (t) => {
    const failure = await failureOf(compileMutant('settlers/IntentSettler.sol', 'IntentSettler', mutant))
    assert.ok(failure !== undefined, 'no case notices')
    t.diagnostic(failure)
  })

test('the unchanged settler passes every case, also after the changed ones', async () => {
  assert.equal(await failureOf(SETTLER_ARTIFACT.bytecode), undefined)
})
