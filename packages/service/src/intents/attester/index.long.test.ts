import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startAttesterWorld } from '../../../test/attester-world.ts'
import { until } from '../../../test/eventually.ts'

let world: Awaited<ReturnType<typeof startAttesterWorld>>

before(async () => {
  world = await startAttesterWorld()
})
after(() => world.stop())

test('the sandbox runs an attester until it is stopped, and logs one that exits by itself', async () => {
  const lines: string[] = []
  const log = (_: string, message: string): void => void lines.push(message)
  const lasting = world.ownAttester({}, log)
  await lasting.start()
  await lasting.stop()
  assert.deepEqual(lines.slice(), [])
  const failing = world.ownAttester({ 'eip155:31337': -1 }, log)
  await failing.start()
  await until(() => lines.includes('sandbox_attester_exited'))
  await failing.stop()
})
