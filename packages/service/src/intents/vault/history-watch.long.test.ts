import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openOwnStore } from '../../../test/outbox-world.ts'
import {
  openStellarWorld,
  RETAINED_LEDGERS,
  type Rewrite,
  type StellarWorld,
} from '../../../test/stellar-world.ts'
import { TERMS, testUnmatchedTermsOf } from '../../../test/test-deposits.ts'
import { createPaymentIndex } from './payment-index.ts'

let world: StellarWorld

before(async () => {
  world = await openStellarWorld()
  // The node's history is as long as it gets.
  for (let more = 0; more < RETAINED_LEDGERS; more += 1) await closeLedger()
})
after(() => world.close())

const closeLedger = (): Promise<void> => world.closeLedger(5)

/** An index of a vault whose payments are read through endpoints with other answers. */
const indexBehind = async (rewrites: readonly Rewrite[]) => {
  const urls: string[] = []
  for (const rewrite of rewrites) urls.push(await world.startRelay(rewrite))
  const chain = world.connect(urls)
  await chain.start()
  const files = await openOwnStore()
  const lines: string[] = []
  const { signingMarks } = chain
  assert.ok(signingMarks)
  const index = createPaymentIndex({
    vaults: [
      {
        chain,
        signingMarks,
        vault: world.user(0).publicKey(),
        treasury: [],
        readAfter: undefined,
        tokens: [world.token('XLM')],
        dustOf: TERMS.dustOf,
        unmatchedTermsOf: testUnmatchedTermsOf,
        dailyLimitOf: () => undefined,
      },
    ],
    paymentChains: new Map([[chain.chainId, chain]]),
    terms: { depositGraceSeconds: 5 },
    store: files.store(),
    now: world.now,
    log: (level, event) => lines.push(`${level} ${event}`),
  })
  /** Closes ledgers, then reads. */
  const passLedgers = async (count: number): Promise<void> => {
    for (let more = 0; more < count; more += 1) await closeLedger()
    const number = world.height()
    await world.until(() => chain.head()?.number === number)
    await index.round()
  }
  const alarms = (): readonly string[] => lines.filter((line) => line.includes('payment_history'))
  const stop = async (): Promise<void> => {
    await chain.stop()
    await files.remove()
  }
  return { index, lines, passLedgers, alarms, stop }
}

test('alarms once when reading is behind by more than a quarter of the history, and says when it caught up', async () => {
  let isReadable = true
  const flaky: Rewrite = (method, result) => (method === 'getEvents' && !isReadable ? undefined : result)
  const { index, passLedgers, alarms, stop } = await indexBehind([flaky])
  await passLedgers(2)
  assert.deepEqual([alarms(), index.historiesUsed()], [[], [{ chainId: world.node.chainId, used: 0 }]])
  isReadable = false
  await passLedgers(RETAINED_LEDGERS / 4 - 3)
  assert.deepEqual(alarms(), [])
  await passLedgers(12)
  await passLedgers(12)
  assert.deepEqual(alarms(), ['error payment_history_running_out'])
  const [{ used = 0 } = {}] = index.historiesUsed()
  assert.ok(used > 0.25 && used < 1, `${used}`)
  isReadable = true
  await passLedgers(13)
  assert.deepEqual(alarms(), ['error payment_history_running_out', 'info payment_history_caught_up'])
  await stop()
})

test('one endpoint of three that claims a long history delays no alarm, and one with a short one raises none', async () => {
  for (const [oldest, expected] of [
    [1, ['error payment_history_running_out']],
    [999_999_999, []],
  ] as const) {
    let isReadable = true
    const unread: Rewrite = (method, result) => (method === 'getEvents' && !isReadable ? undefined : result)
    const liar: Rewrite = (method, result) =>
      method === 'getTransaction' ? { ...result, oldestLedger: oldest } : unread(method, result)
    const { index, lines, passLedgers, alarms, stop } = await indexBehind([unread, liar, unread])
    await passLedgers(1)
    assert.deepEqual([index.isCurrent(world.node.chainId), lines], [true, []])
    isReadable = false
    await passLedgers(expected.length === 0 ? 12 : 24)
    assert.deepEqual(alarms(), expected)
    await stop()
  }
})
