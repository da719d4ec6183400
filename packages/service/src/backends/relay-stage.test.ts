import assert from 'node:assert/strict'
import { test } from 'node:test'
import { relayStage } from './relay-stage.ts'

test("maps any status of Axelar's indexer to a documented stage", () => {
  assert.equal(relayStage('confirming'), 'confirming')
  assert.equal(relayStage('error'), 'execution_error')
  for (const status of ['', 'unknown', 'insufficient_fee', 'later_addition', 'toString', '<script>'])
    assert.equal(relayStage(status), 'awaiting_relay', status)
})
