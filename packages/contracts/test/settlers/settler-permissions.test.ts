import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { concat, type Hex, pad } from 'viem'
import type { Order } from '../../order-hashes.ts'
import { permission } from './permissions.ts'
import { authorize, permit, signOrder, witness } from './settler-permissions.ts'
import { between, gasless, openForCall, outOf, STATE, startSettlers, stateOf } from './settler-world.ts'
import { argsOf, moves } from './steps.ts'
import { PERMIT2, SIGNER, type Side, STRANGER, type World } from './world.ts'

let world: World
let stop: () => Promise<void>
before(async () => {
  const started = await startSettlers()
  world = started.world
  stop = started.stop
})
after(() => stop())

const approve = ({ a }: World, spender: Hex, amount: bigint) =>
  a.run({ from: SIGNER.address, to: a.permitToken, data: a.encode('approve', [spender, amount]) })
const signed = (part: Partial<Order> = {}): Partial<Order> => ({
  depositor: pad(SIGNER.address),
  inputToken: pad(world.a.permitToken),
  ...part,
})

let nextNonce = 0n
const KINDS: readonly (readonly [string, (side: Side, order: Order) => Promise<Hex>, bigint])[] = [
  [
    'an order signature with a standing allowance',
    async (side, order) => permission(0, await signOrder(side, order)),
    10n ** 9n,
  ],
  ['ERC-3009', authorize, 0n],
  ['Permit2', (side, order) => witness(side, order, nextNonce++), 0n],
  [
    'ERC-2612 with an order signature',
    async (side, order) => concat([await permit(side, order), await signOrder(side, order)]),
    0n,
  ],
]

for (const [name, sign, allowance] of KINDS)
  test(`anybody opens an order by ${name}, which binds that order alone, once, in its time`, async () => {
    const { a } = world
    await approve(world, PERMIT2, 10n ** 18n)
    await approve(world, world.settler, allowance)
    for (const make of [between, outOf]) {
      const order = await make(world, signed())
      const content = await sign(a, order)
      const changes: readonly Partial<Order>[] = [
        { recipient: pad(STRANGER) },
        { solver: pad(STRANGER) },
        { outputAmount: 1n },
        { inputAmount: order.inputAmount - 1n },
        { refundAfter: order.refundAfter + 1 },
        { integrator: pad(STRANGER) },
      ]
      for (const change of changes)
        assert.notEqual(await a.refusal(openForCall(a, { ...order, ...change }, content)), undefined)
      const call = openForCall(a, order, content)
      assert.equal(await a.refusal(call, order.openDeadline + 1), 'OpenDeadlinePassed')
      await moves(a, async () => {
        const { resolvedOrder } = argsOf(await a.run(call), 'Open')
        assert.deepEqual(resolvedOrder, await a.read(a.settler, 'resolveFor', [gasless(order), '0x']))
      }, [
        [a.permitToken, SIGNER.address, -order.inputAmount],
        [a.permitToken, a.settler, order.inputAmount],
      ])
      assert.equal(await stateOf(a, order), STATE.open)
      assert.equal(await a.refusal(call), 'WrongState')
    }
  })

test('A6: a permit or an allowance without the order’s signature opens nothing for others', async () => {
  const { a } = world
  await approve(world, world.settler, 10n ** 9n)
  const order = await between(world, signed())
  const stolen = { ...order, recipient: pad(STRANGER), solver: pad(STRANGER), filler: pad(STRANGER) }
  const contents = [
    await permit(a, order),
    concat([await permit(a, order), await signOrder(a, order)]),
    permission(0, await signOrder(a, order)),
    permission(0),
  ]
  for (const content of contents)
    assert.equal(await a.refusal(openForCall(a, stolen, content)), 'InvalidSignature')
  for (const content of [permission(4), permission(2), permission(3), '0x'] as const)
    assert.equal(await a.refusal(openForCall(a, order, content)), 'InvalidPermission')
})

test('a signature for another chain or another settler opens nothing', async () => {
  const { a, b } = world
  await approve(world, world.settler, 10n ** 9n)
  const order = await between(world, signed())
  for (const side of [b, { ...a, settler: STRANGER }])
    assert.equal(
      await a.refusal(openForCall(a, order, permission(0, await signOrder(side, order)))),
      'InvalidSignature',
    )
})
