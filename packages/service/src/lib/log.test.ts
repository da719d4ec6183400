import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeError } from './log.ts'

const CAUSE = new Error('connection refused')

test('describes an error with a code by message, causes and code, without a stack', () => {
  const error = Object.assign(new Error('no endpoint answered', { cause: CAUSE }), { code: 'NO_ANSWER' })
  assert.deepEqual(describeError(error), {
    message: 'no endpoint answered: connection refused',
    code: 'NO_ANSWER',
  })
})

test('describes an error without a code, a fault of the program, with its stack', () => {
  const error = new TypeError('x is not a function')
  assert.deepEqual(describeError(error), { message: 'x is not a function', stack: error.stack })
})

test('writes other values unchanged', () => {
  assert.equal(describeError('text'), 'text')
})
