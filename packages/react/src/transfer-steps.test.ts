import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transferScenes } from 'openrfq/test/transfer-scenes.ts'
import { transferSteps, transferSummary } from './transfer-steps.ts'

const ENDS = { source: 'Arbitrum', destination: 'Solana' }
const SCENES = transferScenes(1_800_000_000_000)

/** The standings of a scene's steps, as `id standing`. */
const walk = (name: string): readonly string[] => {
  const scene = SCENES[name]
  assert.ok(scene)
  return transferSteps(scene.quote, scene.status, ENDS).map(({ id, standing }) => `${id} ${standing}`)
}

test('the stepper shows how far a transfer has come, and the refund only when it is one', () => {
  for (const [scene, steps] of Object.entries({
    awaiting: ['quoted done', 'paid current', 'crossing upcoming', 'delivered upcoming'],
    expired: ['quoted done', 'paid upcoming', 'crossing upcoming', 'delivered upcoming'],
    pending: ['quoted done', 'paid done', 'crossing current', 'delivered upcoming'],
    done: ['quoted done', 'paid done', 'crossing done', 'delivered done'],
    arrived: ['quoted done', 'paid done', 'crossing done', 'delivered current'],
    taken_back: ['quoted done', 'paid done', 'crossing current', 'delivered upcoming'],
    refund_due: [
      'quoted done',
      'paid done',
      'refund_decided done',
      'refund_sent current',
      'refunded upcoming',
    ],
    refund_sent: ['quoted done', 'paid done', 'refund_decided done', 'refund_sent done', 'refunded current'],
    refunded: ['quoted done', 'paid done', 'refund_decided done', 'refund_sent done', 'refunded done'],
    failed: ['quoted done', 'paid done', 'failed failed'],
  }))
    assert.deepEqual(walk(scene), steps, scene)
})

/** The times of a scene's steps, in seconds before the scene, as `id seconds`. */
const times = (name: string): readonly string[] => {
  const { quote, status } = SCENES[name] ?? assert.fail()
  return transferSteps(quote, status, ENDS).flatMap(({ id, at }) =>
    at === undefined ? [] : `${id} ${(1_800_000_000_000 - Date.parse(at)) / 1_000}`,
  )
}

test('each stage has a time: that of the chain, or else when the service saw it first', () => {
  assert.deepEqual(times('done').slice(1), ['paid 12', 'delivered 4'])
  assert.deepEqual(times('refunded').slice(1), ['paid 12', 'refund_decided 7', 'refund_sent 5', 'refunded 3'])
  assert.deepEqual(times('refund_sent').slice(1), ['paid 12', 'refund_decided 7', 'refund_sent 5'])
})

const passedIn = (name: string, stages: readonly (readonly [string, number])[] = []) => {
  const { quote, status } = SCENES[name] ?? assert.fail()
  const more = stages.map(([stage, seconds]) => ({
    ...{ state: 'PENDING' as const, stage },
    at: new Date(1_800_000_000_000 - seconds * 1_000).toISOString(),
  }))
  const details = { ...status.details, stages: [...(status.details.stages ?? []), ...more] }
  // CAST: only the stages differ.
  const steps = transferSteps(quote, { ...status, details } as typeof status, ENDS)
  const { text, passed = [] } = steps.find(({ id }) => id === 'crossing') ?? assert.fail()
  return {
    text,
    passed: passed.map((one) => `${one.text} ${(1_800_000_000_000 - Date.parse(one.at)) / 1_000}`),
  }
}

test('the stages of a crossing stay with their times, the present one apart', () => {
  const seen = 'The payment is in a block. It counts once the block is final. 11'
  const final = 'The payment is final. A solver pays the recipient now.'
  assert.deepEqual(passedIn('pending'), { text: final, passed: [seen] })
  assert.deepEqual(passedIn('done'), { text: undefined, passed: [seen, `${final} 9`] })
})

test('a stage that is new, unreadable or told twice adds nothing to the crossing', () => {
  const stages = [
    ['called', 8],
    ['called', 7],
    ['chain_unreadable', 6],
    ['stage_of_tomorrow', 5],
  ] as const
  const { passed } = passedIn('done', stages)
  assert.deepEqual(passed.slice(2), ['Axelar has seen the payment. 8'])
})

test('a transaction that failed is no payment', () => {
  const scene = SCENES['failed']
  assert.ok(scene)
  const steps = transferSteps(scene.quote, { ...scene.status, source: null }, ENDS)
  assert.deepEqual(
    steps.map(({ title, standing }) => [title, standing]),
    [
      ['Quote given', 'done'],
      ['Payment on Arbitrum', 'failed'],
    ],
  )
})

test('every state has a summary in words that name the chain', () => {
  for (const [name, { status }] of Object.entries(SCENES)) {
    const { word, text } = transferSummary(status, ENDS)
    assert.match(word, /^[A-Z][a-z ]+$/, name)
    assert.match(text, /^[A-Z].+\.$/, name)
    assert.doesNotMatch(text, /_|undefined/, name)
  }
  const late = SCENES['late']
  assert.ok(late)
  assert.equal(transferSummary(late.status, ENDS).word, 'Late')
})

test('the page says Done only for a delivery that is final', () => {
  const words = Object.entries(SCENES).map(([name, { status }]) => [name, transferSummary(status, ENDS).word])
  assert.deepEqual(
    words.filter(([, word]) => word === 'Done').map(([name]) => name),
    ['done'],
  )
  assert.equal(new Map(words.map(([name, word]) => [name, word])).get('arrived'), 'Arrived')
})

test('a state, stage or reason of a newer service does not break the page', () => {
  const scene = SCENES['pending']
  assert.ok(scene)
  // CAST: what a newer service may send.
  const newer = {
    ...scene.status,
    state: 'PAUSED',
    details: { stage: 'new', reasonCode: 'new' },
  } as typeof scene.status
  assert.equal(transferSummary(newer, ENDS).word, 'PAUSED')
  assert.equal(transferSteps(scene.quote, newer, ENDS).length, 4)
})
