import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAxelarApi } from '../../../test/axelar-api.ts'
import { memoryChain, receiptOf } from '../../../test/memory-chain.ts'
import { addressTopic, uintWord } from '../../chains/evm/abi-words.ts'
import { ERC20_TRANSFER_TOPIC } from '../../chains/evm/erc20.ts'
import { baseUnits } from '../../core/amount.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import {
  EXECUTED_TOPIC,
  sendTokenTemplate,
  TOKEN_SENT_TOPIC,
  tokenSentData,
} from '../../protocols/axelar/gateway-contract.ts'
import { createAxelarscan } from '../../protocols/axelar/gmp.ts'
import { trackSend } from './track.ts'

/** A transfer of 30 axlUSDC from Base to Polygon, with the gateways and the token of mainnet. */
const [BASE, POLYGON] = ['eip155:8453', 'eip155:137']
const [BASE_GATEWAY, POLYGON_GATEWAY] = [
  '0xe432150cce91c13a887f7D836923d5597adD8E31',
  '0x6f015F16De9fC8791b234eF68D486d2bF203FBA8',
]
const AXL_USDC = '0x750e4C4984a9e0f12978eA6742Bc1c5D248f40ed'
const [SENDER, RECIPIENT] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`]
const [SENT_TX, MINT_TX] = [`0x${'5e'.repeat(32)}`, `0x${'6d'.repeat(32)}`]
const AMOUNT = 30_000_000n

const quote: QuoteRecord = {
  ...{ quoteId: 'quote_00000000000000000000000001', backend: 'gateway', backendName: 'Axelar Gateway' },
  ...{ createdAt: 1_000_000_000, quoteExpiresAt: 1_000_060_000, estimatedTimeSeconds: 90 },
  orderType: 'EXACT_INPUT',
  ...{ fromChain: BASE, fromToken: AXL_USDC, toChain: POLYGON, toToken: AXL_USDC },
  ...{ sender: SENDER, recipient: RECIPIENT },
  input: baseUnits(AMOUNT),
  output: baseUnits(AMOUNT - 11_500_000n),
  minimumOutput: baseUnits(AMOUNT - 11_500_000n),
  binding: {
    ...{ denom: 'uusdc', decimals: '6', sourceSymbol: 'axlUSDC' },
    ...{ sourceAxelarChain: 'base', sourceGateway: BASE_GATEWAY },
    ...{ destinationAxelarChain: 'Polygon', destinationGateway: POLYGON_GATEWAY },
  },
}

const sent = {
  address: BASE_GATEWAY.toLowerCase(),
  topics: [TOKEN_SENT_TOPIC, addressTopic(SENDER)],
  data: tokenSentData(sendTokenTemplate('Polygon', 'axlUSDC')({ recipient: RECIPIENT, amount: AMOUNT })),
}
const minted = {
  address: AXL_USDC.toLowerCase(),
  topics: [ERC20_TRANSFER_TOPIC, addressTopic(`0x${'0'.repeat(40)}`), addressTopic(RECIPIENT)],
  data: `0x${uintWord(AMOUNT - 11_500_000n)}`,
}
const executed = {
  address: POLYGON_GATEWAY.toLowerCase(),
  topics: [EXECUTED_TOPIC, `0x${uintWord(54_161n)}`],
  data: '0x',
}

test('a transfer with the recorded answers of Axelarscan is delivered', async () => {
  const api = await startAxelarApi()
  api.latencyMs = 0
  let time = 1_000_000_000
  try {
    const deps = {
      deliveryConfirmations: () => undefined,
      evmChains: new Map([
        [BASE, memoryChain(BASE, [receiptOf(SENT_TX, 1_000_010, [sent])])],
        [POLYGON, memoryChain(POLYGON, [receiptOf(MINT_TX, 1_000_900, [minted, executed])])],
      ]),
      axelarscan: createAxelarscan({ urls: api.url, now: () => time, log: () => undefined }),
      log: () => undefined,
    }
    const observe = async () => {
      time += 10_000
      return trackSend(deps, quote, { messageId: `${SENT_TX}-0`, sourceChain: BASE })
    }
    assert.equal((await observe()).details['stage'], 'awaiting_relay')
    const record = {
      ...{ txHash: SENT_TX, sourceChain: 'base', destinationChain: 'Polygon', denom: 'uusdc' },
      ...{ amount: 30, fee: 11.5, sender: SENDER, recipient: RECIPIENT, gateway: BASE_GATEWAY },
    }
    api.transfers.push(record)
    const waiting = await observe()
    assert.equal(waiting.seen, 'in_flight')
    assert.equal(waiting.details['backendStatus'], 'asset_sent')
    api.transfers[0] = { ...record, stage: 'voted', transferId: 54_161 }
    const voted = await observe()
    assert.deepEqual(voted.details, { stage: 'voted', backendStatus: 'voted', transferId: '54161' })
    const mint = { txHash: MINT_TX, blockNumber: 100, timestampSeconds: 1_000_900 }
    api.transfers[0] = { ...record, stage: 'executed', transferId: 54_161, mint }
    const delivered = await observe()
    assert.ok(delivered.seen === 'delivered')
    assert.equal(delivered.output.amount, '18500000')
    assert.equal(delivered.destination.txHash, MINT_TX)
  } finally {
    api.stop()
  }
})
