import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { runChaos } from './chaos.ts'

const numberOf = (name: string, fallback: number): number => Number(process.env[name] || fallback)

const [transfers, kills] = [numberOf('CHAOS_TRANSFERS', 14), numberOf('CHAOS_KILLS', 5)]
const seed = numberOf('CHAOS_SEED', randomInt(2 ** 31))

test(`after ${kills} kill -9 over ${transfers} transfers none is lost, none is paid twice, and all are settled`, async (context) => {
  context.diagnostic(`CHAOS_SEED=${seed}`)
  const say = (line: string): void => context.diagnostic(line)
  const report = await runChaos({ transfers, kills, seed, say })
  context.diagnostic(JSON.stringify(report))
  assert.ok(report.deposits >= transfers / 2, 'most quotes were deposited for')
  assert.ok(report.done > 0 && report.kept > 0, 'some are filled, and some are refunded by the keeper')
})
