import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSoak } from 'openrfq/test/soak.ts'
import { numberToHex } from 'viem'
import { chooseMutants, compileMutant, findFailure } from '../solidity-mutants.ts'
import { ROUTER_CASES } from './cases.ts'
import { ROUTER_MUTANTS } from './router-mutants.ts'
import { startSides, withRouter } from './world.ts'

let started: Awaited<ReturnType<typeof startSides>>
before(async () => {
  started = await startSides()
})
after(() => started.stop())

for (const [index, mutant] of chooseMutants(ROUTER_MUTANTS, openSoak()).entries())
  test(`a changed router is caught: ${mutant.name}`, async (t) => {
    const code = compileMutant('router/ExpressRouter.sol', 'ExpressRouter', mutant)
    const world = await withRouter(started.sides, code, numberToHex(index + 1, { size: 32 }))
    const failure = await findFailure(world, ROUTER_CASES)
    assert.ok(failure !== undefined, 'no case notices')
    t.diagnostic(failure)
  })

test('the unchanged router passes every case, also after the changed ones', async () => {
  assert.equal(await findFailure(await withRouter(started.sides), ROUTER_CASES), undefined)
})
