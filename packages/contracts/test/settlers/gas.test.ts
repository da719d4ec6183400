import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Call } from '@openrfq/sandbox/test/chain-calls.ts'
import type { IntentOrder } from '@openrfq/sandbox/test/intent-order.ts'
import { zeroAddress } from 'viem'
import { z } from 'zod'
import {
  approved,
  claimCall,
  fillCall,
  gasOf,
  openCall,
  orderOf,
  proveAndMark,
  proveCall,
  provedMessage,
  refundCall,
} from './steps.ts'
import {
  DEPOSITOR,
  SETTLER_ARTIFACT,
  SOLVER,
  STRANGER,
  startSides,
  type World,
  withSettler,
} from './world.ts'

/** What the last release used, which a release replaces by its own table. */
const RELEASED = z
  .strictObject({ release: z.string(), token: z.string(), gas: z.record(z.string(), z.int().positive()) })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'gas-of-release.json'), 'utf8')))

/** The tokens of the table: OpenZeppelin's ERC-20 without hooks, and the native asset. */
const NATIVE = { inputToken: zeroAddress, outputToken: zeroAddress }

let world: World
let stop: () => Promise<void>
before(async () => {
  const started = await startSides()
  stop = started.stop
  world = await withSettler(started.sides, SETTLER_ARTIFACT.bytecode)
  // Balances that are never zero: a first token costs its holder's slot.
  for (const side of [world.a, world.b])
    for (const holder of [world.settler, SOLVER])
      await side.run({ from: STRANGER, to: side.permitToken, data: side.encode('mint', [holder, 1n]) })
  for (const part of [plain(), NATIVE]) {
    const order = await orderOf(world, part)
    await settle(order)
    await proveAndMark(world.a, world.b, [order])
    await world.a.run(claimCall(world.a, [order], SOLVER))
  }
})
after(() => stop())

const plain = (): Partial<IntentOrder> => ({
  inputToken: world.a.permitToken,
  outputToken: world.b.permitToken,
})

const settle = async (order: IntentOrder): Promise<void> => {
  await world.a.run(openCall(world.a, order))
  await world.b.run(fillCall(world.b, order))
}

const approveExactly = ({ a }: World, amount: bigint) =>
  a.run({ from: DEPOSITOR, to: a.permitToken, data: a.encode('approve', [a.settler, amount]) })

/** A call, the gas it uses, and how much it may use. */
type Row = [what: string, gas: bigint, limit: bigint]

const widen = (words: readonly string[]): string =>
  words.map((word, index) => (index === 0 ? word.padEnd(36) : word.padStart(9))).join('')

/** The rows beside what the last release used. */
const tableOf = (rows: readonly Row[]): readonly string[] => [
  widen(['gas of', 'now', RELEASED.release, 'change', 'limit']),
  ...rows.map(([what, gas, limit]) => {
    const before = RELEASED.gas[what]
    const change = before === undefined ? '' : `${(((Number(gas) - before) * 100) / before).toFixed(1)} %`
    return widen([what, String(gas), String(before ?? '–'), change, String(limit)])
  }),
]

/** The least gas limit that a call succeeds with, to a hundred. */
const leastLimit = async (call: Call): Promise<bigint> => {
  let [low, high] = [21_000n, 1_000_000n]
  while (high - low > 100n) {
    const gas = (low + high) / 2n
    const isEnough = (await world.a.refusal({ ...call, gas })) === undefined
    if (isEnough) high = gas
    else low = gas
  }
  return high
}

test('gas stays within the published limits', async (t) => {
  const { a, b } = world
  const rows: Row[] = []
  for (const [asset, part, limits] of [
    ['ERC-20', plain(), [88_000n, 80_000n]],
    ['native', NATIVE, [66_000n, 65_000n]],
  ] as const) {
    const order = await orderOf(world, part)
    await approveExactly(world, order.inputAmount)
    rows.push([`open, ${asset}`, await gasOf(a, openCall(a, order)), limits[0]])
    rows.push([`fill, ${asset}`, await gasOf(b, fillCall(b, order)), limits[1]])
  }
  await approveExactly(world, 10n ** 18n)
  for (const count of [1, 8, 32, 100]) {
    const orders: IntentOrder[] = []
    for (let index = 0; index < count; index++) orders.push(await orderOf(world, plain()))
    for (const order of orders) await settle(order)
    const each = BigInt(count)
    const paid = proveCall(b, orders, a.axelarName, 1000n)
    rows.push([
      `prove ${count}, each`,
      (await gasOf(b, paid)) / each,
      [0n, 80_000n, 13_000n][Math.min(count, 2)] ?? 0n,
    ])
    const call = await approved(a, await provedMessage(a, b, orders))
    if (count === 1) rows.push(['least gas limit of a proof’s relay', await leastLimit(call), 70_000n])
    rows.push([`mark ${count}, each`, (await gasOf(a, call)) / each, 60_000n])
    rows.push([`claim ${count}, each`, (await gasOf(a, claimCall(a, orders, SOLVER))) / each, 65_000n])
  }
  const declined = await orderOf(world, plain())
  await a.run(openCall(a, declined))
  rows.push(['decline, ERC-20', await gasOf(a, refundCall(a, declined, SOLVER)), 60_000n])
  t.diagnostic(RELEASED.token)
  for (const line of tableOf(rows)) t.diagnostic(line)
  for (const [what, gas, limit] of rows) assert.ok(gas <= limit, `${what}: ${gas}`)
})
