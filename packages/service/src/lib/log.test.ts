import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeError } from './log.ts'

const CAUSE = new Error('connection refused')

test('an error with a code is described by its message, its causes and its code, without a stack', () => {
  const error = Object.assign(new Error('no endpoint answered', { cause: CAUSE }), { code: 'NO_ANSWER' })
  assert.deepEqual(describeError(error), {
    message: 'no endpoint answered: connection refused',
    code: 'NO_ANSWER',
  })
})

test('an error without a code is a fault of the program and described with its stack', () => {
  const error = new TypeError('x is not a function')
  assert.deepEqual(describeError(error), { message: 'x is not a function', stack: error.stack })
})

test('what is no error is written as it is', () => {
  assert.equal(describeError('text'), 'text')
})
