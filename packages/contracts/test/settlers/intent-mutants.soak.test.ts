import { after, before } from 'node:test'
import type { Hex } from 'viem'
import { findFailure, testMutants } from '../solidity-mutants.ts'
import { CASES } from './cases.ts'
import { INTENT_MUTANTS } from './intent-mutants.ts'
import { SETTLER_ARTIFACT, startSides, withSettler } from './world.ts'

let started: Awaited<ReturnType<typeof startSides>>
before(async () => {
  started = await startSides()
})
after(() => started.stop())

const failureOf = (code: Hex) => findFailure(started.sides, () => withSettler(started.sides, code), CASES)

testMutants({
  subject: 'settler',
  file: 'settlers/IntentSettler.sol',
  contract: 'IntentSettler',
  mutants: INTENT_MUTANTS,
  unchanged: SETTLER_ARTIFACT.bytecode,
  failureOf,
})
