import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { crashable, startLife } from '../../test/crashable.ts'
import { memoOf, memosOn, openPayoutWorld, payoutOf } from '../../test/payout-world.ts'
import { seeded } from '../../test/seeded.ts'
import { openSoak } from '../../test/soak.ts'

const { seed, of } = openSoak()
const WALKS = of(10_000)
const AT_ONCE = 500
const IMMEDIATE = ['head', 'accountOf']
const KEYS = 2

let world: Awaited<ReturnType<typeof openPayoutWorld>>
before(async () => {
  world = await openPayoutWorld()
})
after(() => world.files.remove())

/** Some lives that each end at a random await, then one that runs to the end. */
const walk = async (walkSeed: number): Promise<void> => {
  const random = seeded(walkSeed)
  const { paymentChain, outboxOver } = world.open({ random, maximumPayouts: 1 + Math.floor(random() * 3) })
  const store = world.files.store()
  const keys = Array.from({ length: KEYS }, (_, index) => `walk ${walkSeed} ${index}`)
  const live = async (outbox: ReturnType<typeof outboxOver>, rounds: number): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) {
      for (const key of keys) await outbox.submit(payoutOf(key)).catch(() => undefined)
      paymentChain.advance(1 + Math.floor(random() * 3))
      if (random() < 0.2) paymentChain.fork()
      await outbox.round()
      const outcomes = await Promise.all(keys.map(world.outcomeOf))
      if (outcomes.every((outcome) => outcome !== undefined && outcome !== 'open')) return
    }
  }
  for (let lives = 0; lives < 3; lives += 1) {
    const life = startLife(1 + Math.floor(random() * 12))
    const outbox = outboxOver(
      crashable(paymentChain.chain, life, random, IMMEDIATE),
      crashable(store, life, random),
    )
    await Promise.race([live(outbox, 6), life.over])
    life.left = 0
    paymentChain.advance(Math.floor(random() * 4))
  }
  await live(outboxOver(paymentChain.chain), 200)
  for (const key of keys) {
    const count = memosOn(paymentChain).filter((memo) => memo === memoOf(key)).length
    const outcome = await world.outcomeOf(key)
    assert.equal(
      count,
      outcome === 'succeeded' ? 1 : 0,
      `seed ${walkSeed}: ${key} ${outcome} landed ${count} times`,
    )
    assert.notEqual(outcome, 'open')
  }
}

test(`${WALKS} walks with forks, losses and kills at any await pay nothing twice`, async () => {
  for (let first = 0; first < WALKS; first += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, WALKS - first) }, (_, index) => walk(seed + first + index)),
    )
})
