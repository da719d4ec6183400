import assert from 'node:assert/strict'
import { DEPLOYER } from '@openrfq/sandbox/test/contract-deployer.ts'
import {
  concat,
  encodeAbiParameters,
  type Hex,
  keccak256,
  pad,
  parseAbiParameters,
  toHex,
  zeroAddress,
} from 'viem'
import { deployRouter, pathOf } from './site.ts'
import {
  alter,
  approve,
  assertEmpty,
  type Case,
  EXECUTOR,
  eventOf,
  executing,
  expressing,
  give,
  orderOf,
  RECIPIENT,
  returning,
  type Side,
  STRANGER,
  send,
  sending,
  toNative,
  type World,
} from './world.ts'

const act = (side: Side, from: Hex, to: Hex, name: string, args: readonly unknown[], value = 0n) =>
  side.run({ from, to, data: side.encode(name, args), value })

const poolOf = (side: Side, one: Hex, other: Hex, fee: number): Promise<Hex> =>
  // CAST: the registry answers an address.
  side.read(side.pools, 'getPool', [one, other, fee]) as Promise<Hex>

/** Puts a second router of the world's code on side B, which is told other facts. */
const deployBeside = ({ b, code }: World, name: string, facts: Parameters<typeof deployRouter>[3]) =>
  deployRouter(b, code, keccak256(concat([b.router, toHex(name)])), facts)

/** A router beside the world's on side B whose registry is false. */
const withFalsePools = async (world: World) => {
  const { b } = world
  const falsePools = await b.deploy('falsePools')
  const router = await deployBeside(world, 'false pools', { swapFactory: falsePools })
  const side: Side = { ...b, router }
  await act(b, STRANGER, falsePools, 'setRegistered', [falsePools])
  await act(b, STRANGER, falsePools, 'setOutput', [b.token])
  await act(b, DEPLOYER, b.token, 'transfer', [falsePools, 10n ** 12n])
  return { falsePools, side }
}

/** Attacks on the routers that must fail. */
export const ATTACK_CASES: readonly Case[] = [
  {
    name: 'H1: executing a delivery while a pool is locked does not turn it into a refund',
    run: async (world, note) => {
      const { a, b } = world
      const message = await send(a, b, { ...toNative(b), minimumAmount: 1n })
      const id = await approve(b, message)
      const flash = await b.deploy('flash')
      const pool = await poolOf(b, b.bridge, b.wrapped, 3000)
      const attack = async (data: Hex) => {
        const call = { from: STRANGER, to: flash, data: b.encode('attack', [pool, b.router, data]) }
        const { txHash } = await b.send(call)
        // CAST: anvil's receipt.
        const receipt = (await b.rpc('eth_getTransactionReceipt', txHash)) as { readonly gasUsed: Hex }
        assert.equal(await b.read(flash, 'isCallSuccessful', []), false)
        return BigInt(receipt.gasUsed)
      }
      const gas = await attack(executing(b, id, message).data)
      await give(b, b.bridge, flash, message.amount)
      const allowance = b.encode('approve', [b.router, message.amount])
      await act(b, STRANGER, flash, 'act', [b.bridge, allowance])
      const express = await attack(expressing(b, id, message, EXECUTOR).data)
      await attack(returning(b, id, message).data)
      const before = await b.balanceOf(zeroAddress, RECIPIENT)
      await b.run(executing(b, id, message))
      assert.ok((await b.balanceOf(zeroAddress, RECIPIENT)) > before)
      note(
        `cost: ${gas} gas a try (${express} by express execution); gain: 0; the victim's loss: 0, delivered later`,
      )
    },
  },
  {
    name: 'M3: the router swaps on the pools themselves and calls no chain’s swap router',
    run: async (world, note) => {
      const { a, b } = world
      const path = pathOf(b.bridge, [3000, b.wrapped], [3000, b.token])
      const message = await send(a, b, { outputToken: b.token, outputPath: path })
      await b.run(executing(b, await approve(b, message), message))
      note('needs a registry of pools with getPool, and pools of Uniswap v3 or PancakeSwap v3')
    },
  },
  {
    name: 'a stranger’s callback is never paid, before, during or after a swap',
    run: async (world) => {
      const { b } = world
      const data = encodeAbiParameters(parseAbiParameters('address, uint256'), [b.bridge, 1n])
      for (const name of ['uniswapV3SwapCallback', 'pancakeV3SwapCallback'])
        for (const from of [STRANGER, await poolOf(b, b.bridge, b.wrapped, 3000)]) {
          const call = { from, to: b.router, data: b.encode(name, [1n, -1n, data]) }
          assert.equal(await b.refusal(call), 'UnexpectedCallback')
        }
    },
  },
  {
    name: 'pools that keep no rules get no more than the input of their hop',
    run: async (world) => {
      const { a } = world
      const { falsePools, side } = await withFalsePools(world)
      const path = pathOf(side.bridge, [500, side.token])
      const made = await send(a, world.b, {
        outputToken: side.token,
        outputPath: path,
        minimumAmount: 999_999n,
      })
      const own = { ...made, target: side.router, sourceAddress: side.router }
      const setMood = (mood: number) => act(side, STRANGER, falsePools, 'setMood', [mood])
      for (const [mood, expected] of [
        [0, undefined],
        [1, undefined],
        [2, 'PartialSwap'],
        [3, 'PartialSwap'],
        [4, 'PartialSwap'],
        [5, 'UnexpectedCallback'],
        [6, 'UnexpectedCallback'],
        [7, 'TooLittleOutput'],
      ] as const) {
        await setMood(mood)
        const id = await approve(side, own)
        assert.equal(await side.refusal(executing(side, id, own)), expected, `mood ${mood}`)
      }
      await setMood(8)
      const two = pathOf(side.bridge, [500, side.token], [500, side.bridge])
      const payload = alter(own.payload, {
        outputToken: side.wrapped,
        outputPath: pathOf(side.bridge, [500, side.token], [500, side.wrapped]),
      })
      const long = { ...own, payload }
      assert.notEqual(await side.refusal(executing(side, await approve(side, long), long)), undefined, two)
      await act(side, STRANGER, falsePools, 'setRegistered', [zeroAddress])
      await setMood(0)
      assert.equal(await side.refusal(executing(side, await approve(side, own), own)), 'NoPool')
    },
  },
  {
    name: 'a chain without exchange or wrapped asset delivers the bridge token and refuses the rest',
    run: async (world) => {
      const { a, b } = world
      const bare = { swapFactory: zeroAddress, wrappedNative: zeroAddress } as const
      const router = await deployBeside(world, 'no exchange', bare)
      const side: Side = { ...b, router }
      const to = async (part: Parameters<typeof send>[2]) => {
        const made = { ...(await send(a, b, part)), target: router, sourceAddress: router }
        return side.refusal(executing(side, await approve(side, made), made))
      }
      assert.equal(await to({}), undefined)
      assert.equal(await to({ outputToken: b.token, outputPath: pathOf(b.bridge, [500, b.token]) }), 'NoPool')
      assert.equal(await to(toNative(b)), 'NoWrappedNative')
    },
  },
  {
    name: 'a recipient that calls back while it is paid starts, delivers and returns nothing',
    run: async (world) => {
      const { a, b } = world
      const recipient = await b.deploy('puppet')
      const other = await send(a, b)
      const otherId = await approve(b, other)
      const message = await send(a, b, { ...toNative(b), recipient })
      const id = await approve(b, message)
      const inner = await orderOf(b, a)
      for (const data of [
        executing(b, otherId, other).data,
        returning(b, otherId, other).data,
        sending(b, inner).data,
        executing(b, id, message).data,
      ]) {
        await act(b, STRANGER, recipient, 'setCall', [b.router, data])
        await act(b, STRANGER, recipient, 'setMood', [3])
        assert.equal(await b.refusal(executing(b, id, message)), 'PaymentRefused')
      }
      await act(b, STRANGER, recipient, 'setMood', [0])
      await b.run(executing(b, id, message))
      await b.run(executing(b, otherId, other))
    },
  },
  {
    name: 'a hostile output token pays at least the minimum or reverts, and never leaves the router holding',
    run: async (world) => {
      const { a, b } = world
      const path = pathOf(b.bridge, [500, b.token])
      const message = await send(a, b, { outputToken: b.token, outputPath: path, minimumAmount: 999_000n })
      for (const mood of [1, 2, 3, 8, 9]) {
        await act(b, STRANGER, b.token, 'setMood', [mood])
        const id = await approve(b, message)
        const { events } = await b.send(executing(b, id, message))
        const delivered = events === undefined ? undefined : eventOf(events, 'Delivered')
        if (delivered !== undefined) assert.ok(BigInt(String(delivered['amount'])) >= 999_000n)
        await assertEmpty(b)
      }
      await act(b, STRANGER, b.token, 'setMood', [0])
    },
  },
  {
    name: 'a bridge token that takes a fee delivers what arrives, at least the minimum',
    run: async (world) => {
      const { a, b } = world
      const back = await send(b, a, { minimumAmount: 1_000_000n, symbol: b.symbol })
      const arrival = { ...back, symbol: a.symbol }
      const id = await approve(a, arrival)
      await act(a, STRANGER, a.bridge, 'setMood', [1])
      assert.notEqual(await a.refusal(executing(a, id, arrival)), undefined)
      await act(a, STRANGER, a.bridge, 'setMood', [0])
      await a.run(executing(a, id, arrival))
    },
  },
  {
    name: 'a hostile chain at our address gives away its own tokens alone',
    run: async (world, note) => {
      const { a, b } = world
      const message = await send(a, b)
      const evil = {
        ...message,
        sourceChain: 'evil',
        payload: alter(message.payload, { sourceChain: toHex('evil', { size: 32 }) }),
      }
      const before = await b.balanceOf(b.bridge, RECIPIENT)
      await b.run(executing(b, await approve(b, evil), evil))
      assert.equal((await b.balanceOf(b.bridge, RECIPIENT)) - before, evil.amount)
      await assertEmpty(b)
      note('cost: the tokens it brought; gain: 0')
    },
  },
  {
    name: 'too little gas reverts a delivery, which pays afterwards',
    run: async (world, note) => {
      const { a, b } = world
      const message = await send(a, b, toNative(b))
      const id = await approve(b, message)
      let tries = 0
      for (let gas = 90_000n; ; gas = (gas * 110n) / 100n) {
        tries++
        const { events } = await b.send({ ...executing(b, id, message), gas })
        if (events === undefined) continue
        assert.ok(eventOf(events, 'Delivered'))
        break
      }
      note(`${tries} gas limits`)
    },
  },
  {
    name: 'a hostile input token cannot pay less than it says, nor cross twice',
    run: async (world) => {
      const { a, b } = world
      for (const mood of [1, 2, 3, 8]) {
        await act(a, STRANGER, a.token, 'setMood', [mood])
        const path = pathOf(a.token, [500, a.bridge])
        const order = await orderOf(a, b, { inputToken: a.token, inputPath: path })
        const refusal = await a.refusal(sending(a, order))
        if (mood === 1) assert.equal(refusal, 'InexactTransfer')
        assert.notEqual(refusal, undefined, `mood ${mood}`)
      }
      const inner = await orderOf(a, b, { salt: pad('0x01') })
      await act(a, STRANGER, a.token, 'setCall', [a.router, a.encode('send', [inner])])
      await act(a, STRANGER, a.token, 'setMood', [6])
      const order = await orderOf(a, b, { inputToken: a.token, inputPath: pathOf(a.token, [500, a.bridge]) })
      await a.run(sending(a, order))
      assert.equal(await a.read(a.token, 'isCallSuccessful', []), false)
      await act(a, STRANGER, a.token, 'setMood', [0])
      await assertEmpty(a)
    },
  },
]
