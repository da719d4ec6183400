import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeAbiParameters, keccak256, parseAbiParameters } from 'viem'
import {
  BRIDGE,
  BRIDGED,
  bridgeRoute,
  FROM,
  hash,
  order,
  ROUTER,
  SENDER,
  SOURCE_TX,
  STRANGER,
  sentData,
} from '../../../../test/express-scene.ts'
import { addressTopic, addressWord, uintWord } from '../../../chains/evm/abi-words.ts'
import type { EvmLog, EvmReceipt } from '../../../chains/evm/evm-chain.ts'
import { commandIdOf } from '../../../protocols/axelar/command-id.ts'
import { CONTRACT_CALL_WITH_TOKEN_TOPIC } from '../../../protocols/axelar/gateway-contract.ts'
import { SENT_TOPIC, transferPayload } from '../../router/express-contract.ts'
import { messageIn, readSent } from './sent-message.ts'

const GAS_TOPIC = '0x8c092067e86e85e8cfbaf187202ef580cdfd7ec37fbec89191607de73ca80005'
const { from, to } = bridgeRoute({ axelarName: 'two', gasService: `0x${'6'.repeat(40)}` })
const WAY = { from: { ...from, axelarName: 'One' }, to }
const payloadOf = (changes: Partial<typeof order> = {}): string =>
  transferPayload(
    { ...order, ...changes },
    { sourceChain: 'One', sourceChainId: 1n, sender: SENDER, amount: BRIDGED },
  )
const PAYLOAD = payloadOf()
const TRANSFER = keccak256(`0x${PAYLOAD.slice(2)}`)
const SENT = { transferId: TRANSFER, amount: BRIDGED }

const call = (changes: Partial<EvmLog> = {}): EvmLog => ({
  address: from.gateway,
  topics: [CONTRACT_CALL_WITH_TOKEN_TOPIC, addressTopic(ROUTER), TRANSFER],
  data: sentData(),
  ...changes,
})
const GAS_PAID = parseAbiParameters(
  'string destinationChain, string destinationAddress, string symbol, uint256 amount, uint256 gasFeeAmount, address refundAddress',
)
/** A payment to the gas service, by default for the transfer's message. */
const gas = (
  fee: bigint,
  {
    emitter = from.gasService,
    payer = ROUTER,
    chain = 'two',
    contract = ROUTER,
    symbol = 'USDC',
    amount = BRIDGED,
  } = {},
): EvmLog => ({
  address: emitter,
  topics: [GAS_TOPIC, addressTopic(payer), TRANSFER],
  data: encodeAbiParameters(GAS_PAID, [chain, contract, symbol, amount, fee, `0x${SENDER.slice(2)}`]),
})
const receipt = (logs: readonly EvmLog[], succeeded = true): EvmReceipt => ({
  ...{ txHash: SOURCE_TX, blockNumber: 1n, blockHash: hash('1'), timestampSeconds: 1, succeeded },
  ...{ from: SENDER, to: ROUTER, input: '0x', value: 0n, logs, firstLogIndex: 0, final: true },
})

test("a transfer's message is read with its command, its payment and its pools", () => {
  const read = messageIn(
    receipt([
      ...[gas(5n), gas(7n, { contract: ROUTER.toLowerCase() })],
      ...[gas(9n, { emitter: STRANGER }), gas(9n, { emitter: STRANGER, payer: STRANGER })],
      call(),
    ]),
    WAY,
    SENT,
  )
  const messageId = `${SOURCE_TX}-4`
  assert.deepEqual(read, {
    ...{ transferId: TRANSFER, messageId, paid: 12n, pools: 1 },
    priority: { executor: order.executor, untilSeconds: 1_000_100n },
    message: {
      commandId: commandIdOf(messageId, 2n),
      sourceChain: 'One',
      sourceAddress: ROUTER,
      contract: ROUTER,
      payload: PAYLOAD,
      token: { symbol: 'USDC', amount: BRIDGED },
    },
  })
})

test('a payment in the name of the router for another message with its payload is none', () => {
  const others = [{ chain: 'three' }, { contract: STRANGER }, { symbol: 'USDT' }, { amount: 1n }]
  for (const other of others)
    assert.equal(
      messageIn(receipt([gas(9n, other), gas(1n), call()]), WAY, SENT)?.paid,
      1n,
      JSON.stringify(other, String),
    )
})

const OTHER: Readonly<Record<string, readonly [readonly EvmLog[], boolean?]>> = {
  'whose transaction reverted': [[call()], false],
  'without a call': [[gas(5n)]],
  'that is called twice': [[call(), call()]],
  'of another gateway': [[call({ address: STRANGER })]],
  'of another contract': [
    [call({ topics: [CONTRACT_CALL_WITH_TOKEN_TOPIC, addressTopic(STRANGER), TRANSFER] })],
  ],
  'whose payload is another than its hash says': [[call({ data: sentData({ recipient: STRANGER }) })]],
  'to another chain': [[call({ data: sentData({ destinationChain: 'Two' }) })]],
  'to another contract': [[call({ data: sentData({}, { router: STRANGER }) })]],
  'of another token': [[call({ data: sentData({ symbol: 'USDT' }) })]],
  'whose data is cut off': [[call({ data: sentData().slice(0, 600) })]],
  'without data': [[call({ data: '0x' })]],
}
for (const [what, [logs, succeeded]] of Object.entries(OTHER))
  test(`refuses a message ${what}`, () =>
    assert.equal(messageIn(receipt(logs, succeeded), WAY, SENT), undefined))

test('refuses a message of another amount than the router told', () =>
  assert.equal(messageIn(receipt([call()]), WAY, { ...SENT, amount: BRIDGED - 1n }), undefined))

test("reads a router's event, and no other log", () => {
  const log = {
    ...{ address: ROUTER, txHash: SOURCE_TX, blockNumber: 9n, blockHash: hash('1'), position: 0 },
    timestampSeconds: 1,
    topics: [SENT_TOPIC, TRANSFER, addressTopic(SENDER), `0x${uintWord(2n)}`],
    data: `0x${addressWord(BRIDGE)}${uintWord(5n)}${addressWord(BRIDGE)}${uintWord(BRIDGED)}`,
  }
  assert.deepEqual(readSent(FROM, log), {
    ...{ sourceChain: FROM, transferId: TRANSFER, txHash: SOURCE_TX, blockNumber: 9n },
    ...{ destinationNumber: 2n, bridgeToken: BRIDGE.toLowerCase(), amount: BRIDGED },
  })
  assert.equal(readSent(FROM, { ...log, topics: [hash('1'), ...log.topics.slice(1)] }), undefined)
  assert.equal(readSent(FROM, { ...log, topics: [SENT_TOPIC, TRANSFER] }), undefined)
  assert.equal(readSent(FROM, { ...log, data: log.data.slice(0, 200) }), undefined)
})
