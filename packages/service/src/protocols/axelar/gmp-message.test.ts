import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GmpRecord, toGmpMessage } from './gmp-message.ts'

const hash = (byte: string): string => `0x${byte.repeat(32)}`

/** The first hop of an interchain transfer with every member that Axelarscan documents for it; amounts and hashes are made up. */
const whole = {
  id: `${hash('ab')}_4_12`,
  message_id: `${hash('ab')}-4`,
  command_id: hash('C0'),
  ...{ status: 'executed', simplified_status: 'received', gas_status: 'gas_paid_enough_gas' },
  call: {
    ...{ chain: 'Avalanche', chain_type: 'evm', destination_chain_type: 'cosmos' },
    ...{ transactionHash: hash('ab'), transactionIndex: 3, logIndex: 12, _logIndex: 4, eventIndex: 4 },
    ...{
      blockNumber: 71_000_000,
      block_timestamp: 1_791_114_977,
      event: 'ContractCall',
      parentMessageID: null,
    },
    contract_address: '0x5029C0EFf6C34351a0CEc334542cDb22c7928f78',
    returnValues: {
      sender: '0xB5FB4BE02232B1bBA4dC8f81dc24C26980dE9e3C',
      ...{ destinationChain: 'axelar', destinationContractAddress: 'axelar1hub', payloadHash: hash('11') },
      payload: '0x',
    },
    receipt: { status: 1, logs: [] },
    transaction: { hash: hash('ab'), from: `0x${'a1'.repeat(20)}` },
  },
  gas_paid: {
    transactionHash: hash('ab'),
    returnValues: { gasFeeAmount: '1876752237061208000', refundAddress: `0x${'a1'.repeat(20)}` },
  },
  gas: { gas_paid_amount: 1.87, gas_used_amount: 0.4, gas_remain_amount: 1.47 },
  confirm: { poll_id: '771234', confirmation_txhash: hash('22').slice(2) },
  ...{ confirm_failed: false, confirm_failed_event: null },
  approved: {
    ...{ transactionHash: hash('33'), block_timestamp: 1_791_115_100 },
    returnValues: { commandId: hash('C0') },
  },
  executed: {
    ...{ chain: 'axelar', transactionHash: hash('44').slice(2), block_timestamp: 1_791_115_130 },
    ...{ axelarTransactionHash: hash('44').slice(2), sourceTransactionHash: hash('ab') },
    ...{ childMessageIDs: [], relayerAddress: 'axelar1relayer', receipt: { status: 1 } },
  },
  is_executed: true,
  refunded: { transactionHash: hash('55'), receipt: { status: 1 } },
  not_to_refund: false,
  ...{ is_insufficient_fee: false, is_invalid_call: false, is_invalid_destination_chain: false },
  ...{ is_invalid_source_address: false, is_invalid_contract_address: false, is_invalid_gas_paid: false },
  not_enough_gas_to_execute: false,
  interchain_transfer: {
    ...{ event: 'InterchainTransfer', tokenId: hash('77'), symbol: 'USDC', name: 'USD Coin', decimals: 6 },
    ...{
      amount: 30,
      amountReceived: 30,
      destinationChain: 'base',
      destinationAddress: `0x${'b2'.repeat(20)}`,
    },
  },
  callback: { id: `${hash('EE')}-157`, messageIdHash: hash('ee'), messageIdIndex: 157 },
  time_spent: { confirm: 20, approve: 60, execute: 30, total: 110 },
  fees: { base_fee: 0.01, express_fee: 0, express_supported: false },
}

const read = (changes: object = {}) => toGmpMessage(GmpRecord.parse({ ...whole, ...changes }))

test('a whole record of the first hop of an interchain transfer is read, with its second hop', () => {
  assert.deepEqual(read(), {
    messageId: `${hash('ab')}-4`,
    sourceChain: 'avalanche',
    commandId: hash('c0'),
    status: 'executed',
    executedTxHash: undefined,
    executedTransaction: hash('44').slice(2),
    expressTxHash: undefined,
    approvedAt: 1_791_115_100_000,
    executedAt: 1_791_115_130_000,
    childMessageId: `${hash('ee')}-157`,
    invalid: undefined,
    gasInsufficient: false,
    confirmFailed: false,
    error: undefined,
  })
})

test('the second hop is found by each of the members that name it', () => {
  const { callback } = whole
  const ways = [
    { executed: { ...whole.executed, childMessageIDs: [`${hash('EE')}-157`] }, callback: null },
    { callback: { id: callback.id } },
    { callback: { messageIdHash: callback.messageIdHash, messageIdIndex: callback.messageIdIndex } },
  ]
  for (const way of ways) assert.equal(read(way)?.childMessageId, `${hash('ee')}-157`)
  assert.equal(read({ callback: null })?.childMessageId, undefined)
})

test('the payment for gas may be a text, and an early delivery is told', () => {
  const early = { transactionHash: hash('EF'), block_timestamp: 1_791_115_000, relayerAddress: hash('99') }
  assert.equal(read({ gas_paid: 'gas_paid', express_executed: early })?.expressTxHash, hash('ef'))
})

test('texts that are kept and shown are bounded and visible: a word that is not one counts as missing', () => {
  const message = `bad\u202e\u001b[2J\n${'x'.repeat(10_000)}`
  const told = read({ status: 'error', error: { error: { message } } })
  assert.equal(told?.error?.length, 1_000 - 2)
  assert.equal(told?.error?.slice(0, 9), 'bad[2J xx')
  for (const status of ['called\u202e', 'x'.repeat(301)]) assert.equal(read({ status })?.status, 'unknown')
  const executed = { ...whole.executed, transactionHash: 'z'.repeat(301), childMessageIDs: ['x'.repeat(301)] }
  assert.deepEqual(
    [read({ executed })?.childMessageId, read({ executed })?.executedTransaction],
    [`${hash('ee')}-157`, undefined],
  )
})
