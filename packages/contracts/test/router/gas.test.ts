import { after, before, test } from 'node:test'
import { checkGas, type GasRow, gasOfSuccess } from '../gas-table.ts'
import { SHAPES } from './shapes.ts'
import {
  approve,
  EXECUTOR,
  executing,
  expressing,
  freshId,
  KEEPER,
  orderOf,
  returning,
  send,
  sending,
  startWorld,
  type World,
} from './world.ts'

/** The shapes of the table, and the most that send, delivery and delivery by an express executor may use. */
const LIMITS: Readonly<Record<string, readonly [bigint, bigint, bigint]>> = {
  'the bridge token into the bridge token': [168_000n, 108_000n, 120_000n],
  'the native asset into the native asset': [247_000n, 198_000n, 213_000n],
  'a token into a token': [249_000n, 178_000n, 193_000n],
  'a token into a token, over two pools each': [321_000n, 239_000n, 253_000n],
}

let world: World
let stop: () => Promise<void>
before(async () => {
  ;({ world, stop } = await startWorld())
})
after(() => stop())

test('gas of the express router stays within its limits', async (t) => {
  const rows: GasRow[] = []
  for (const [shape, start, partOf] of SHAPES) {
    const limits = LIMITS[shape]
    if (limits === undefined) continue
    const [from, to] = start === 'a' ? [world.a, world.b] : [world.b, world.a]
    const part = partOf(from, to)
    // The first of a kind pays for slots that the next ones find.
    for (const isCounted of [false, true]) {
      const sent = await gasOfSuccess(from, sending(from, await orderOf(from, to, part)))
      const message = await send(from, to, part)
      const delivered = await gasOfSuccess(to, executing(to, await approve(to, message), message))
      const early = await send(from, to, part)
      const express = await gasOfSuccess(to, expressing(to, freshId(), early, EXECUTOR))
      if (!isCounted) continue
      rows.push([`send, ${shape}`, sent, limits[0]])
      rows.push([`deliver, ${shape}`, delivered, limits[1]])
      rows.push([`express, ${shape}`, express, limits[2]])
    }
  }
  const { a, b } = world
  const message = await send(a, b)
  const back = { ...returning(b, await approve(b, message), message, KEEPER), value: 1_000_000n }
  rows.push(['giveBack with the gas of its way', await gasOfSuccess(b, back), 161_000n])
  checkGas(rows, (line) => t.diagnostic(line))
})
