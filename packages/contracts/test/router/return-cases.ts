import assert from 'node:assert/strict'
import { keccak256, toHex } from 'viem'
import {
  alter,
  approve,
  assertEmpty,
  type Case,
  EXECUTOR,
  eventOf,
  executing,
  expressing,
  freshId,
  KEEPER,
  type Message,
  messageOf,
  orderOf,
  RECIPIENT,
  REFUNDEE,
  redirecting,
  returning,
  SENDER,
  STRANGER,
  send,
  type World,
} from './world.ts'

/** A message that was given back, as it arrives at its source. */
export const returned = async ({ a, b }: World, message: Message): Promise<Message> => {
  const id = await approve(b, message)
  return { ...messageOf(b, a, await b.run(returning(b, id, message, KEEPER))), symbol: a.symbol }
}

/** What `giveBack`, `refundTo` and the refund do and refuse. */
export const RETURN_CASES: readonly Case[] = [
  {
    name: 'a transfer that is given back pays the refund address on the source chain',
    run: async (world) => {
      const { a, b } = world
      const order = await orderOf(a, b)
      const message = await send(a, b, order)
      const id = await approve(b, message)
      const call = { ...returning(b, id, message, KEEPER), value: 9n }
      const events = await b.run(call)
      const paid = eventOf(events, 'NativeGasPaidForContractCallWithToken')
      assert.equal(paid?.['gasFeeAmount'], 9n)
      assert.equal(paid?.['refundAddress'], KEEPER)
      const transferId = keccak256(message.payload)
      assert.deepEqual(eventOf(events, 'Returned'), {
        transferId,
        commandId: id,
        caller: KEEPER,
        token: b.bridge,
        amount: message.amount,
      })
      assert.equal(await b.refusal(call), 'NotApprovedByGateway')
      assert.equal(await b.refusal(executing(b, id, message)), 'NotApprovedByGateway')
      const back = messageOf(b, a, events)
      assert.equal(back.payload, message.payload)
      const before = await a.balanceOf(a.bridge, REFUNDEE)
      const arrival = { ...back, symbol: a.symbol }
      const refund = eventOf(await a.run(executing(a, await approve(a, arrival), arrival)), 'Refunded')
      assert.equal(refund?.['transferId'], transferId)
      assert.equal((await a.balanceOf(a.bridge, REFUNDEE)) - before, message.amount)
      await assertEmpty(a)
      await assertEmpty(b)
    },
  },
  {
    name: 'sender, recipient and keeper give back at any time, strangers after returnAfter',
    run: async (world) => {
      const { a, b } = world
      const order = await orderOf(a, b)
      const message = await send(a, b, order)
      const id = await approve(b, message)
      const at = (from: `0x${string}`, seconds: number) => b.refusal(returning(b, id, message, from), seconds)
      for (const from of [SENDER, RECIPIENT, KEEPER])
        assert.equal(await at(from, order.returnAfter - 1), undefined)
      for (const from of [STRANGER, EXECUTOR, REFUNDEE]) {
        assert.equal(await at(from, order.returnAfter), 'TooEarly')
        assert.equal(await at(from, order.returnAfter + 1), undefined)
      }
    },
  },
  {
    name: 'a transfer that an executor has delivered is not given back, and repays the executor',
    run: async (world) => {
      const { a, b } = world
      const message = await send(a, b)
      const id = freshId()
      await b.run(expressing(b, id, message, EXECUTOR))
      await approve(b, message, id)
      assert.equal(await b.refusal(returning(b, id, message, SENDER)), 'AlreadyExpressed')
      const before = await b.balanceOf(b.bridge, EXECUTOR)
      await b.run(executing(b, id, message))
      assert.equal((await b.balanceOf(b.bridge, EXECUTOR)) - before, message.amount)
      assert.equal(await b.refusal(returning(b, id, message, SENDER)), 'NotApprovedByGateway')
    },
  },
  {
    name: 'giveBack takes only approved deliveries to this chain',
    run: async (world) => {
      const { a, b } = world
      const message = await send(a, b)
      assert.equal(await b.refusal(returning(b, freshId(), message, KEEPER)), 'NotApprovedByGateway')
      for (const [part, expected] of [
        [{ sourceAddress: STRANGER }, 'UntrustedSource'],
        [{ sourceChain: 'evil' }, 'WrongTransfer'],
        [{ amount: message.amount + 1n }, 'WrongTransfer'],
        [
          { payload: alter(message.payload, { destinationChain: toHex('evil', { size: 32 }) }) },
          'WrongTransfer',
        ],
      ] as const) {
        const changed = { ...message, ...part }
        assert.equal(await b.refusal(returning(b, await approve(b, changed), changed, KEEPER)), expected)
      }
      const back = await returned(world, message)
      assert.equal(await a.refusal(returning(a, await approve(a, back), back, KEEPER)), 'WrongTransfer')
    },
  },
  {
    name: 'a refund is of the transfer’s own token, amount and chains',
    run: async (world) => {
      const { a, b } = world
      const back = await returned(world, await send(a, b))
      for (const part of [
        { symbol: a.etherSymbol },
        { amount: back.amount - 1n },
        { sourceChain: 'evil' },
        { payload: alter(back.payload, { sourceChain: toHex('evil', { size: 32 }) }) },
        { payload: alter(back.payload, { sourceChainId: 1n }) },
      ]) {
        const changed = { ...back, ...part }
        const id = await approve(a, changed)
        assert.equal(
          await a.refusal(executing(a, id, changed)),
          'WrongTransfer',
          JSON.stringify(part, String),
        )
        assert.equal(await a.refusal(redirecting(a, id, changed, SENDER, SENDER)), 'WrongTransfer')
      }
      const self = { ...back, payload: alter(back.payload, { refundAddress: a.router }) }
      assert.equal(await a.refusal(executing(a, await approve(a, self), self)), 'InvalidParty')
    },
  },
  {
    name: 'sender and refund address alone have a refund paid to another account',
    run: async (world) => {
      const { a, b } = world
      const message = await send(a, b)
      const back = await returned(world, message)
      const id = await approve(a, back)
      const to = (from: `0x${string}`, payee: `0x${string}`) => redirecting(a, id, back, from, payee)
      for (const from of [STRANGER, KEEPER, RECIPIENT])
        assert.equal(await a.refusal(to(from, from)), 'NotPayee')
      assert.equal(await a.refusal(to(SENDER, a.router)), 'InvalidParty')
      assert.equal(await a.refusal(to(REFUNDEE, STRANGER)), undefined)
      const before = await a.balanceOf(a.bridge, STRANGER)
      await a.run(to(SENDER, STRANGER))
      assert.equal((await a.balanceOf(a.bridge, STRANGER)) - before, back.amount)
      assert.equal(await a.refusal(executing(a, id, back)), 'NotApprovedByGateway')
      const delivery = await send(a, b)
      const deliveryId = await approve(b, delivery)
      assert.equal(await b.refusal(redirecting(b, deliveryId, delivery, SENDER, SENDER)), 'WrongTransfer')
      const expressed = await returned(world, await send(a, b))
      const expressedId = freshId()
      await a.run(expressing(a, expressedId, expressed, EXECUTOR))
      await approve(a, expressed, expressedId)
      assert.equal(
        await a.refusal(redirecting(a, expressedId, expressed, SENDER, SENDER)),
        'AlreadyExpressed',
      )
    },
  },
]
