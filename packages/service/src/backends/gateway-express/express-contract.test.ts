import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expressRouterAbi } from '@openrfq/contracts'
import fc from 'fast-check'
import {
  type Abi,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseAbiParameters,
  toEventSelector,
} from 'viem'
import { addNativeGasData } from '../../protocols/axelar/gas-service-contract.ts'
import {
  callWithTokenData,
  DELIVERED_TOPIC,
  type ExpressOrder,
  pathBytes,
  REFUNDED_TOPIC,
  RETURNED_TOPIC,
  sendData,
} from './express-contract.ts'

const abi: Abi = expressRouterAbi

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(hexOf)
const amount = fc.bigInt({ min: 1n, max: (1n << 256n) - 1n })
const path = fc.uint8Array({ maxLength: 120 }).map(hexOf)
const orders: fc.Arbitrary<ExpressOrder> = fc.record({
  salt: fc.uint8Array({ minLength: 32, maxLength: 32 }).map(hexOf),
  deadlineSeconds: fc.integer({ min: 0, max: 4_294_967_295 }),
  inputToken: address,
  inputAmount: amount,
  inputPath: path,
  symbol: fc.string({ maxLength: 40 }),
  minimumBridgeAmount: amount,
  refundAddress: address,
  destinationChainId: amount,
  outputToken: address,
  outputPath: path,
  minimumAmount: amount,
  recipient: address,
  deliveryGas: fc.integer({ min: 100_000, max: 3_000_000 }),
})

const TRANSFER = parseAbiParameters([
  'ExpressTransfer transfer',
  'struct ExpressTransfer { uint256 sourceChainId; uint256 destinationChainId; address sender; bytes32 salt; address refundAddress; string symbol; uint256 amount; address outputToken; bytes outputPath; uint256 minimumAmount; address recipient; uint32 deliveryGas; }',
])
const CALL = parseAbiParameters('string, string, bytes, string, uint256')

test('an order is encoded as the router’s own ABI says', () => {
  fc.assert(
    fc.property(orders, ({ deadlineSeconds, ...order }) => {
      const expected = encodeFunctionData({
        abi,
        functionName: 'send',
        args: [{ ...order, deadline: deadlineSeconds }],
      })
      assert.equal(sendData({ ...order, deadlineSeconds }), expected)
    }),
    { numRuns: 50 },
  )
})

test('the message of an order is encoded as the gateway emits it', () => {
  fc.assert(
    fc.property(orders, address, address, amount, amount, (order, router, sender, sourceChainId, sent) => {
      // CAST: the generators above make hex.
      const transfer = { ...order, sourceChainId, sender, amount: sent } as never
      const payload = encodeAbiParameters(TRANSFER, [transfer])
      assert.equal(
        callWithTokenData({
          destinationChain: 'Sandbox',
          router,
          order,
          sent: { sourceChainId, sender, amount: sent },
        }),
        encodeAbiParameters(CALL, ['Sandbox', router, payload, order.symbol, sent]),
      )
    }),
    { numRuns: 50 },
  )
})

test('topics, paths and return gas equal those of the contracts', () => {
  const topics = new Map(
    abi.flatMap((item) => (item.type === 'event' ? [[item.name, toEventSelector(item)] as const] : [])),
  )
  assert.equal(topics.get('Delivered'), DELIVERED_TOPIC)
  assert.equal(topics.get('Returned'), RETURNED_TOPIC)
  assert.equal(topics.get('Refunded'), REFUNDED_TOPIC)
  const [one, two, three] = ['11', '22', '33'].map((digits): Hex => `0x${digits.repeat(20)}`)
  assert.ok(one !== undefined && two !== undefined && three !== undefined)
  const legs = [
    { pool: { fee: 500 }, tokenIn: one, tokenOut: two },
    { pool: { fee: 10_000 }, tokenIn: two, tokenOut: three },
  ]
  assert.equal(pathBytes(legs), `${one}0001f4${two.slice(2)}002710${three.slice(2)}`)
  assert.equal(pathBytes([]), '0x')
  const hash: Hex = `0x${'ab'.repeat(32)}`
  assert.equal(
    addNativeGasData(hash, 7, one),
    encodeFunctionData({
      abi: parseAbi(['function addNativeGas(bytes32 txHash, uint256 logIndex, address refundAddress)']),
      functionName: 'addNativeGas',
      args: [hash, 7n, one],
    }),
  )
})
