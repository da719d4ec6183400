import assert from 'node:assert/strict'
import { test } from 'node:test'
import { intentSettlerAbi } from '@openrfq/contracts'
import * as oracle from '@openrfq/sandbox/test/intent-order.ts'
import fc from 'fast-check'
import {
  type Abi,
  bytesToHex,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  getAbiItem,
  getAddress,
  type Hex,
  pad,
  toEventSelector,
  zeroAddress,
} from 'viem'
import { baseUnits, MAX_BASE_UNITS } from '../../core/amount.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import {
  declineCall,
  fillCall,
  openCall,
  orderIdOf,
  proveCall,
  readSettlerEvent,
  refundCall,
  SETTLER_TOPICS,
} from './settler-contract.ts'

const abi: Abi = intentSettlerAbi

const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => getAddress(bytesToHex(bytes)))
const token = fc.oneof(address, fc.constant(zeroAddress))
const seconds = fc.integer({ min: 0, max: 0xffff_ffff })
const amount = fc.bigInt({ min: 1n, max: MAX_BASE_UNITS }).map(baseUnits)
const chain = fc.bigInt({ min: 1n, max: 10n ** 31n }).map((number) => `eip155:${number}`)
const orders: fc.Arbitrary<IntentOrder> = fc.record(
  {
    depositor: address,
    salt: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => bytesToHex(bytes)),
    originChain: chain,
    originSettler: address,
    destinationChain: chain,
    destinationSettler: address,
    openDeadline: seconds,
    fillDeadline: seconds,
    refundAfter: seconds,
    inputToken: token,
    inputAmount: amount,
    outputToken: token,
    outputAmount: amount,
    recipient: address,
    solver: address,
    filler: address,
  },
  { noNullPrototype: true },
)

/** The order as the contract's struct. */
const onChain = ({ originChain, destinationChain, ...order }: IntentOrder): oracle.IntentOrder =>
  // CAST: the texts are hex, by the arbitrary.
  ({
    ...order,
    originChainId: BigInt(originChain.slice(7)),
    destinationChainId: BigInt(destinationChain.slice(7)),
  }) as unknown as oracle.IntentOrder

const calldata = (functionName: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi, functionName, args })

/** The order in the form of the settler's event. */
const resolved = (order: oracle.IntentOrder) => ({
  user: order.depositor,
  originChainId: order.originChainId,
  openDeadline: order.openDeadline,
  fillDeadline: order.fillDeadline,
  orderId: oracle.orderIdOf(order),
  maxSpent: [
    {
      token: pad(order.outputToken),
      amount: order.outputAmount,
      recipient: pad(order.recipient),
      chainId: order.destinationChainId,
    },
  ],
  minReceived: [
    {
      token: pad(order.inputToken),
      amount: order.inputAmount,
      recipient: pad(order.solver),
      chainId: order.originChainId,
    },
  ],
  fillInstructions: [
    {
      destinationChainId: order.destinationChainId,
      destinationSettler: pad(order.destinationSettler),
      originData: oracle.encodeOrder(order),
    },
  ],
})

/** A log in the form the settler emits. */
const logOf = (eventName: string, args: Readonly<Record<string, unknown>>) => {
  const item = getAbiItem({ abi, name: eventName })
  assert.ok(item?.type === 'event')
  const plain = item.inputs.filter(({ indexed }) => indexed !== true)
  return {
    // CAST: no argument is an array, so no topic is null or a list.
    topics: encodeEventTopics({ abi, eventName, args }) as readonly string[],
    data: encodeAbiParameters(
      plain,
      plain.map(({ name = '' }) => args[name]),
    ),
  }
}

test("an order's id is its EIP-712 hash", () => {
  fc.assert(fc.property(orders, (order) => orderIdOf(order) === oracle.orderIdOf(onChain(order))))
})

test('calls equal their ABI encoding and carry the native value of the order', () => {
  fc.assert(
    fc.property(orders, (order) => {
      const plain = onChain(order)
      assert.deepEqual(openCall(order), {
        data: calldata('open', [oracle.wrapOrder(plain)]),
        value: order.inputToken === zeroAddress ? order.inputAmount : 0n,
      })
      assert.deepEqual(fillCall(order), {
        data: calldata('fill', [oracle.orderIdOf(plain), oracle.encodeOrder(plain), '0x']),
        value: order.outputToken === zeroAddress ? order.outputAmount : 0n,
      })
      assert.deepEqual(declineCall(order), { data: calldata('decline', [plain]), value: 0n })
      assert.deepEqual(refundCall(order), { data: calldata('refund', [plain]), value: 0n })
    }),
  )
})

test('one proof holds several orders and pays for its relay', () => {
  fc.assert(
    fc.property(fc.array(orders, { maxLength: 4 }), (several) => {
      const data = calldata('prove', [several.map(onChain)])
      assert.deepEqual(proveCall(several), { data, value: 0n })
      assert.deepEqual(proveCall(several, 7n), { data, value: 7n })
    }),
  )
})

test('every event of an order has the topic of the ABI', () => {
  const about = abi.filter(
    (item) => item.type === 'event' && item.inputs[0]?.name === 'orderId' && item.name !== 'ProofIgnored',
  )
  const expected = about.map((item) =>
    item.type === 'event'
      ? [`${item.name.charAt(0).toLowerCase()}${item.name.slice(1)}`, toEventSelector(item)]
      : [],
  )
  const { attestedOpen: _, ...topics } = SETTLER_TOPICS
  assert.deepEqual(topics, Object.fromEntries(expected))
})

test('decodes an opened order completely from its event', () => {
  fc.assert(
    fc.property(orders, (order) => {
      const orderId = orderIdOf(order)
      const log = logOf('Open', { orderId, resolvedOrder: resolved(onChain(order)) })
      assert.deepEqual(readSettlerEvent(log), { kind: 'open', orderId, order })
    }),
  )
})

test("does not decode an opened order whose id differs from its event's", () => {
  fc.assert(
    fc.property(orders, fc.nat(41 * 32 - 1), fc.integer({ min: 1, max: 255 }), (order, position, change) => {
      const orderId = orderIdOf(order)
      const { topics, data } = logOf('Open', { orderId, resolvedOrder: resolved(onChain(order)) })
      const bytes = Buffer.from(data.slice(2), 'hex')
      bytes[position] = (bytes[position] ?? 0) ^ change
      const read = readSettlerEvent({ topics, data: `0x${bytes.toString('hex')}` })
      if (read !== undefined) assert.deepEqual(read, { kind: 'open', orderId, order })
      assert.equal(read === undefined, position >= 25 * 32)
      assert.equal(readSettlerEvent({ topics, data: data.slice(0, 2 + position * 2) }), undefined)
    }),
  )
})

test('decodes the other events with their parties and amounts', () => {
  const payments = {
    released: 'solver',
    releaseCredited: 'solver',
    refunded: 'depositor',
    refundCredited: 'depositor',
  }
  fc.assert(
    fc.property(orders, ({ salt: orderId, solver, recipient, outputToken, outputAmount }) => {
      const moved = { token: outputToken, amount: outputAmount }
      for (const [kind, payee] of Object.entries(payments)) {
        const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`
        const event = { orderId, [payee]: solver, ...moved }
        assert.deepEqual(readSettlerEvent(logOf(name, event)), { kind, ...event })
      }
      const filled = { orderId, filler: solver, recipient, ...moved }
      assert.deepEqual(readSettlerEvent(logOf('Filled', filled)), { kind: 'filled', ...filled })
      const declined = { orderId, solver }
      assert.deepEqual(readSettlerEvent(logOf('Declined', declined)), { kind: 'declined', ...declined })
      const proved = logOf('Proved', { orderId, originChainId: 31_337n, prover: solver })
      assert.deepEqual(readSettlerEvent(proved), {
        kind: 'proved',
        orderId,
        originChain: 'eip155:31337',
        prover: solver,
      })
    }),
  )
})

test('returns undefined for any other log, and never throws', () => {
  const topics = fc.array(
    fc.oneof(
      fc.constantFrom(...Object.values(SETTLER_TOPICS)),
      fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => bytesToHex(bytes)),
    ),
    { maxLength: 4 },
  )
  const data = fc.uint8Array({ maxLength: 200 }).map((bytes) => bytesToHex(bytes))
  fc.assert(
    fc.property(topics, data, (some, bytes) => {
      const read = readSettlerEvent({ topics: some, data: bytes })
      if (read !== undefined) assert.equal(read.orderId, some[1])
    }),
  )
})

test('an order of a chain without an EVM has no id', () => {
  const [order] = fc.sample(orders, 1)
  assert.ok(order !== undefined)
  assert.throws(() => orderIdOf({ ...order, originChain: 'solana:5eykt' }), RangeError)
})
