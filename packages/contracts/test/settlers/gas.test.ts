import { after, before, test } from 'node:test'
import type { Call } from '@openrfq/sandbox/test/chain-calls.ts'
import { ownArtifact } from '@openrfq/sandbox/test/contract-deployer.ts'
import { type IntentOrder, wrapGasless } from '@openrfq/sandbox/test/intent-order.ts'
import { type Hex, keccak256, pad, zeroAddress } from 'viem'
import { checkGas, type GasRow, gasOfSuccess } from '../gas-table.ts'
import {
  nonceWord,
  permission,
  signAuthorization,
  signOrder,
  signPermit,
  signWitness,
} from './permissions.ts'
import {
  approved,
  claimCall,
  fillCall,
  openCall,
  orderOf,
  proveAndMark,
  proveCall,
  provedMessage,
  refundCall,
} from './steps.ts'
import {
  DEPOSITOR,
  factsOf,
  OWNER,
  PERMIT2,
  SETTLER_ARTIFACT,
  SIGNER,
  SOLVER,
  STRANGER,
  startSides,
  type World,
  withSettler,
} from './world.ts'

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
  const rows: GasRow[] = []
  for (const [asset, part, limits] of [
    ['ERC-20', plain(), [88_000n, 80_000n]],
    ['native', NATIVE, [66_000n, 65_000n]],
  ] as const) {
    const order = await orderOf(world, part)
    await approveExactly(world, order.inputAmount)
    rows.push([`open, ${asset}`, await gasOfSuccess(a, openCall(a, order)), limits[0]])
    rows.push([`fill, ${asset}`, await gasOfSuccess(b, fillCall(b, order)), limits[1]])
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
      (await gasOfSuccess(b, paid)) / each,
      [0n, 80_000n, 13_000n][Math.min(count, 2)] ?? 0n,
    ])
    const call = await approved(a, await provedMessage(a, b, orders))
    if (count === 1) rows.push(['least gas limit of a proof’s relay', await leastLimit(call), 70_000n])
    rows.push([`mark ${count}, each`, (await gasOfSuccess(a, call)) / each, 60_000n])
    rows.push([`claim ${count}, each`, (await gasOfSuccess(a, claimCall(a, orders, SOLVER))) / each, 65_000n])
  }
  const declined = await orderOf(world, plain())
  await a.run(openCall(a, declined))
  rows.push(['decline, ERC-20', await gasOfSuccess(a, refundCall(a, declined, SOLVER)), 60_000n])
  checkGas(rows, (line) => t.diagnostic(line))
})

const approveAs = ({ a }: World, spender: Hex, amount: bigint) =>
  a.run({ from: SIGNER.address, to: a.permitToken, data: a.encode('approve', [spender, amount]) })

/** The permissions of each kind, and the most that opening by one may use, by `openFor` and by the depositor’s `openWith`. */
const permissionsFor = async ({
  a,
}: World): Promise<
  readonly (readonly [string, (order: IntentOrder) => Promise<Hex>, readonly bigint[]])[]
> => [
  ['an order signature', async (order) => permission(0, await signOrder(a, order)), [101_000n]],
  ['ERC-3009', async (order) => permission(1, await signAuthorization(a, order)), [125_000n, 120_000n]],
  [
    'Permit2',
    async (order) => permission(2, nonceWord(1n), await signWitness(a, order, 1n)),
    [142_000n, 135_000n],
  ],
  [
    'ERC-2612',
    async (order) => {
      // CAST: a uint256.
      const nonce = (await a.read(a.permitToken, 'nonces', [order.depositor])) as bigint
      return permission(3, await signPermit(a, order, nonce), await signOrder(a, order))
    },
    [136_000n, 126_000n],
  ],
]

test('gas of opens by a permission stays within its limits', async (t) => {
  const { a } = world
  const rows: GasRow[] = []
  await approveAs(world, PERMIT2, 10n ** 18n)
  for (const [kind, sign, limits] of await permissionsFor(world))
    for (const [position, limit] of limits.entries()) {
      const order = await orderOf(world, { ...plain(), depositor: SIGNER.address })
      // An exact allowance is what the first kind spends; the others bring their own.
      await approveAs(world, world.settler, kind === 'an order signature' ? order.inputAmount : 0n)
      const before = await a.rpc('evm_snapshot')
      const signature = await sign(order)
      const data =
        position === 0
          ? a.encode('openFor', [wrapGasless(world.settler, order), signature, '0x'])
          : a.encode('openWith', [order, kind === 'ERC-2612' ? signature.slice(0, -130) : signature])
      const from = position === 0 ? STRANGER : order.depositor
      const gas = await gasOfSuccess(a, { from, to: world.settler, data })
      rows.push([`${position === 0 ? 'openFor' : 'openWith'}, ${kind}`, gas, limit])
      await a.rpc('evm_revert', before)
    }
  checkGas(rows, (line) => t.diagnostic(line))
})

test('gas of a deployment by the factory stays within its limits', async (t) => {
  const { a } = world
  const rows: GasRow[] = []
  for (const [name, limit] of [
    ['IntentSettler', 3_400_000n],
    ['AttestedSettler', 2_150_000n],
    ['ExpressRouter', 3_500_000n],
  ] as const) {
    const folder = name === 'ExpressRouter' ? 'router' : 'settlers'
    const { bytecode } = ownArtifact(`${folder}/${name}`)
    const salt = pad(keccak256(bytecode))
    const data = a.encode('deploy', [bytecode, salt, factsOf(a)])
    rows.push([`deploy ${name}`, await gasOfSuccess(a, { from: OWNER, to: a.factory, data }), limit])
  }
  checkGas(rows, (line) => t.diagnostic(line))
})
