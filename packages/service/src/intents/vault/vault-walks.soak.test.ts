import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { crashable, startLife } from '../../../test/crashable.ts'
import { openOwnStore } from '../../../test/outbox-world.ts'
import { seeded } from '../../../test/seeded.ts'
import { openSoak } from '../../../test/soak.ts'
import { TERMS, testUnmatchedTermsOf } from '../../../test/test-deposits.ts'
import { createTestVault, DAILY_LIMIT, passSeconds, unsettledDeposits } from '../../../test/test-vault.ts'
import { summarizeDeposits } from './deposit-summary.ts'
import { obligationsOf, obligationsOfUnmatched } from './obligations.ts'

const OVER_SECONDS = 70
const DAY_SECONDS = 86_400

let files: Awaited<ReturnType<typeof openOwnStore>>
before(async () => {
  files = await openOwnStore()
})
after(() => files.remove())

const { seed, of } = openSoak()
const WALKS = of(300)
const AT_ONCE = 30

type World = ReturnType<typeof createTestVault>

/** The most that the vault paid in the token with a daily limit within a day that ends with one of its payouts. */
const mostPaidPerDay = ({ origin }: World): bigint => {
  const payouts = origin.landed().filter(({ from, token }) => from === 'vault' && token === 'other')
  return payouts.reduce((most, { timestampSeconds: end }) => {
    const sum = payouts
      .filter(({ timestampSeconds }) => timestampSeconds <= end && timestampSeconds > end - DAY_SECONDS)
      .reduce((total, { amount }) => total + amount, 0n)
    return sum > most ? sum : most
  }, 0n)
}

/**
 * Random deposits and fills with kills, forks and failing payments. At the end every obligation is paid exactly once, and
 * never more than the limit in a day.
 */
const walkVault = async (walkSeed: number): Promise<void> => {
  const random = seeded(walkSeed)
  const pick = <Value>(values: readonly [Value, ...Value[]]): Value =>
    values[Math.floor(random() * values.length)] ?? values[0]
  const store = files.store()
  const world = createTestVault(store, random)
  await world.startService().facts.round()
  const quotes = [await world.quote(), await world.quote()]
  const act = (): void => {
    const { orderId, muxedId } = pick([quotes[0], quotes[1]]) ?? {}
    const amount = pick([1_000n, 1_000n, 600n, 400n, 9n, 1_500n])
    if (random() < 0.5)
      world.origin.pay(
        world.deposit({
          amount,
          muxedId: pick([muxedId, muxedId, muxedId, 77n]),
          token: pick(['token', 'token', 'other']),
        }),
      )
    if (orderId !== undefined && random() < 0.2) world.destination.pay(world.fill(orderId))
    if (random() < 0.15) world.origin.fork()
    if (random() < 0.2) world.origin.advance(15)
    if (random() < 0.1) world.destination.advance(40)
  }
  for (let lives = 0; lives < 4; lives += 1) {
    const life = startLife(5 + Math.floor(random() * 40))
    const service = world.startService(crashable(store, life, random))
    const live = async (): Promise<void> => {
      for (let second = 0; second < 4; second += 1) {
        act()
        await passSeconds(world, service, 1)
      }
    }
    await Promise.race([live(), life.over])
    life.left = 0
  }
  world.origin.advance(OVER_SECONDS)
  world.destination.advance(3 * OVER_SECONDS)
  const service = world.startService()
  const { chainId } = world.origin.chain
  for (let tries = 0; tries < 40; tries += 1) {
    await passSeconds(world, service, 5)
    if (!(await unsettledDeposits(store)).some((one) => one.chainId === chainId)) break
    if (!service.guard.isHolding()) continue
    world.origin.advance(DAY_SECONDS)
    world.destination.advance(DAY_SECONDS)
  }
  const deposits = world.origin.landed().filter(({ to }) => to === 'vault')
  const stored = new Map<string, string | undefined>()
  for (const { orderId } of quotes)
    for (const { txHash, role } of await store.findPayments(orderId))
      if (role === 'deposit') stored.set(txHash, orderId)
  const end = world.now() / 1000
  const owed = quotes.flatMap(({ orderId, order }) => {
    const own = deposits.filter(({ txHash }) => stored.get(txHash) === orderId)
    const isFilled = world.destination.landed().some((one) => {
      return one.memo === orderId && one.timestampSeconds <= order.fillDeadline
    })
    return obligationsOf({
      orderId,
      order,
      deposits: summarizeDeposits({ order, deposits: own, finalSeconds: end, terms: TERMS }),
      fill: isFilled ? 'filled' : 'impossible',
    }).owed
  })
  const strays = deposits.filter(({ txHash }) => !stored.has(txHash))
  const expected = [
    ...owed,
    ...strays.flatMap((one) => obligationsOfUnmatched(one, testUnmatchedTermsOf(one.token)).owed),
  ]
  assert.deepEqual(
    world.paid().map(String).toSorted(),
    expected.map(({ recipient, token, amount }) => String([recipient, token, amount])).toSorted(),
    `seed ${walkSeed}`,
  )
  const most = mostPaidPerDay(world)
  assert.ok(most <= DAILY_LIMIT, `seed ${walkSeed}: ${most} paid in a day`)
}

test(`${WALKS} walks of deposits, fills, forks and kills pay every obligation exactly once, within the daily limit`, async () => {
  for (let first = 0; first < WALKS; first += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, WALKS - first) }, (_, index) => walkVault(seed + first + index)),
    )
})
