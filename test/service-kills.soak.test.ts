import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSoak } from 'openrfq/test/soak.ts'
import { runChaos } from './chaos.ts'

const { seed, of } = openSoak()
const [transfers, kills] = [of(200), of(100)]

test(`after ${kills} kill -9 over ${transfers} transfers, none is lost or paid twice, and all are settled`, async (context) => {
  const say = (line: string): void => context.diagnostic(line)
  const report = await runChaos({ transfers, kills, seed, say })
  context.diagnostic(JSON.stringify(report))
  assert.ok(report.deposits >= transfers / 2, 'most quotes must be deposited for')
  assert.ok(report.done > 0, 'some transfers must be filled')
})
