import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ExecutionError } from '@openrfq/sdk'
import { failureText } from './failure-text.ts'

const sent = [{ actionId: 'approve', txHash: '0x1' }]

test('the console says that nothing was sent only where nothing was sent', () => {
  for (const code of ['no_quote', 'unsafe', 'wrong_wallet', 'unsupported'] as const) {
    assert.match(failureText(new ExecutionError(code, 'why')), /Nothing was sent\. \(why\)$/)
    const after = failureText(new ExecutionError(code, 'why', { sent }))
    assert.doesNotMatch(after, /Nothing was sent/)
    assert.match(after, / The payment was not sent\. Sent before: approve\. \(why\)$/)
  }
  for (const code of ['expired', 'unreachable', 'refused', 'reverted', 'uncertain', 'no_message'] as const)
    assert.doesNotMatch(failureText(new ExecutionError(code, 'why')), /Nothing was sent/)
  assert.equal(failureText(new TypeError('ours')), 'ours')
})
