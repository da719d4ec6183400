import assert from 'node:assert/strict'
import type { Event } from '@openrfq/sandbox/test/chain-calls.ts'
import { DEPLOYER } from '@openrfq/sandbox/test/contract-deployer.ts'
import { type Hex, keccak256, zeroAddress } from 'viem'
import { pathOf } from './express-site.ts'
import {
  approve,
  assertEmpty,
  EXECUTOR,
  type ExpressOrder,
  executing,
  expressing,
  freshId,
  type Message,
  messageOf,
  orderOf,
  RECIPIENT,
  REFUNDEE,
  type Side,
  STRANGER,
  sending,
} from './express-world.ts'

/** The event with this name; throws when there is none. */
export const eventOf = (events: readonly Event[], name: string): Event => {
  const found = events.find(({ eventName }) => eventName === name)
  assert.ok(found, `no ${name}`)
  return found
}

/** Sends an order from one side to the other and returns its message. */
export const send = async (from: Side, to: Side, part: Partial<ExpressOrder>): Promise<Message> =>
  messageOf(from, to, await from.run(sending(from, orderOf(from, to, part))))

/** Moves a pool's price by selling on the exchange without a limit. */
export const trade = async (
  side: Side,
  first: Hex,
  fee: number,
  second: Hex,
  amountIn: bigint,
): Promise<void> => {
  const run = (to: Hex, name: string, args: readonly unknown[]) =>
    side.run({ from: DEPLOYER, to, data: side.encode(name, args) })
  await run(first, 'approve', [side.swapRouter, amountIn])
  const params = {
    path: pathOf(first, [fee, second]),
    recipient: DEPLOYER,
    deadline: 2n ** 40n,
    amountIn,
    amountOutMinimum: 0n,
  }
  await run(side.swapRouter, 'exactInput', [params])
}

/** Sets the behaviour of a hostile token or puppet contract. */
export const setMood = (side: Side, of: Hex, mood: number) =>
  side.run({ from: STRANGER, to: of, data: side.encode('setMood', [mood]) })

/** Sets a state, runs the function, and restores the state. */
export const meanwhile = async (side: Side, work: () => Promise<void>): Promise<void> => {
  const state = await side.rpc('evm_snapshot')
  try {
    await work()
  } finally {
    await side.rpc('evm_revert', state)
  }
}

/** Carries a message to its destination and returns the events of its first execution. */
type Carrier = (to: Side, message: Message) => Promise<readonly Event[]>
/** Delivers through the gateway's approval. */
export const ordinarily: Carrier = async (to, message) =>
  to.run(executing(to, await approve(to, message), message, STRANGER))
/** Delivers by express, then executes the approved message, which must only repay the executor. */
export const expressly: Carrier = async (to, message) => {
  const token = message.symbol === to.symbol ? to.bridge : to.ether
  const stock = await to.balanceOf(token, EXECUTOR)
  const id = freshId()
  const events = await to.run(expressing(to, id, message, EXECUTOR))
  assert.equal(await to.balanceOf(token, EXECUTOR), stock - message.amount)
  await approve(to, message, id)
  const repaid = await to.run(executing(to, id, message, STRANGER))
  assert.deepEqual(
    repaid.filter(({ eventName }) => ['Delivered', 'Returned', 'Refunded'].includes(eventName)),
    [],
  )
  assert.equal(await to.balanceOf(token, EXECUTOR), stock)
  return events
}
/** The two ways in which a message is delivered, by name. */
export const CARRIERS = [
  ['ordinary execution', ordinarily],
  ['an express executor', expressly],
] as const

/** A failed delivery and its return leg: the refund address receives everything that crossed, nobody else anything. */
export const assertRefunded = async (
  from: Side,
  to: Side,
  message: Message,
  there: Carrier,
  back: Carrier,
) => {
  const held = await to.balanceOf(zeroAddress, RECIPIENT)
  const events = await there(to, message)
  assert.equal(await to.balanceOf(zeroAddress, RECIPIENT), held)
  await assertEmpty(to)
  const transferId = keccak256(message.payload)
  const returned = eventOf(events, 'Returned').args
  assert.deepEqual(
    [returned['transferId'], returned['sourceChainId'], returned['amount']],
    [transferId, BigInt(from.number), message.amount],
  )
  const answer = messageOf(to, from, events)
  assert.equal(keccak256(answer.payload), transferId, 'the return leg has another identifier')
  const refundToken = answer.symbol === from.symbol ? from.bridge : from.ether
  const before = await from.balanceOf(refundToken, REFUNDEE)
  const { args } = eventOf(await back(from, answer), 'Refunded')
  assert.deepEqual(
    [args['transferId'], args['refundAddress'], args['token'], args['amount']],
    [transferId, REFUNDEE, refundToken, message.amount],
  )
  assert.equal((await from.balanceOf(refundToken, REFUNDEE)) - before, message.amount)
  await assertEmpty(from)
  return returned['reason']
}
