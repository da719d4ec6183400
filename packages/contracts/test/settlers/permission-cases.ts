import assert from 'node:assert/strict'
import { type IntentOrder, wrapGasless, wrapOrder } from '@openrfq/sandbox/test/intent-order.ts'
import { concat, type Hex, zeroAddress, zeroHash } from 'viem'
import {
  nonceWord,
  permission,
  signAuthorization,
  signOrder,
  signPermit,
  signWitness,
} from './permissions.ts'
import { argsOf, type Case, KIND, moves, orderOf, recordOf } from './steps.ts'
import { DEPOSITOR, PERMIT2, SIGNER, STRANGER, type World } from './world.ts'

const openFor = (world: World, order: IntentOrder, signature: Hex, from: Hex = STRANGER) => ({
  from,
  to: world.settler,
  data: world.a.encode('openFor', [wrapGasless(world.settler, order), signature, '0x']),
})
const openWith = (world: World, order: IntentOrder, content: Hex, from: Hex = order.depositor) => ({
  from,
  to: world.settler,
  data: world.a.encode('openWith', [order, content]),
})

const signedOrder = (world: World, part: Partial<IntentOrder> = {}): Promise<IntentOrder> =>
  orderOf(world, { depositor: SIGNER.address, inputToken: world.a.permitToken, ...part })

/** Removes the standing allowance that `fund` gives, and gives Permit2 one. */
const withoutAllowance = async ({ a }: World, token: Hex = a.permitToken): Promise<void> => {
  await a.run({ from: SIGNER.address, to: token, data: a.encode('approve', [a.settler, 0n]) })
  await a.run({ from: SIGNER.address, to: token, data: a.encode('approve', [PERMIT2, 10n ** 18n]) })
}

const allow = ({ a }: World) =>
  a.run({ from: SIGNER.address, to: a.permitToken, data: a.encode('approve', [a.settler, 10n ** 18n]) })

const noncesOf = async ({ a }: World): Promise<bigint> =>
  // CAST: a uint256.
  (await a.read(a.permitToken, 'nonces', [SIGNER.address])) as bigint

let nextNonce = 0n

/** Every permission that binds an order, by name. */
const KINDS: readonly (readonly [name: string, (world: World, order: IntentOrder) => Promise<Hex>])[] = [
  [
    'an order signature with a standing allowance',
    async (world, order) => {
      await allow(world)
      return permission(0, await signOrder(world.a, order))
    },
  ],
  ['ERC-3009', async ({ a }, order) => permission(1, await signAuthorization(a, order))],
  [
    'Permit2',
    async ({ a }, order) => {
      const nonce = nextNonce++
      return permission(2, nonceWord(nonce), await signWitness(a, order, nonce))
    },
  ],
  [
    'ERC-2612 with an order signature',
    async (world, order) => {
      const permit = await signPermit(world.a, order, await noncesOf(world))
      return permission(3, permit, await signOrder(world.a, order))
    },
  ],
]

/** What `openFor` and `openWith` do and refuse. */
export const PERMISSION_CASES: readonly Case[] = [
  ...KINDS.map(
    ([name, sign]): Case => ({
      name: `anybody opens an order by ${name}, which binds that order alone, once, in its time`,
      run: async (world) => {
        const { a } = world
        await withoutAllowance(world)
        const order = await signedOrder(world)
        const signature = await sign(world, order)
        const changes: readonly Partial<IntentOrder>[] = [
          { recipient: STRANGER },
          { solver: STRANGER },
          { outputAmount: 1n },
          { inputAmount: order.inputAmount - 1n },
          { integrator: STRANGER },
          { destinationChain: order.salt.replace(/^0x../, '0x61') as Hex },
          { salt: zeroHash },
        ]
        for (const change of changes)
          assert.notEqual(
            await a.refusal(openFor(world, { ...order, ...change }, signature)),
            undefined,
            JSON.stringify(change, String),
          )
        const call = openFor(world, order, signature)
        assert.equal(await a.refusal(call, order.openDeadline + 1), 'OpenDeadlinePassed')
        const steps = async () => {
          const opened = argsOf(await a.run(call), 'Open')
          const resolved = await a.read(a.settler, 'resolveFor', [wrapGasless(world.settler, order), '0x'])
          assert.deepEqual(opened['resolvedOrder'], resolved)
        }
        await moves(a, steps, [
          [a.permitToken, SIGNER.address, -order.inputAmount],
          [a.permitToken, a.settler, order.inputAmount],
          [zeroAddress, SIGNER.address, 0n],
        ])
        assert.deepEqual(await recordOf(a, order), [KIND.open, zeroAddress])
        assert.equal(await a.refusal(call), 'WrongKind')
        await allow(world)
      },
    }),
  ),
  {
    name: 'the depositor opens in one transaction by a permission of its token, without an order signature',
    run: async (world) => {
      const { a } = world
      await withoutAllowance(world)
      const nonce = nextNonce++
      const contents: readonly ((order: IntentOrder) => Promise<Hex>)[] = [
        async (order) => permission(1, await signAuthorization(a, order)),
        async (order) => permission(2, nonceWord(nonce), await signWitness(a, order, nonce)),
        async (order) => permission(3, await signPermit(a, order, await noncesOf(world))),
      ]
      for (const contentOf of contents) {
        const order = await signedOrder(world)
        const content = await contentOf(order)
        assert.equal(await a.refusal(openWith(world, order, content, STRANGER)), 'NotDepositor')
        await moves(a, () => a.run(openWith(world, order, content)), [
          [a.permitToken, a.settler, order.inputAmount],
        ])
      }
      await allow(world)
    },
  },
  {
    name: 'a permit alone opens nothing for others, also when somebody has used it before',
    run: async (world) => {
      const { a } = world
      await withoutAllowance(world)
      const order = await signedOrder(world)
      const permit = await signPermit(a, order, await noncesOf(world))
      assert.equal(await a.refusal(openFor(world, order, permission(3, permit))), 'InvalidSignature')
      const signature = await signOrder(a, order)
      const both = openFor(world, order, permission(3, permit, signature))
      const word = (index: number) => `0x${permit.slice(2 + 64 * index, 66 + 64 * index)}`
      const args = [
        SIGNER.address,
        a.settler,
        BigInt(word(0)),
        BigInt(word(1)),
        Number(`0x${permit.slice(258)}`),
      ]
      const data = a.encode('permit', [...args, word(2), word(3)])
      await a.run({ from: STRANGER, to: a.permitToken, data })
      assert.equal(await a.refusal(openFor(world, order, permission(3, permit))), 'InvalidSignature')
      await a.run(both)
      await allow(world)
    },
  },
  {
    name: 'only the depositor’s signature of that order, chain and settler counts',
    run: async (world) => {
      const { a, b } = world
      await allow(world)
      const order = await signedOrder(world)
      const other = await signedOrder(world)
      const good = await signOrder(a, order)
      for (const signature of [
        await signOrder(a, other),
        await signOrder({ ...a, settler: STRANGER }, order),
        good.slice(0, -2) as Hex,
        concat([good, '0x00']),
        '0x',
        `0x${'00'.repeat(65)}`,
      ] as const)
        assert.equal(await a.refusal(openFor(world, order, permission(0, signature))), 'InvalidSignature')
      assert.equal(await b.refusal(openFor(world, order, permission(0, good))), 'WrongOrigin')
      assert.equal(await a.refusal(openFor(world, order, permission(0, good))), undefined)
      const ofOther = await orderOf(world, { depositor: DEPOSITOR })
      const forged = permission(0, await signOrder(a, ofOther))
      assert.equal(await a.refusal(openFor(world, ofOther, forged)), 'InvalidSignature')
    },
  },
  {
    name: 'a contract account permits by ERC-1271, and an account with code by its key',
    run: async (world) => {
      const { a } = world
      const wallet = await a.deploy('wallet', [SIGNER.address])
      for (const [to, name, args] of [
        [a.permitToken, 'mint', [wallet, 10n ** 18n]],
        [wallet, 'act', [a.permitToken, a.encode('approve', [a.settler, 10n ** 18n])]],
        [wallet, 'act', [a.permitToken, a.encode('approve', [PERMIT2, 10n ** 18n])]],
      ] as const)
        await a.run({ from: STRANGER, to, data: a.encode(name, args) })
      const order = await signedOrder(world, { depositor: wallet })
      const long = async (signature: Promise<Hex>) => concat([await signature, '0x00'])
      const byOrder = openFor(world, order, permission(0, await long(signOrder(a, order))))
      assert.equal(await a.refusal(byOrder), undefined)
      const short = permission(0, await signOrder(a, order))
      assert.equal(await a.refusal(openFor(world, order, short)), 'InvalidSignature')
      for (const mood of [1, 2]) {
        await a.run({ from: STRANGER, to: wallet, data: a.encode('setMood', [mood]) })
        assert.equal(await a.refusal(byOrder), 'InvalidSignature', `mood ${mood}`)
      }
      await a.run({ from: STRANGER, to: wallet, data: a.encode('setMood', [3]) })
      assert.equal(await a.refusal(byOrder), undefined, 'a long answer')
      await a.run({ from: STRANGER, to: wallet, data: a.encode('setMood', [0]) })
      const authorized = permission(1, await long(signAuthorization(a, order)))
      assert.equal(await a.refusal(openFor(world, order, authorized)), undefined)
      const witnessed = permission(2, nonceWord(9n), await long(signWitness(a, order, 9n)))
      assert.equal(await a.refusal(openFor(world, order, witnessed)), undefined)
      await a.rpc('anvil_setCode', SIGNER.address, await a.rpc('eth_getCode', wallet, 'latest'))
      const own = await signedOrder(world)
      const byKey = openFor(world, own, permission(0, await signOrder(a, own)))
      assert.equal(await a.refusal(byKey), undefined, 'an account with code')
      await a.rpc('anvil_setCode', SIGNER.address, '0x')
    },
  },
  {
    name: 'openFor refuses a wrapper that says otherwise than the order, native value, and unknown permissions',
    run: async (world) => {
      const { a } = world
      await allow(world)
      const order = await signedOrder(world)
      const signature = permission(0, await signOrder(a, order))
      const wrapped = wrapGasless(world.settler, order)
      for (const part of [
        { originSettler: STRANGER },
        { user: STRANGER },
        { nonce: wrapped.nonce + 1n },
        { originChainId: 1n },
        { openDeadline: wrapped.openDeadline + 1 },
        { fillDeadline: wrapped.fillDeadline + 1 },
      ])
        for (const [name, rest] of [
          ['openFor', [signature, '0x']],
          ['resolveFor', ['0x']],
        ] as const) {
          const data = a.encode(name, [{ ...wrapped, ...part }, ...rest])
          assert.equal(await a.refusal({ from: STRANGER, to: a.settler, data }), 'WrongWrapper')
        }
      const native = await signedOrder(world, { inputToken: zeroAddress })
      const ofNative = permission(0, await signOrder(a, native))
      assert.equal(await a.refusal(openFor(world, native, ofNative)), 'NativeInput')
      const short: readonly Hex[] = ['0x', '0x04', '0xff', '0x02', permission(3, `0x${'00'.repeat(128)}`)]
      for (const content of short)
        assert.equal(await a.refusal(openFor(world, order, content)), 'InvalidPermission', content)
      assert.equal(
        await a.refusal({ from: STRANGER, to: a.settler, data: a.encode('open', [wrapOrder(order)]) }),
        'NotDepositor',
      )
    },
  },
  {
    name: 'a token that swallows permissions it does not know opens nothing',
    run: async (world) => {
      const { a } = world
      // A puppet with a fallback of WETH9's kind: any call succeeds and moves nothing.
      const order = await signedOrder(world, { inputToken: a.token })
      await withoutAllowance(world, a.token)
      const silent = '0x5f805260205ff3' // Answers one zero word to every call.
      const code = await a.rpc('eth_getCode', a.token, 'latest')
      await a.rpc('anvil_setCode', a.token, silent)
      for (const content of [
        permission(1, await signAuthorization(a, order)),
        permission(1, `0x${'00'.repeat(70)}`),
      ])
        assert.equal(await a.refusal(openFor(world, order, content)), 'InexactTransfer')
      await a.rpc('anvil_setCode', a.token, code)
      const approve = a.encode('approve', [a.settler, 10n ** 18n])
      await a.run({ from: SIGNER.address, to: a.token, data: approve })
    },
  },
]
