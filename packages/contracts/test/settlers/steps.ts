import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { executeBatch } from '@openrfq/sandbox/test/axelar-contracts.ts'
import type { Call, Event } from '@openrfq/sandbox/test/chain-calls.ts'
import {
  chainWord,
  digestOf,
  encodeOrder,
  type IntentOrder,
  orderIdOf,
  wrapOrder,
} from '@openrfq/sandbox/test/intent-order.ts'
import { encodeAbiParameters, type Hex, keccak256, parseAbiParameters, zeroAddress } from 'viem'
import {
  DEPOSITOR,
  FILLER,
  INTEGRATOR,
  RECIPIENT,
  type Side,
  SOLVER,
  STRANGER,
  WINDOW,
  type World,
} from './world.ts'

/** A message as announced or forged. */
export type Message = {
  readonly sourceChain: string
  readonly sourceAddress: string
  readonly target: Hex
  readonly payload: Hex
}

/** The later clock of both chains, in seconds. */
export const nowOf = async ({ a, b }: World): Promise<number> => Math.max(await a.now(), await b.now())

/** An order from one side to the other, tokens for tokens, with a fee and an hour of deadlines. */
export const orderOf = async (
  world: World,
  part: Partial<IntentOrder> = {},
  [from, to]: readonly [Side, Side] = [world.a, world.b],
): Promise<IntentOrder> => {
  const now = await nowOf(world)
  return {
    depositor: DEPOSITOR,
    salt: `0x${randomBytes(32).toString('hex')}`,
    originChainId: BigInt(from.number),
    destinationChainId: BigInt(to.number),
    destinationChain: chainWord(to.axelarName),
    openDeadline: now + 600,
    exclusiveUntil: now + 900,
    fillDeadline: now + 1200,
    refundAfter: now + 1200 + WINDOW,
    inputToken: from.token,
    inputAmount: 1_000_000n,
    outputToken: to.token,
    outputAmount: 990_000n,
    recipient: RECIPIENT,
    solver: SOLVER,
    filler: FILLER,
    integrator: INTEGRATOR,
    integratorFee: 1000n,
    ...part,
  }
}

const nativeOf = (token: Hex, amount: bigint): bigint => (token === zeroAddress ? amount : 0n)

/** Calls of an order on its sides. */
export const openCall = (side: Side, order: IntentOrder): Call => ({
  from: order.depositor,
  to: side.settler,
  data: side.encode('open', [wrapOrder(order)]),
  value: nativeOf(order.inputToken, order.inputAmount),
})
export const fillCall = (
  side: Side,
  order: IntentOrder,
  from: Hex = order.filler,
  fillerData: Hex = '0x',
): Call => ({
  from,
  to: side.settler,
  data: side.encode('fill', [orderIdOf(side.settler, order), encodeOrder(order), fillerData]),
  value: nativeOf(order.outputToken, order.outputAmount),
})
export const proveCall = (
  side: Side,
  orders: readonly IntentOrder[],
  originChain: string,
  value = 0n,
): Call => ({
  from: STRANGER,
  to: side.settler,
  data: side.encode('prove', [orders.map((order) => digestOf(side.settler, order)), originChain]),
  value,
})
export const claimCall = (
  side: Side,
  orders: readonly IntentOrder[],
  to: Hex,
  from: Hex = STRANGER,
): Call => ({
  from,
  to: side.settler,
  data: side.encode('claim', [orders, to]),
})
export const refundCall = (
  side: Side,
  order: IntentOrder,
  from: Hex = STRANGER,
  to: Hex = order.depositor,
): Call => ({
  from,
  to: side.settler,
  data: side.encode('refund', [order, to]),
})
/** Says where a filler that the order does not name is repaid. */
export const repayTo = (account: Hex): Hex => encodeAbiParameters(parseAbiParameters('address'), [account])

/** The messages that a transaction passed to the gateway. */
export const messagesOf = (from: Side, events: readonly Event[]): readonly Message[] =>
  events
    .filter(({ eventName }) => eventName === 'ContractCall')
    // CAST: the arguments of the gateway's ContractCall.
    .map(({ args }) => args as unknown as { sender: Hex; destinationContractAddress: Hex; payload: Hex })
    .map(({ sender, destinationContractAddress: target, payload }) => ({
      sourceChain: from.axelarName,
      sourceAddress: sender,
      target,
      payload,
    }))

/** Approves a message at a chain's gateway. Returns the call that executes it. */
export const approved = async (to: Side, message: Message): Promise<Call> => {
  const id: Hex = `0x${randomBytes(32).toString('hex')}`
  const { sourceChain, sourceAddress, target, payload } = message
  const params = encodeAbiParameters(
    parseAbiParameters('string, string, address, bytes32, bytes32, uint256'),
    [sourceChain, sourceAddress, target, keccak256(payload), id, 0n],
  )
  await executeBatch(to, [{ id, name: 'approveContractCall', params }])
  const data = to.encode('execute', [id, sourceChain, sourceAddress, payload])
  return { from: STRANGER, to: target, data }
}

/** Opens, fills and proves orders, up to the approved message at their origin. */
export const provedMessage = async (
  from: Side,
  to: Side,
  orders: readonly IntentOrder[],
): Promise<Message> => {
  const [message] = messagesOf(to, await to.run(proveCall(to, orders, from.axelarName)))
  assert.ok(message)
  return message
}

/** Proves orders and executes the proof at their origin. Returns its events. */
export const proveAndMark = async (
  from: Side,
  to: Side,
  orders: readonly IntentOrder[],
): Promise<readonly Event[]> => from.run(await approved(from, await provedMessage(from, to, orders)))

/** Kinds of records, as the contract numbers them. */
export const KIND = { none: 0, open: 1, refunded: 2, filled: 3, proven: 4, released: 5 } as const

/** What a side remembers of an order. */
export const recordOf = async (side: Side, order: IntentOrder): Promise<readonly [number, Hex]> =>
  // CAST: kind and account.
  (await side.read(side.settler, 'record', [orderIdOf(side.settler, order)])) as readonly [number, Hex]

/** Runs steps and compares by how much accounts' balances changed; `[token, account, change]`. */
export const moves = async (
  side: Side,
  steps: () => Promise<unknown>,
  expected: readonly (readonly [token: Hex, account: Hex, change: bigint])[],
): Promise<void> => {
  const read = () => Promise.all(expected.map(([token, account]) => side.balanceOf(token, account)))
  const before = await read()
  await steps()
  const after = await read()
  for (const [index, [token, account, change]] of expected.entries())
    assert.equal((after[index] ?? 0n) - (before[index] ?? 0n), change, `${account} in ${token}`)
}

/** The arguments of a transaction's only event of a name. */
export const argsOf = (events: readonly Event[], name: string): Readonly<Record<string, unknown>> => {
  const found = events.filter(({ eventName }) => eventName === name)
  assert.equal(found.length, 1, `${found.length} events ${name}`)
  assert.ok(found[0])
  return found[0].args
}

/** Notes what an attack costs and gains. */
export type Note = (text: string) => void

/** One attempt at the settlers. It throws when they do not behave. */
export type Case = { readonly name: string; readonly run: (world: World, note: Note) => Promise<void> }

/** The gas that a call uses when it is sent, also when it reverts. */
export const gasOf = async (side: Side, call: Call): Promise<bigint> => {
  const { txHash } = await side.send(call)
  // CAST: anvil's receipt.
  const { gasUsed } = (await side.rpc('eth_getTransactionReceipt', txHash)) as { readonly gasUsed: Hex }
  return BigInt(gasUsed)
}
