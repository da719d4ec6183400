import { after, before } from 'node:test'
import type { Hex } from 'viem'
import { findFailure, testMutants } from '../solidity-mutants.ts'
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

testMutants({
  subject: 'router',
  file: 'router/ExpressRouter.sol',
  contract: 'ExpressRouter',
  mutants: ROUTER_MUTANTS,
  unchanged: ROUTER_ARTIFACT.bytecode,
  failureOf,
})
