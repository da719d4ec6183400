import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { runPaymentKills } from './payment-kill.ts'

const numberOf = (name: string, fallback: number): number => Number(process.env[name] || fallback)

const kills = numberOf('PAYMENT_KILLS', 3)
const isLong = kills > 10
const transfers = numberOf('PAYMENT_TRANSFERS', isLong ? kills : 6)
const seed = numberOf('PAYMENT_SEED', randomInt(2 ** 31))

test(`after ${kills} kill -9, forks and lost payments nothing is paid twice on any payment chain, and everything is settled`, async (context) => {
  context.diagnostic(`PAYMENT_SEED=${seed}`)
  const say = (line: string): void => context.diagnostic(line)
  const faults = isLong ? Math.ceil(kills / 2) : 2
  const report = await runPaymentKills({ transfers, kills, faults, spoilsVault: isLong, seed, say })
  context.diagnostic(JSON.stringify(report))
  assert.ok(report.deposits >= transfers / 2, 'most quotes were deposited for')
  assert.ok(report.done > 0, 'some are filled')
})
