import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TransferState } from '@openrfq/sdk'
import { type ErrorCode, ExecutionError, RfqError, TransportError } from '@openrfq/sdk'
import { ConfigError } from '../core/config-error.ts'
import { errorDocument, exitCodeOfError, exitCodeOfState } from './exit-code.ts'
import { UsageError } from './usage-error.ts'

const STATES: Readonly<Record<TransferState | 'NOT_FOUND', number>> = {
  DONE: 0,
  FAILED: 4,
  REFUNDED: 5,
  REFUND_INITIATED: 5,
  REFUND_PENDING: 6,
  PENDING: 6,
  AWAITING_DEPOSIT: 6,
  NOT_FOUND: 6,
}

test('the exit code of a transfer follows its state', () => {
  // CAST: Object.keys forgets that these are the states of the table above.
  for (const state of Object.keys(STATES) as (keyof typeof STATES)[])
    assert.equal(exitCodeOfState(state), STATES[state], state)
})

const CODES: Readonly<Record<ErrorCode, number>> = {
  INVALID_REQUEST: 2,
  UNSUPPORTED_CHAIN: 3,
  UNSUPPORTED_TOKEN: 3,
  UNSUPPORTED_ROUTE: 3,
  AMOUNT_OUT_OF_RANGE: 3,
  RATE_LIMITED: 1,
  INTERNAL_ERROR: 1,
}

test('the exit code of an RfqError follows its code', () => {
  // CAST: Object.keys forgets that these are the codes of the table above.
  for (const code of Object.keys(CODES) as ErrorCode[])
    assert.equal(exitCodeOfError(new RfqError(code, 'x')), CODES[code], code)
})

test('wrong usage, transport errors and failed executions have their own exit codes', () => {
  assert.equal(exitCodeOfError(new UsageError('x')), 2)
  assert.equal(exitCodeOfError(new ConfigError('x')), 2)
  assert.equal(exitCodeOfError(new TransportError('unreachable', 'x', true)), 1)
  assert.equal(exitCodeOfError(new ExecutionError('reverted', 'x')), 4)
  assert.equal(exitCodeOfError(new ExecutionError('uncertain', 'x')), 6)
  assert.equal(exitCodeOfError('anything else'), 1)
})

test('an error as JSON keeps the code and the details of the service', () => {
  assert.deepEqual(errorDocument(new RfqError('AMOUNT_OUT_OF_RANGE', 'too small', { minimum: '5' })), {
    error: { code: 'AMOUNT_OUT_OF_RANGE', message: 'too small', details: { minimum: '5' } },
  })
  assert.deepEqual(errorDocument(new ExecutionError('reverted', 'no', { actionId: 'a', txHash: '0x1' })), {
    error: { code: 'EXECUTION', message: 'no', details: { fault: 'reverted', actionId: 'a', txHash: '0x1' } },
  })
})
