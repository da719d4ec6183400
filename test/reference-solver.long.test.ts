import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { eventually } from 'openrfq/test/eventually.ts'
import { type SolverProcess, startSolverProcess } from 'openrfq/test/solver-process.ts'
import { type SolverWorld, startSolverWorld } from 'openrfq/test/solver-world.ts'

const UNIT = 10n ** 18n
const REFUNDED = 2

let world: SolverWorld
let solver: SolverProcess
before(async () => {
  world = await startSolverWorld()
  solver = startSolverProcess(world.config(), { RFQ_SOLVER_KEY: world.privateKey })
  // An order names a solver only after it has quoted, and a solver quotes only after its watchers have started.
  await solver.message()
})
after(async () => {
  await world.stop()
})

test('a parent changes the mode over the IPC channel', async () => {
  solver.send({ mode: 'declining' })
  const order = await world.open({ inputAmount: 100n * UNIT, outputAmount: 99n * UNIT })
  await eventually(
    () => `the refund\n${solver.said()}`,
    async () => (await world.statusOf(world.a, order)) === REFUNDED,
  )
})

test('SIGTERM ends the solver with exit code 0', async () => {
  assert.equal(await solver.kill('SIGTERM'), 0)
})

test('an invalid configuration is a usage error that shows no key', async () => {
  const { dataDirectory } = world.config()
  const file = join(dataDirectory, 'wrong.json')
  writeFileSync(
    file,
    JSON.stringify({ ...world.config(), privateKey: 'secret', strategy: { spreadBps: -1 } }),
  )
  const wrong = spawn(process.execPath, ['packages/service/src/cli/rfq.ts', 'solver', '--config', file], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  wrong.stderr.on('data', (chunk) => {
    said += String(chunk)
  })
  const [code] = await once(wrong, 'close')
  assert.equal(code, 2)
  assert.match(said, /spreadBps/)
  assert.doesNotMatch(said, /secret/)
})
