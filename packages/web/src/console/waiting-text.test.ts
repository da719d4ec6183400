import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitingText } from './waiting-text.ts'

test('an empty list says that the service starts, that solvers connect, or that nothing prices the pair', () => {
  assert.match(waitingText(['start']), /^The service is starting\./)
  assert.match(waitingText(['eip155:1', 'solver Reference Solver One']), /^Solvers are connecting\./)
  assert.match(waitingText(['eip155:1']), /^No backend can price this pair/)
  assert.match(waitingText([]), /^No backend can price this pair/)
})
