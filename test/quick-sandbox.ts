import { serveSandbox } from '@openrfq/sandbox/src/serve-sandbox.ts'
import { SANDBOX_SECONDS } from '@openrfq/sandbox/src/solvers/plan.ts'
import { QUICK_BLOCK_MS } from '@openrfq/sandbox/test/quick-blocks.ts'
import { PATIENT_SECONDS } from './intent-seconds.ts'

// Serves a sandbox for tests, with quick blocks. With the word `patient` payments and fills may take ten minutes; with `kinds-of-gas`
// the second chain has legacy gas prices, and the third charges beside gas like the OP stack.
const isPatient = process.argv.includes('patient')
serveSandbox({
  blockMs: QUICK_BLOCK_MS,
  intentSeconds: isPatient ? PATIENT_SECONDS : SANDBOX_SECONDS,
  ...(process.argv.includes('kinds-of-gas')
    ? { legacyGas: ['sandbox-b'], l1Fees: { 'sandbox-c': 'op-stack' as const } }
    : {}),
})
