import { after, before, test } from 'node:test'
import { concat, type Hex, keccak256, pad, zeroHash } from 'viem'
import type { Order } from '../../order-hashes.ts'
import { checkGas, type GasRow, gasOfSuccess } from '../gas-table.ts'
import { permission } from './permissions.ts'
import { authorize, permit, signOrder, witness } from './settler-permissions.ts'
import {
  ATTESTERS,
  attest,
  between,
  claimCall,
  fillCall,
  into,
  ONE_OF_ONE,
  openCall,
  openForCall,
  outByOne,
  outOf,
  proveAndMark,
  proveCall,
  refundCall,
  releaseCall,
  SETTLER,
  startSettlers,
  TWO_OF_THREE,
} from './settler-world.ts'
import { approved, messagesOf } from './steps.ts'
import {
  DEPOSITOR,
  factsOf,
  OWNER,
  PERMIT2,
  RECIPIENT,
  SIGNER,
  type Side,
  SOLVER,
  STRANGER,
  type World,
} from './world.ts'

let world: World
let stop: () => Promise<void>
before(async () => {
  const started = await startSettlers()
  world = started.world
  stop = started.stop
  // Balances that are never zero: a first token costs its holder's slot.
  for (const side of [world.a, world.b])
    for (const holder of [world.settler, SOLVER, RECIPIENT]) {
      await side.run({ from: STRANGER, to: side.permitToken, data: side.encode('mint', [holder, 1n]) })
      if (holder !== world.settler) await side.rpc('anvil_setBalance', holder, '0x1')
    }
  for (const part of [plain(), NATIVE]) {
    const order = await between(world, part)
    await settle(order)
    await proveAndMark(world, [order])
    await world.a.run(claimCall(world.a, [order]))
  }
})
after(() => stop())

const NATIVE = { inputToken: zeroHash, outputToken: zeroHash }
const plain = (): Partial<Order> => ({
  inputToken: pad(world.a.permitToken),
  outputToken: pad(world.b.permitToken),
})
const settle = async (order: Order): Promise<void> => {
  await world.a.run(openCall(world.a, order))
  await world.b.run(fillCall(world.b, order))
}
const approve = (side: Side, from: Hex, spender: Hex, amount: bigint) =>
  side.run({ from, to: side.permitToken, data: side.encode('approve', [spender, amount]) })

test('gas between EVM chains stays within its limits', async (t) => {
  const { a, b } = world
  const rows: GasRow[] = []
  for (const [asset, part, limits] of [
    ['ERC-20', plain(), [90_500n, 81_500n]],
    ['native', NATIVE, [69_000n, 65_000n]],
  ] as const) {
    const order = await between(world, part)
    await approve(a, DEPOSITOR, a.settler, order.inputAmount)
    rows.push([`open, ${asset}`, await gasOfSuccess(a, openCall(a, order)), limits[0]])
    rows.push([`fill, ${asset}`, await gasOfSuccess(b, fillCall(b, order)), limits[1]])
  }
  await approve(a, DEPOSITOR, a.settler, 10n ** 18n)
  for (const [count, proven, marked, claimed] of [
    [1, 70_000n, 52_000n, 62_000n],
    [8, 12_000n, 14_000n, 21_000n],
    [32, 6_500n, 10_000n, 17_000n],
  ] as const) {
    const orders: Order[] = []
    for (let index = 0; index < count; index++) orders.push(await between(world, plain()))
    for (const order of orders) await settle(order)
    const each = BigInt(count)
    const call = proveCall(b, orders, a.axelarName, 1000n)
    rows.push([`prove ${count}, each`, (await gasOfSuccess(b, call)) / each, proven])
    for (const message of messagesOf(b, await b.run(proveCall(b, orders, a.axelarName)))) {
      const mark = await approved(a, message)
      rows.push([`mark ${count}, each`, (await gasOfSuccess(a, mark)) / each, marked])
    }
    rows.push([`claim ${count}, each`, (await gasOfSuccess(a, claimCall(a, orders))) / each, claimed])
  }
  const declined = await between(world, plain())
  await a.run(openCall(a, declined))
  rows.push(['decline, ERC-20', await gasOfSuccess(a, refundCall(a, declined, SOLVER)), 55_000n])
  checkGas(rows, (line) => t.diagnostic(line))
})

/**
 * An account of a ledger has no zero bytes, so its words cost some 150 gas each more in calldata than an EVM address; and
 * each order of a batch has its own signatures, because attesters that do not know each other sign fill by fill.
 */
test('gas of orders to and from a ledger stays within its limits', async (t) => {
  const { a, b } = world
  const rows: GasRow[] = []
  const input = { inputToken: pad(a.permitToken) }
  await approve(a, DEPOSITOR, a.settler, 1_000_000n)
  const single = await outByOne(world, input)
  rows.push(['open to a ledger, ERC-20', await gasOfSuccess(a, openCall(a, single)), 92_500n])
  const alone = releaseCall(a, [single], [await attest(single, ATTESTERS.slice(0, 1))], ONE_OF_ONE)
  rows.push(['release alone, 1 of 1', await gasOfSuccess(a, alone), 73_000n])
  await approve(a, DEPOSITOR, a.settler, 10n ** 18n)
  for (const [what, make, set, limits] of [
    ['1 of 1', outByOne, ONE_OF_ONE, [73_000n, 29_000n, 25_000n]],
    ['2 of 3', outOf, TWO_OF_THREE, [80_000n, 35_000n, 30_500n]],
  ] as const)
    for (const [index, count] of [1, 8, 32].entries()) {
      const orders: Order[] = []
      for (let made = 0; made < count; made++) orders.push(await make(world, input))
      for (const order of orders) await a.run(openCall(a, order))
      const signers = ATTESTERS.slice(0, set.threshold)
      const attestations = await Promise.all(orders.map((order) => attest(order, signers)))
      const gas = await gasOfSuccess(a, releaseCall(a, orders, attestations, set))
      rows.push([`release ${count}, ${what}, each`, gas / BigInt(count), limits[index] ?? 0n])
    }
  for (const [asset, outputToken, limit] of [
    ['ERC-20', pad(b.permitToken), 83_500n],
    ['native', zeroHash, 66_500n],
  ] as const) {
    const order = await into(world, { outputToken })
    rows.push([`fill from a ledger, ${asset}`, await gasOfSuccess(b, fillCall(b, order)), limit])
  }
  checkGas(rows, (line) => t.diagnostic(line))
})

test('gas of opens by a permission stays within its limits', async (t) => {
  const { a } = world
  const rows: GasRow[] = []
  await approve(a, SIGNER.address, PERMIT2, 10n ** 18n)
  for (const [kind, allowance, sign, limit] of [
    [
      'an order signature',
      1_000_000n,
      async (order: Order) => permission(0, await signOrder(a, order)),
      101_000n,
    ],
    ['ERC-3009', 0n, (order: Order) => authorize(a, order), 125_000n],
    ['Permit2', 0n, (order: Order) => witness(a, order, 1n), 142_000n],
    [
      'ERC-2612',
      0n,
      async (order: Order) => concat([await permit(a, order), await signOrder(a, order)]),
      136_000n,
    ],
  ] as const) {
    await approve(a, SIGNER.address, world.settler, allowance)
    const order = await between(world, { ...plain(), depositor: pad(SIGNER.address) })
    rows.push([`openFor, ${kind}`, await gasOfSuccess(a, openForCall(a, order, await sign(order))), limit])
  }
  const { bytecode } = SETTLER
  const data = a.encode('deploy', [bytecode, keccak256(bytecode), factsOf(a)])
  rows.push(['deploy Settler', await gasOfSuccess(a, { from: OWNER, to: a.factory, data }), 3_900_000n])
  checkGas(rows, (line) => t.diagnostic(line))
})
