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
  toHex,
  zeroAddress,
} from 'viem'
import { addNativeGasData } from '../../protocols/axelar/gas-service-contract.ts'
import {
  callWithTokenData,
  DELIVERED_TOPIC,
  type ExpressOrder,
  giveBackData,
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
const seconds = fc.integer({ min: 0, max: 4_294_967_295 })
/** A chain name of Axelar, in upper or lower case. */
const chainName = fc.stringMatching(/^[!-~]{1,20}$/)
const orders: fc.Arbitrary<ExpressOrder> = fc.record({
  salt: fc.uint8Array({ minLength: 32, maxLength: 32 }).map(hexOf),
  deadlineSeconds: seconds,
  inputToken: address,
  inputAmount: amount,
  inputPath: path,
  symbol: fc.string({ maxLength: 40 }),
  minimumBridgeAmount: amount,
  refundAddress: address,
  destinationChainId: amount,
  destinationChain: chainName,
  outputToken: address,
  outputPath: path,
  minimumAmount: amount,
  recipient: address,
  keeper: address,
  executor: address,
  priorityUntilSeconds: seconds,
  returnAfterSeconds: seconds,
})

const TRANSFER = parseAbiParameters([
  'ExpressTransfer transfer',
  'struct ExpressTransfer { bytes32 sourceChain; bytes32 destinationChain; uint256 sourceChainId; uint256 destinationChainId; address sender; bytes32 salt; address refundAddress; string symbol; uint256 amount; address outputToken; bytes outputPath; uint256 minimumAmount; address recipient; address keeper; address executor; uint32 priorityUntil; uint32 returnAfter; address integrator; uint16 integratorFeeBps; }',
])
const CALL = parseAbiParameters('string, string, bytes, string, uint256')

/** What an order's struct has besides, without an integrator. */
const structOf = ({ deadlineSeconds, priorityUntilSeconds, returnAfterSeconds, ...order }: ExpressOrder) => ({
  ...order,
  deadline: deadlineSeconds,
  priorityUntil: priorityUntilSeconds,
  returnAfter: returnAfterSeconds,
  integrator: zeroAddress,
  integratorFeeBps: 0,
})

test('an order is encoded as the router’s own ABI says', () => {
  fc.assert(
    fc.property(orders, (order) => {
      const expected = encodeFunctionData({ abi, functionName: 'send', args: [structOf(order)] })
      assert.equal(sendData(order), expected)
    }),
    { numRuns: 50 },
  )
})

const folded = (name: string): Hex => toHex(name.toLowerCase(), { size: 32 })

test('the message of an order is encoded as the gateway emits it', () => {
  fc.assert(
    fc.property(
      orders,
      chainName,
      address,
      address,
      amount,
      amount,
      (order, sourceChain, router, sender, sourceChainId, sent) => {
        const transfer = {
          ...structOf(order),
          sourceChain: folded(sourceChain),
          destinationChain: folded(order.destinationChain),
          sourceChainId,
          sender,
          amount: sent,
        }
        // CAST: the generators above make hex.
        const payload = encodeAbiParameters(TRANSFER, [transfer as never])
        assert.equal(
          callWithTokenData({ router, order, sent: { sourceChain, sourceChainId, sender, amount: sent } }),
          encodeAbiParameters(CALL, [order.destinationChain, router, payload, order.symbol, sent]),
        )
      },
    ),
    { numRuns: 50 },
  )
})

test('a message is given back with the arguments of its execution', () => {
  const word: Hex = `0x${'ab'.repeat(32)}`
  const router: Hex = `0x${'11'.repeat(20)}`
  const message = {
    commandId: word,
    sourceChain: 'Sandbox',
    sourceAddress: router,
    payload: '0x1234',
  } as const
  assert.equal(
    giveBackData({ ...message, contract: router, token: { symbol: 'USDC', amount: 5n } }),
    encodeFunctionData({
      abi,
      functionName: 'giveBack',
      args: [word, message.sourceChain, router, message.payload, 'USDC', 5n],
    }),
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
