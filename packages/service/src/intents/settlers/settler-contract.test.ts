import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attestedSettlerAbi, intentSettlerAbi } from '@openrfq/contracts'
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
  stringToHex,
  toEventSelector,
  zeroAddress,
} from 'viem'
import { baseUnits, MAX_BASE_UNITS } from '../../core/amount.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import {
  claimCall,
  fillCall,
  openCall,
  openForCall,
  orderIdOf,
  proveCall,
  refundCall,
} from './settler-contract.ts'
import { readSettlerEvent, SETTLER_TOPICS } from './settler-events.ts'

const abi: Abi = intentSettlerAbi

const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => getAddress(bytesToHex(bytes)))
const token = fc.oneof(address, fc.constant(zeroAddress))
const seconds = fc.integer({ min: 0, max: 0xffff_ffff })
const amount = fc.bigInt({ min: 1n, max: MAX_BASE_UNITS }).map(baseUnits)
const chain = fc.bigInt({ min: 1n, max: 10n ** 31n }).map((number) => `eip155:${number}`)
const name = fc
  .array(fc.integer({ min: 0x21, max: 0x7e }), { minLength: 1, maxLength: 20 })
  .map((codes) => String.fromCharCode(...codes).toLowerCase())
const orders: fc.Arbitrary<IntentOrder> = fc
  .record(
    {
      depositor: address,
      salt: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => bytesToHex(bytes)),
      originChain: chain,
      originSettler: address,
      destinationChain: chain,
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
      proven: fc.record(
        {
          destinationName: name,
          exclusiveUntil: seconds,
          integrator: token,
          integratorFee: fc.oneof(amount, fc.constant(baseUnits(0n))),
        },
        { noNullPrototype: true },
      ),
    },
    { noNullPrototype: true },
  )
  .map((order) => ({ ...order, destinationSettler: order.originSettler }))

// CAST: the texts are hex, by the arbitrary.
const hex = (text: string): Hex => text as Hex

/** The order as the contract's struct. */
const onChain = (order: IntentOrder): oracle.IntentOrder => {
  const { originChain, destinationChain, originSettler: _, destinationSettler: __, proven, ...rest } = order
  assert.ok(proven !== undefined)
  const { destinationName, exclusiveUntil, integrator, integratorFee } = proven
  // CAST: the texts are hex, by the arbitrary.
  return {
    ...rest,
    originChainId: BigInt(originChain.slice(7)),
    destinationChainId: BigInt(destinationChain.slice(7)),
    destinationChain: oracle.chainWord(destinationName),
    ...{ exclusiveUntil, integrator, integratorFee },
  } as unknown as oracle.IntentOrder
}

const idOf = (order: IntentOrder): Hex => oracle.orderIdOf(hex(order.originSettler), onChain(order))

const calldata = (functionName: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi, functionName, args })

/** The order in the form of the settler's event. */
const resolved = (order: IntentOrder) => {
  const plain = onChain(order)
  return {
    user: plain.depositor,
    originChainId: plain.originChainId,
    openDeadline: plain.openDeadline,
    fillDeadline: plain.fillDeadline,
    orderId: idOf(order),
    maxSpent: [
      {
        token: pad(plain.outputToken),
        amount: plain.outputAmount,
        recipient: pad(plain.recipient),
        chainId: plain.destinationChainId,
      },
    ],
    minReceived: [
      {
        token: pad(plain.inputToken),
        amount: plain.inputAmount,
        recipient: pad(plain.solver),
        chainId: plain.originChainId,
      },
    ],
    fillInstructions: [
      {
        destinationChainId: plain.destinationChainId,
        destinationSettler: pad(hex(order.destinationSettler)),
        originData: oracle.encodeOrder(plain),
      },
    ],
  }
}

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

test('openFor takes the order as ERC-7683 wraps it, and the permission', () => {
  const permissions = fc.uint8Array({ maxLength: 300 }).map((bytes) => bytesToHex(bytes))
  fc.assert(
    fc.property(orders, permissions, (order, permission) => {
      const wrapped = oracle.wrapGasless(hex(order.originSettler), onChain(order))
      assert.equal(openForCall(order, permission).data, calldata('openFor', [wrapped, permission, '0x']))
      assert.equal(openForCall(order, permission).value, 0n)
    }),
  )
})

test("an order's id is the hash of its destination's name and its EIP-712 hash", () => {
  fc.assert(fc.property(orders, (order) => orderIdOf(order) === idOf(order)))
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
        data: calldata('fill', [idOf(order), oracle.encodeOrder(plain), '0x']),
        value: order.outputToken === zeroAddress ? order.outputAmount : 0n,
      })
      assert.deepEqual(
        fillCall(order, order.depositor).data,
        calldata('fill', [idOf(order), oracle.encodeOrder(plain), pad(hex(order.depositor.toLowerCase()))]),
      )
      const refund = { data: calldata('refund', [plain, order.depositor]), value: 0n }
      assert.deepEqual(refundCall(order), refund)
    }),
  )
})

test('one proof holds several orders and pays for its relay, and one claim collects several', () => {
  fc.assert(
    fc.property(fc.array(orders, { maxLength: 4 }), name, address, (several, origin, payee) => {
      const digests = several.map((order) => oracle.digestOf(hex(order.originSettler), onChain(order)))
      const data = calldata('prove', [digests, origin])
      assert.deepEqual(proveCall(several, origin), { data, value: 0n })
      assert.deepEqual(proveCall(several, origin, 7n), { data, value: 7n })
      const claim = calldata('claim', [several.map(onChain), payee])
      assert.deepEqual(claimCall(several, payee), { data: claim, value: 0n })
    }),
  )
})

test('every event of an order has the topic of the ABI', () => {
  const topicsOf = (contract: Abi, isAttested: boolean) =>
    contract.flatMap((item) => {
      if (item.type !== 'event' || item.inputs[0]?.name !== 'orderId') return []
      const [first = '', ...rest] = item.name
      const name = `${first.toLowerCase()}${rest.join('')}`
      const isShared = ['released', 'refunded'].includes(name)
      return [[isAttested && !isShared ? `attested${item.name}` : name, toEventSelector(item)]]
    })
  const { attestedAttested: _, ...attested } = Object.fromEntries(topicsOf(attestedSettlerAbi, true))
  assert.deepEqual(SETTLER_TOPICS, { ...attested, ...Object.fromEntries(topicsOf(abi, false)) })
})

test('decodes an opened order completely from its event', () => {
  fc.assert(
    fc.property(orders, (order) => {
      const orderId = orderIdOf(order)
      const log = logOf('Open', { orderId, resolvedOrder: resolved(order) })
      assert.deepEqual(readSettlerEvent(log), { kind: 'open', orderId, order })
    }),
  )
})

test("does not decode an opened order whose id differs from its event's", () => {
  const settlerByte = (position: number): boolean => position >= 22 * 32 && position < 23 * 32
  fc.assert(
    fc.property(orders, fc.nat(43 * 32 - 1), fc.integer({ min: 1, max: 255 }), (order, position, change) => {
      const orderId = orderIdOf(order)
      const { topics, data } = logOf('Open', { orderId, resolvedOrder: resolved(order) })
      const bytes = Buffer.from(data.slice(2), 'hex')
      bytes[position] = (bytes[position] ?? 0) ^ change
      const read = readSettlerEvent({ topics, data: `0x${bytes.toString('hex')}` })
      if (read !== undefined) assert.deepEqual(read, { kind: 'open', orderId, order })
      assert.equal(read === undefined, position >= 25 * 32 || settlerByte(position))
      assert.equal(readSettlerEvent({ topics, data: data.slice(0, 2 + position * 2) }), undefined)
    }),
  )
})

test('does not decode an order for a destination that no Axelar chain can be', () => {
  const [order] = fc.sample(orders, 1)
  assert.ok(order !== undefined)
  for (const odd of ['a'.repeat(21), 'a b', 'a\u0000b']) {
    const plain: oracle.IntentOrder = { ...onChain(order), destinationChain: stringToHex(odd, { size: 32 }) }
    const settler = hex(order.originSettler)
    const orderId = oracle.orderIdOf(settler, plain)
    const { fillInstructions, ...others } = resolved(order)
    const instructions = fillInstructions.map((one) => ({ ...one, originData: oracle.encodeOrder(plain) }))
    const event = { ...others, orderId, fillInstructions: instructions }
    assert.equal(readSettlerEvent(logOf('Open', { orderId, resolvedOrder: event })), undefined)
  }
})

test('decodes the other events with their parties and amounts', () => {
  fc.assert(
    fc.property(orders, ({ salt: orderId, solver, recipient, filler, outputAmount: amount }) => {
      const read = (name: string, args: object) => readSettlerEvent(logOf(name, { orderId, ...args }))
      assert.deepEqual(read('Filled', { filler, repayTo: solver }), {
        kind: 'filled',
        ...{ orderId, filler, repayTo: solver },
      })
      assert.deepEqual(read('Proven', { payee: solver }), { kind: 'proven', orderId, payee: solver })
      assert.deepEqual(read('Released', { payee: solver, to: recipient, amount }), {
        kind: 'released',
        ...{ orderId, payee: solver, amount },
      })
      assert.deepEqual(read('Refunded', { to: recipient, amount }), {
        kind: 'refunded',
        ...{ orderId, payee: recipient, amount },
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
