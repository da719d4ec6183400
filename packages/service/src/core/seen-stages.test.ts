import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noteStage } from './seen-stages.ts'
import { advance, awaitingDeposit, type Observation, type Transfer } from './transfer.ts'

const source = { chain: 'eip155:1', txHash: '0x1', messageId: null, timestamp: '2026-11-21T07:00:00Z' }
const destination = { chain: 'eip155:2', txHash: '0x2', timestamp: '2026-11-21T07:00:30Z' }
const output = { chain: 'eip155:2', token: '0x3', amount: '1' }
const moving = (stage: string): Observation => ({ seen: 'in_flight', source, details: { stage } })
const NOTHING: Observation = { seen: 'nothing', details: {} }
const delivered = (details: Record<string, unknown>): Observation => ({
  seen: 'delivered',
  ...{ source, destination, output, details },
})

/** The transfer after observations, one in each second. */
const after = (...observations: readonly Observation[]): Transfer =>
  observations.reduce(
    (transfer, observation, second) => {
      const next = advance(transfer, observation)
      return next === transfer ? transfer : noteStage(next, second * 1_000)
    },
    awaitingDeposit('quote_a', ''),
  )

const stagesOf = ({ details }: Transfer): unknown =>
  Array.isArray(details['stages'])
    ? details['stages'].map(({ state, stage, at }) => `${state} ${stage} ${at.slice(17, 19)}`)
    : details['stages']

test('notes each stage when it is first seen', () => {
  const transfer = after(
    NOTHING,
    moving('deposit_seen'),
    moving('deposit_seen'),
    moving('deposit_final'),
    delivered({ stage: 'delivered' }),
  )
  assert.deepEqual(stagesOf(transfer), [
    'PENDING deposit_seen 01',
    'PENDING deposit_final 03',
    'DONE delivered 04',
  ])
  assert.equal(transfer.details['stage'], 'delivered')
})

test('an observation that says nothing new leaves the transfer as it was, so nothing is saved', () => {
  const transfer = after(moving('deposit_seen'))
  assert.equal(advance(transfer, moving('deposit_seen')), transfer)
  const tentative = after(delivered({ stage: 'delivered', deliveryFinal: false }))
  assert.equal(advance(tentative, delivered({ stage: 'delivered', deliveryFinal: false })), tentative)
})

test('a stage that comes and goes a thousand times is noted once', () => {
  const flapping = Array.from({ length: 2_000 }, (_, index) =>
    moving(index % 2 === 0 ? 'deposit_seen' : 'chain_unreadable'),
  )
  assert.deepEqual(stagesOf(after(...flapping)), ['PENDING deposit_seen 00', 'PENDING chain_unreadable 01'])
})

test('stages without end are kept to a bound', () => {
  const stages = Array.from({ length: 1_000 }, (_, index) => moving(`stage_${index}`))
  const { details } = after(...stages)
  assert.equal(Array.isArray(details['stages']) && details['stages'].length, 40)
})

test('what a reorg removes is forgotten', () => {
  assert.deepEqual(stagesOf(after(moving('deposit_seen'), NOTHING)), undefined)
  assert.deepEqual(stagesOf(after(moving('deposit_seen'), NOTHING, moving('deposit_seen'))), [
    'PENDING deposit_seen 02',
  ])
})

test('a delivery that becomes final keeps the stages', () => {
  const transfer = after(
    moving('deposit_final'),
    delivered({ stage: 'delivered', deliveryFinal: false }),
    delivered({ stage: 'delivered' }),
  )
  assert.deepEqual(stagesOf(transfer), ['PENDING deposit_final 00', 'DONE delivered 01'])
  assert.equal(transfer.details['deliveryFinal'], undefined)
})
