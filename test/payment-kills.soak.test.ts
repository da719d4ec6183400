import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSoak } from 'openrfq/test/soak.ts'
import { runPaymentKills } from './payment-kill.ts'

const { seed, of } = openSoak()
const kills = of(50)
/** At least one for each wallet. */
const transfers = Math.max(6, kills)

test(`after ${kills} kill -9, forks and lost payments, no payment is made twice and every transfer is settled`, async (context) => {
  const say = (line: string): void => context.diagnostic(line)
  const report = await runPaymentKills({ transfers, kills, faults: Math.ceil(kills / 2), seed, say })
  context.diagnostic(JSON.stringify(report))
  assert.ok(report.deposits >= transfers / 2, 'most quotes must be deposited for')
  assert.ok(report.inBalances > 0, 'some deposits must be in claimable balances')
  assert.ok(report.done > 0, 'some orders must be filled')
})
