import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryChain, receiptOf } from '../../../test/memory-chain.ts'
import { addressTopic, uintWord } from '../../chains/evm/abi-words.ts'
import { ERC20_TRANSFER_TOPIC } from '../../chains/evm/erc20.ts'
import type { EvmLog } from '../../chains/evm/evm-chain.ts'
import { baseUnits } from '../../core/amount.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import {
  EXECUTED_TOPIC,
  sendTokenTemplate,
  TOKEN_SENT_TOPIC,
  tokenSentData,
} from '../../protocols/axelar/gateway-contract.ts'
import {
  type AxelarTokenTransfer,
  TransferRecord,
  toTokenTransfer,
} from '../../protocols/axelar/token-transfer.ts'
import { trackSend } from './track.ts'

const address = (digit: string): string => `0x${digit.repeat(40)}`
const hash = (digit: string): string => `0x${digit.repeat(64)}`
const [SENDER, RECIPIENT, STRANGER] = [address('a'), address('b'), address('c')]
const [GATEWAY, TOKEN] = [address('1'), address('2')]
const [FROM, TO] = ['eip155:1', 'eip155:2']

const quote: QuoteRecord = {
  quoteId: 'quote_00000000000000000000000001',
  backend: 'gateway',
  backendName: 'Axelar Gateway',
  createdAt: 1_000_000_000,
  quoteExpiresAt: 1_000_060_000,
  estimatedTimeSeconds: 90,
  orderType: 'EXACT_INPUT',
  fromChain: FROM,
  fromToken: address('3'),
  toChain: TO,
  toToken: TOKEN,
  sender: SENDER,
  recipient: RECIPIENT,
  input: baseUnits(1_000_000n),
  output: baseUnits(900_000n),
  minimumOutput: baseUnits(900_000n),
  binding: {
    denom: 'uusdc',
    decimals: '6',
    sourceSymbol: 'USDC',
    sourceAxelarChain: 'one',
    sourceGateway: GATEWAY,
    destinationAxelarChain: 'two',
    destinationGateway: GATEWAY,
  },
}

const sent: EvmLog = {
  address: GATEWAY,
  topics: [TOKEN_SENT_TOPIC, addressTopic(SENDER)],
  data: tokenSentData(sendTokenTemplate('two', 'USDC')({ recipient: RECIPIENT, amount: 1_000_000n })),
}
const paid = (to: string, amount: bigint, token = TOKEN): EvmLog => ({
  address: token,
  topics: [ERC20_TRANSFER_TOPIC, addressTopic(address('0')), addressTopic(to)],
  data: `0x${uintWord(amount)}`,
})
const executed = (transferId: bigint, gateway = GATEWAY): EvmLog => ({
  address: gateway,
  topics: [EXECUTED_TOPIC, `0x${uintWord(transferId)}`],
  data: '0x',
})
const indexed = (
  transferId: number | null,
  changes: Record<string, unknown> = {},
  txHash = hash('d'),
  link: Record<string, unknown> = {},
): AxelarTokenTransfer =>
  toTokenTransfer(
    TransferRecord.parse({
      status: 'executed',
      transfer_id: transferId,
      send: {
        txhash: hash('e'),
        sender_address: SENDER,
        recipient_address: GATEWAY,
        source_chain: 'ONE',
        destination_chain: 'Two',
        denom: 'uusdc',
        amount: 1,
        ...changes,
      },
      link: { sender_address: SENDER, recipient_address: RECIPIENT, ...link },
      command: transferId === null ? null : { transactionHash: txHash },
    }),
  )

const track = (
  logs: readonly EvmLog[],
  transfers: readonly AxelarTokenTransfer[],
  position: number,
  delivery: readonly EvmLog[],
) =>
  trackSend(
    {
      deliveryConfirmations: () => undefined,
      evmChains: new Map([
        [FROM, memoryChain(FROM, [receiptOf(hash('e'), 1_000_010, logs)])],
        [TO, memoryChain(TO, [receiptOf(hash('d'), 1_000_020, delivery)])],
      ]),
      axelarscan: { findTransfers: () => Promise.resolve(transfers) },
      log: () => undefined,
    },
    quote,
    { messageId: `${hash('e')}-${position}`, sourceChain: FROM },
  )

const outcome = async (...parameters: Parameters<typeof track>): Promise<string> => {
  const seen = await track(...parameters)
  return seen.seen === 'delivered'
    ? `delivered ${seen.output.amount}`
    : `${seen.seen} ${seen.details['stage']}`
}

test('two equal transfers in one transaction are matched with their own mints', async () => {
  const logs = [paid(GATEWAY, 1n), sent, paid(GATEWAY, 1n), sent]
  const transfers = [indexed(8), indexed(7)]
  const onlyFirst = [paid(RECIPIENT, 900_000n), executed(7n)]
  assert.equal(await outcome(logs, transfers, 1, onlyFirst), 'delivered 900000')
  assert.equal(await outcome(logs, transfers, 3, onlyFirst), 'in_flight delivery_not_verified')
  assert.equal(await outcome(logs, [indexed(7)], 3, onlyFirst), 'in_flight awaiting_relay')
  const unnumbered = [indexed(null), indexed(7)]
  assert.equal(await outcome(logs, unnumbered, 1, onlyFirst), 'delivered 900000')
  assert.equal(await outcome(logs, unnumbered, 3, onlyFirst), 'in_flight executed')
  assert.equal(await outcome(logs, transfers, 0, onlyFirst), 'mismatched undefined')
})

test('a payment counts only for the command that made it', async () => {
  const transfers = [indexed(7)]
  const read = (delivery: readonly EvmLog[]) => outcome([sent], transfers, 0, delivery)
  assert.equal(await read([executed(6n), paid(RECIPIENT, 900_000n), executed(7n)]), 'delivered 900000')
  const others: readonly (readonly EvmLog[])[] = [
    [paid(RECIPIENT, 900_000n), executed(6n), executed(7n)],
    [executed(7n), paid(RECIPIENT, 900_000n)],
    [paid(STRANGER, 900_000n), executed(7n)],
    [paid(RECIPIENT, 900_000n, STRANGER), executed(7n)],
    [paid(RECIPIENT, 900_000n), executed(7n, STRANGER)],
    [paid(RECIPIENT, 900_000n)],
    [],
  ]
  for (const delivery of others) assert.equal(await read(delivery), 'in_flight delivery_not_verified')
})

test('reports the amount that arrived, also when Axelar changed its fee after the quote', async () => {
  const more = await track([sent], [indexed(7)], 0, [paid(RECIPIENT, 950_000n), executed(7n)])
  assert.ok(more.seen === 'delivered' && more.output.amount === '950000')
  assert.equal(more.details['reasonCode'], undefined)
  const less = await track([sent], [indexed(7)], 0, [paid(RECIPIENT, 899_999n), executed(7n)])
  assert.ok(less.seen === 'delivered' && less.output.amount === '899999')
  assert.equal(less.details['reasonCode'], 'output_below_minimum')
})

test('ignores records of other transfers', async () => {
  const delivery = [paid(RECIPIENT, 900_000n), executed(7n)]
  for (const change of [
    { source_chain: 'three' },
    { destination_chain: 'three' },
    { denom: 'uusdt' },
    { amount: 1.1 },
    { amount: 0.9 },
    { amount: null },
  ])
    assert.equal(await outcome([sent], [indexed(7, change)], 0, delivery), 'in_flight awaiting_relay')
  const toStranger = indexed(7, {}, hash('d'), { recipient_address: STRANGER })
  assert.equal(await outcome([sent], [toStranger], 0, delivery), 'in_flight awaiting_relay')
  assert.equal(await outcome([sent], [indexed(null)], 0, delivery), 'in_flight executed')
  assert.equal(await outcome([sent], [indexed(7, {}, hash('9'))], 0, delivery), 'in_flight delivery_not_seen')
})

test('a record without a recipient, or of the payer of a wallet contract, is matched by its other terms', async () => {
  const delivery = [paid(RECIPIENT, 900_000n), executed(7n)]
  const unnamed = indexed(7, {}, hash('d'), { recipient_address: null })
  assert.equal(await outcome([sent], [unnamed], 0, delivery), 'delivered 900000')
  const paidByOther = indexed(7, { sender_address: STRANGER }, hash('d'), { sender_address: STRANGER })
  assert.equal(await outcome([sent], [paidByOther], 0, delivery), 'delivered 900000')
})

test("a stranger's equal transfer in the same transaction is not taken for the quote's", async () => {
  const strangers = { ...sent, topics: [TOKEN_SENT_TOPIC, addressTopic(STRANGER)] }
  const transfers = [indexed(7), indexed(8)]
  const delivery = [paid(RECIPIENT, 900_000n), executed(7n)]
  assert.equal(await outcome([strangers, sent], transfers, 1, delivery), 'in_flight delivery_not_verified')
  assert.equal(await outcome([strangers, sent], transfers, 0, delivery), 'mismatched undefined')
})

test("an indexer that names a stranger's dust as the delivery is not believed", async () => {
  const dust = [paid(RECIPIENT, 1n), executed(7n)]
  assert.equal(
    await outcome([paid(GATEWAY, 1n), sent], [indexed(7)], 1, dust),
    'in_flight delivery_not_verified',
  )
  const afterHigherFee = [paid(RECIPIENT, 500_000n), executed(7n)]
  assert.equal(await outcome([paid(GATEWAY, 1n), sent], [indexed(7)], 1, afterHigherFee), 'delivered 500000')
})
