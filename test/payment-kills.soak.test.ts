import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSoak } from 'openrfq/test/soak.ts'
import { runPaymentKills } from './payment-kill.ts'

const { seed, of } = openSoak()
const kills = of(50)
/** One for each wallet at least. */
const transfers = Math.max(6, kills)

test(`after ${kills} kill -9, forks and lost payments nothing is paid twice on any payment chain, and everything is settled`, async (context) => {
  const say = (line: string): void => context.diagnostic(line)
  const report = await runPaymentKills({ transfers, kills, faults: Math.ceil(kills / 2), seed, say })
  context.diagnostic(JSON.stringify(report))
  assert.ok(report.deposits >= transfers / 2, 'most quotes were deposited for')
  assert.ok(report.done > 0, 'some are filled')
})
