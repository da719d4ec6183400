import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSoak } from 'openrfq/test/soak.ts'
import type { Hex } from 'viem'
import { chooseMutants, compileMutant, findFailure } from '../solidity-mutants.ts'
import { ROUTER_CASES } from './cases.ts'
import { ROUTER_MUTANTS } from './router-mutants.ts'
import { ROUTER_ARTIFACT } from './site.ts'
import { startSides, withRouter } from './world.ts'

let started: Awaited<ReturnType<typeof startSides>>
before(async () => {
  started = await startSides()
})
after(() => started.stop())

const failureOf = (code: Hex) =>
  findFailure(started.sides, () => withRouter(started.sides, code), ROUTER_CASES)

for (const mutant of chooseMutants(ROUTER_MUTANTS, openSoak()))
  test(`a changed router is caught: ${mutant.name}`, async (t) => {
    const failure = await failureOf(compileMutant('router/ExpressRouter.sol', 'ExpressRouter', mutant))
    assert.ok(failure !== undefined, 'no case notices')
    t.diagnostic(failure)
  })

test('the unchanged router passes every case, also after the changed ones', async () => {
  assert.equal(await failureOf(ROUTER_ARTIFACT.bytecode), undefined)
})
