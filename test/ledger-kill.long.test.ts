import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { runLedgerKills } from './ledger-kill.ts'

const numberOf = (name: string, fallback: number): number => Number(process.env[name] || fallback)

const kills = numberOf('LEDGER_KILLS', 3)
const isLong = kills > 10
const transfers = numberOf('LEDGER_TRANSFERS', isLong ? kills : 6)
const seed = numberOf('LEDGER_SEED', randomInt(2 ** 31))

test(`after ${kills} kill -9, forks and lost payments nothing is paid twice on any ledger, and all is settled`, async (context) => {
  context.diagnostic(`LEDGER_SEED=${seed}`)
  const say = (line: string): void => context.diagnostic(line)
  const faults = isLong ? Math.ceil(kills / 2) : 2
  const report = await runLedgerKills({ transfers, kills, faults, spoilsVault: isLong, seed, say })
  context.diagnostic(JSON.stringify(report))
  assert.ok(report.deposits >= transfers / 2, 'most quotes were deposited for')
  assert.ok(report.done > 0, 'some are filled')
})
