import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { IntentOrder } from '@openrfq/contracts/test/intent-order.ts'
import { eventually } from 'openrfq/test/eventually.ts'
import { type SolverWorld, startSolverWorld } from 'openrfq/test/solver-world.ts'
import { zeroAddress } from 'viem'

const UNIT = 10n ** 18n
const RELEASED = 2
const REFUNDED = 3
const KILLS = Number(process.env['SOLVER_KILLS'] ?? 3)
const ORDERS_PER_LIFE = 2
const DEADLINE_MS = 40_000

let world: SolverWorld
let child: ChildProcess | undefined
let output = ''

const start = (): ChildProcess => {
  const config = world.config()
  const file = join(config.dataDirectory, 'solver.json')
  writeFileSync(file, JSON.stringify(config))
  const started = spawn(
    process.execPath,
    ['packages/service/src/cli/rfq.ts', 'solver', '--config', file, '--json'],
    {
      cwd: join(import.meta.dirname, '..'),
      env: { ...process.env, RFQ_SOLVER_KEY: world.privateKey },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  )
  started.stdout?.on('data', (chunk) => {
    output = `${output}${String(chunk)}`.slice(-20_000)
  })
  return started
}
const kill = async (victim: ChildProcess, signal: NodeJS.Signals): Promise<unknown> => {
  assert.equal(victim.exitCode, null, `the solver ended by itself:\n${output}`)
  const exited = once(victim, 'exit')
  victim.kill(signal)
  const [code] = await exited
  return code
}
const until = (condition: () => Promise<boolean>, name: string): Promise<true> =>
  eventually(() => `${name}\n${output}`, condition)

before(async () => {
  world = await startSolverWorld()
})
after(async () => {
  if (child?.exitCode === null) await kill(child, 'SIGKILL')
  await world.stop()
})

test('whenever the solver is killed, every deposit is filled once and repaid once', async () => {
  const orders: IntentOrder[] = []
  // Nobody is named in an order before it has quoted, and a solver quotes only once it has begun to watch.
  child = start()
  await once(child, 'message', { signal: AbortSignal.timeout(DEADLINE_MS) })
  await kill(child, 'SIGKILL')
  for (let life = 0; life < KILLS; life += 1) {
    child = start()
    for (let count = 0; count < ORDERS_PER_LIFE; count += 1) {
      const assets = count % 2 === 0 ? {} : { inputToken: zeroAddress, outputToken: zeroAddress }
      orders.push(await world.open({ inputAmount: 100n * UNIT, outputAmount: 99n * UNIT, ...assets }))
    }
    await pause(randomInt(600, 2_500))
    await kill(child, 'SIGKILL')
  }
  child = start()
  for (const order of orders)
    await until(async () => (await world.statusOf(world.a, order)) === RELEASED, 'a repayment')
  for (const order of orders)
    assert.deepEqual(await world.eventsOf(order), { Filled: 1, Proved: 1, Released: 1 })
  assert.equal(await world.failures(world.b), 0)
})

test('a parent changes the mode over the IPC channel', async () => {
  child?.send({ mode: 'declining' })
  const order = await world.open({ inputAmount: 100n * UNIT, outputAmount: 99n * UNIT })
  await until(async () => (await world.statusOf(world.a, order)) === REFUNDED, 'the refund')
})

test('SIGTERM ends the solver with exit code 0', async () => {
  assert.ok(child)
  assert.equal(await kill(child, 'SIGTERM'), 0)
})

test('a wrong configuration is a usage error that shows no key', async () => {
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
