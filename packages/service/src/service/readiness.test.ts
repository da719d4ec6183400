import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReadiness, type ReadinessWatch } from './readiness.ts'

const CHAINS = ['eip155:1', 'eip155:2']
const SECOND = 1_000

/** A service of two chains whose parts the test stops, and its clock. */
const world = (t: { readonly after: (end: () => Promise<void>) => void }, hasRoutes = true) => {
  const chains = new Set<string>()
  const hindrances = new Set<string>()
  const lines: string[] = []
  let at = 0
  let isStored = true
  let isClockWrong = false
  let whole = 0
  const watch: ReadinessWatch = createReadiness({
    ping: async () => assert.ok(isStored),
    hasRoutes,
    health: {
      missing: () => [...chains, ...(isClockWrong ? ['clock'] : [])],
      isAnyReadable: () => !isClockWrong && chains.size < CHAINS.length,
    },
    hindrances: () => [...hindrances],
    onWhole: () => {
      whole += 1
    },
    clock: { now: () => at, steady: () => at },
    log: (level, event, fields = {}) => lines.push(`${level} ${event} ${fields['missing']}`),
  })
  t.after(watch.stop)
  return {
    ...{ chains, hindrances, lines, watch },
    pass: (ms: number): void => {
      at += ms
    },
    setStored: (value: boolean): void => {
      isStored = value
    },
    setClockWrong: (value: boolean): void => {
      isClockWrong = value
    },
    wholes: () => whole,
    /** `<ready> missing <parts> degraded <parts>`. */
    said: async (): Promise<string> => {
      const { ready, missing, degraded } = await watch.read()
      return `${ready ? 200 : 503} missing ${missing.join()} degraded ${degraded.join()}`
    },
  }
}

const HEALTHY = '200 missing  degraded '

test('the start is missing until its stages have ended, and then every part that has not served yet', async (t) => {
  const { watch, hindrances, said, wholes } = world(t)
  hindrances.add('solver one').add('attester eip155:1')
  assert.equal(await said(), '503 missing start degraded ')
  await watch.start()
  assert.equal(await said(), '503 missing solver one,attester eip155:1 degraded ')
  hindrances.delete('attester eip155:1')
  assert.equal(await said(), '503 missing solver one degraded ')
  assert.equal(wholes(), 0)
  hindrances.clear()
  assert.equal(await said(), HEALTHY)
  assert.equal(wholes(), 1)
})

test('a part that has not served within thirty seconds of the start degrades the service, which says so once', async (t) => {
  const { watch, chains, hindrances, pass, said, lines, wholes } = world(t)
  chains.add('eip155:2')
  hindrances.add('solver one')
  pass(120 * SECOND)
  await watch.start()
  pass(30 * SECOND - 1)
  assert.equal(await said(), '503 missing eip155:2,solver one degraded ')
  assert.deepEqual(lines, [])
  pass(1)
  assert.equal(await said(), '200 missing  degraded eip155:2,solver one')
  assert.equal(await said(), '200 missing  degraded eip155:2,solver one')
  assert.deepEqual(lines, ['warn start_incomplete eip155:2,solver one'])
  chains.clear()
  hindrances.clear()
  assert.equal(await said(), HEALTHY)
  assert.equal(wholes(), 1)
})

/** What stops after the service was whole, and what `/readyz` says meanwhile; all return to what it said before. */
const LOSSES: readonly (readonly [
  what: string,
  stop: (one: ReturnType<typeof world>, isGone: boolean) => void,
  said: string,
])[] = [
  [
    'a solver',
    ({ hindrances }, gone) => toggle(hindrances, gone, 'solver one'),
    '200 missing  degraded solver one',
  ],
  [
    'the attester',
    ({ hindrances }, gone) => toggle(hindrances, gone, 'attester eip155:1'),
    '200 missing  degraded attester eip155:1',
  ],
  ['a chain', ({ chains }, gone) => toggle(chains, gone, 'eip155:1'), '200 missing  degraded eip155:1'],
  [
    'every chain',
    ({ chains }, gone) => {
      for (const chainId of CHAINS) toggle(chains, gone, chainId)
    },
    '503 missing eip155:1,eip155:2 degraded ',
  ],
  [
    'a solver, and with it every chain,',
    ({ chains, hindrances }, gone) => {
      for (const chainId of CHAINS) toggle(chains, gone, chainId)
      toggle(hindrances, gone, 'solver one')
    },
    '503 missing eip155:1,eip155:2 degraded solver one',
  ],
  ['the store', ({ setStored }, gone) => setStored(!gone), '503 missing store degraded '],
  ['the clock', ({ setClockWrong }, gone) => setClockWrong(gone), '503 missing clock degraded '],
]

const toggle = (set: Set<string>, isIn: boolean, name: string): void => {
  if (isIn) set.add(name)
  else set.delete(name)
}

for (const [what, stop, expected] of LOSSES)
  test(`${what} that stops after the start is named until it returns: ${expected}`, async (t) => {
    const one = world(t)
    await one.watch.start()
    assert.equal(await one.said(), HEALTHY)
    stop(one, true)
    assert.equal(await one.said(), expected)
    one.pass(3_600 * SECOND)
    assert.equal(await one.said(), expected)
    stop(one, false)
    assert.equal(await one.said(), HEALTHY)
    assert.equal(one.wholes(), 1)
  })

test('says since when each part has not served, again from its next loss', async (t) => {
  const { watch, hindrances, setStored, pass } = world(t)
  const since = async () => Object.fromEntries((await watch.read()).since)
  await watch.start()
  pass(SECOND)
  hindrances.add('solver one')
  assert.deepEqual(await since(), { 'solver one': SECOND })
  pass(SECOND)
  setStored(false)
  assert.deepEqual(await since(), { store: 2 * SECOND, 'solver one': SECOND })
  hindrances.clear()
  assert.deepEqual(await since(), { store: 2 * SECOND })
  pass(SECOND)
  hindrances.add('solver one')
  assert.deepEqual(await since(), { store: 2 * SECOND, 'solver one': 3 * SECOND })
})

test('a network file without routes is never ready', async (t) => {
  const { watch, pass, said } = world(t, false)
  await watch.start()
  pass(60 * SECOND)
  assert.equal(await said(), '503 missing routes degraded ')
})
