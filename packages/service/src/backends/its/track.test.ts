import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryChain, receiptOf } from '../../../test/memory-chain.ts'
import { addressTopic } from '../../chains/evm/abi-words.ts'
import type { EvmHead, EvmLog, EvmReceipt } from '../../chains/evm/evm-chain.ts'
import { baseUnits } from '../../core/amount.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import { CONTRACT_CALL_TOPIC } from '../../protocols/axelar/gateway-contract.ts'
import { type GmpRecord, toGmpMessage } from '../../protocols/axelar/gmp-message.ts'
import type { Hub } from '../../protocols/axelar/hub.ts'
import {
  hubCallData,
  TRANSFER_RECEIVED_TOPIC,
  transferReceivedData,
} from '../../protocols/axelar/its-contract.ts'
import { trackTransfer } from './track.ts'

const address = (digit: string): string => `0x${digit.repeat(40)}`
const hash = (digit: string): string => `0x${digit.repeat(64)}`
const [SENDER, RECIPIENT, STRANGER] = [address('a'), address('b'), address('c')]
const [GATEWAY, ITS, TOKEN_ID] = [address('1'), address('4'), hash('7')]
const [FROM, TO] = ['eip155:1', 'eip155:2']
const [SOURCE_TX, EXPRESS_TX, EXECUTE_TX, COMMAND] = [hash('e'), hash('5'), hash('d'), hash('6')]

const quote: QuoteRecord = {
  quoteId: 'quote_00000000000000000000000001',
  backend: 'its',
  backendName: 'Interchain Token Service',
  createdAt: 1_000_000_000,
  quoteExpiresAt: 1_000_060_000,
  estimatedTimeSeconds: 90,
  orderType: 'EXACT_INPUT',
  fromChain: FROM,
  fromToken: address('3'),
  toChain: TO,
  toToken: address('2'),
  sender: SENDER,
  recipient: RECIPIENT,
  input: baseUnits(1_000_000n),
  output: baseUnits(1_000n),
  minimumOutput: baseUnits(1_000n),
  binding: {
    tokenId: TOKEN_ID,
    sourceAxelarChain: 'one',
    sourceGateway: GATEWAY,
    sourceIts: ITS,
    destinationAxelarChain: 'two',
    destinationIts: ITS,
    hubChain: 'axelar',
    hubAddress: 'axelar1hub',
    gasValue: '5',
  },
}

const called: EvmLog = {
  address: GATEWAY,
  topics: [CONTRACT_CALL_TOPIC, addressTopic(ITS), hash('f')],
  data: hubCallData('axelar', 'axelar1hub', {
    tokenId: TOKEN_ID,
    destinationChain: 'two',
    sender: SENDER,
    recipient: RECIPIENT,
    amount: 1_000_000n,
  }),
}

/** The destination's newest block. */
const head: EvmHead = {
  number: 200n,
  finalNumber: 150n,
  hash: hash('9'),
  timestampSeconds: 1_000_100,
  readAt: 0,
  maxFeePerGas: 1n,
  maxPriorityFeePerGas: 1n,
}

type Received = { command?: string; tokenId?: string; recipient?: string; sender?: string; amount?: bigint }

const received = (changes: Received = {}, its = ITS): EvmLog => ({
  address: its,
  topics: [
    TRANSFER_RECEIVED_TOPIC,
    changes.command ?? COMMAND,
    changes.tokenId ?? TOKEN_ID,
    addressTopic(changes.recipient ?? RECIPIENT),
  ],
  data: transferReceivedData('one', changes.sender ?? SENDER, changes.amount ?? 1_000n),
})

/** A hub that has a message waiting whose input is nothing in the destination's decimals. */
const TOO_SMALL: NonNullable<Scene['hub']> = {
  message: async () => 'approved',
  token: async (chain) => ({ supply: null, decimals: chain === 'one' ? 18 : 6 }),
  chain: async () => ({
    isFrozen: false,
    maxUintBits: 64,
    isSourceFrozen: false,
    isDestinationFrozen: false,
  }),
}

const refused = (message: string): Partial<GmpRecord> => ({ status: 'error', error: { error: { message } } })
const TOO_LITTLE = refused('invalid transfer amount 1000000 from chain one to chain two')

const first: Partial<GmpRecord> = { status: 'executed', executed: { childMessageIDs: ['child-1'] } }
const second: Partial<GmpRecord> = {
  status: 'executed',
  command_id: COMMAND,
  executed: { transactionHash: EXECUTE_TX },
}

type Scene = {
  readonly first?: Partial<GmpRecord>
  readonly second?: Partial<GmpRecord>
  readonly source?: Partial<EvmReceipt>
  readonly delivery?: readonly EvmReceipt[]
  /** Whether the destination's head is unknown. */
  readonly isUnreadable?: boolean
  /** The time of the destination's newest block; when a delivery is long overdue by default. */
  readonly headAt?: number
  readonly hub?: Pick<Hub, 'message' | 'token' | 'chain'>
}

const track = (scene: Scene) => {
  const source = { ...receiptOf(SOURCE_TX, 1_000_010, [called]), ...scene.source }
  const delivery = scene.delivery ?? [receiptOf(EXECUTE_TX, 1_000_030, [received()])]
  return trackTransfer(
    {
      deliveryConfirmations: () => undefined,
      evmChains: new Map([
        [FROM, memoryChain(FROM, [source])],
        [
          TO,
          memoryChain(TO, delivery, {
            head: () =>
              scene.isUnreadable === true
                ? undefined
                : { ...head, timestampSeconds: scene.headAt ?? 1_000_010 + 90 + 3_600 },
          }),
        ],
      ]),
      paymentChains: new Map(),
      hub: scene.hub,
      axelarscan: {
        findMessage: async (messageId) =>
          messageId === 'child-1'
            ? toGmpMessage({ message_id: 'child-1', ...(scene.second ?? second) })
            : toGmpMessage({ message_id: messageId, ...(scene.first ?? first) }),
      },
      log: () => undefined,
    },
    quote,
    { messageId: `${SOURCE_TX}-0`, sourceChain: FROM },
  )
}

const outcome = async (scene: Scene): Promise<string> => {
  const seen = await track(scene)
  return seen.seen === 'delivered'
    ? `delivered ${seen.destination.txHash}`
    : `${seen.seen} ${seen.details['stage']}`
}

test('a delivery fronted by an executor is the delivery', async () => {
  const express = { ...second, express_executed: { transactionHash: EXPRESS_TX } }
  const delivery = [receiptOf(EXPRESS_TX, 1_000_015, [received()]), receiptOf(EXECUTE_TX, 1_000_030, [])]
  assert.equal(await outcome({ second: express, delivery }), `delivered ${EXPRESS_TX}`)
})

test('only the log of this delivery proves it', async () => {
  assert.equal(await outcome({}), `delivered ${EXECUTE_TX}`)
  const wrong: readonly EvmLog[] = [
    received({}, STRANGER),
    received({ command: hash('8') }),
    received({ tokenId: hash('8') }),
    received({ recipient: STRANGER }),
    received({ sender: STRANGER }),
    { ...received(), topics: [hash('8'), ...received().topics.slice(1)] },
  ]
  for (const log of wrong)
    assert.equal(
      await outcome({ delivery: [receiptOf(EXECUTE_TX, 1_000_030, [log])] }),
      'in_flight delivery_not_verified',
    )
  const reverted = { ...receiptOf(EXECUTE_TX, 1_000_030, [received()]), succeeded: false }
  assert.equal(await outcome({ delivery: [reverted] }), 'in_flight delivery_not_verified')
  const fresh = { ...receiptOf(EXECUTE_TX, 1_000_030, [received()]), final: false }
  assert.equal(await outcome({ delivery: [fresh] }), 'in_flight delivered_not_final')
  assert.equal(await outcome({ delivery: [] }), 'in_flight delivery_not_seen')
})

test('no word of the indexer ends a transfer', async () => {
  const undelivered = { delivery: [] }
  for (const scene of [
    { first: { is_invalid_call: true } },
    { second: { is_invalid_contract_address: true } },
    { first: TOO_LITTLE },
  ]) {
    const seen = await track({ ...scene, ...undelivered })
    assert.deepEqual([seen.seen, seen.details['stage']], ['in_flight', 'invalid_message'])
    assert.notEqual(seen.details['reasonCode'], undefined)
  }
  assert.equal(await outcome({ first: refused('out of gas') }), 'in_flight execution_error')
  assert.equal(await outcome({ second: refused('FlowLimitExceeded') }), 'in_flight execution_error')
  assert.equal(
    await outcome({ second: TOO_LITTLE, ...undelivered, hub: TOO_SMALL }),
    'in_flight execution_error',
  )
})

test("a transfer whose amount is nothing in the hub's decimals has failed once its source is final and the hub keeps it", async () => {
  const scene = { first: TOO_LITTLE, delivery: [] }
  const failed = await track({ ...scene, hub: TOO_SMALL })
  assert.deepEqual([failed.seen, failed.details['reasonCode']], ['failed', 'amount_too_small'])
  const doubts: readonly Partial<NonNullable<Scene['hub']>>[] = [
    { message: async () => 'executed' },
    { message: () => Promise.reject(new Error('not approved')) },
    { token: async () => ({ supply: null, decimals: 6 }) },
    { token: async () => undefined },
    { token: async (chain) => ({ supply: null, decimals: chain === 'one' ? 9 : 6 }) },
    { chain: () => Promise.reject(new Error('no answer')) },
  ]
  for (const doubt of doubts)
    assert.equal(await outcome({ ...scene, hub: { ...TOO_SMALL, ...doubt } }), 'in_flight invalid_message')
  assert.equal(
    await outcome({ ...scene, hub: TOO_SMALL, source: { final: false } }),
    'in_flight invalid_message',
  )
})

test('a refusal of the hub names its cause, and what anybody can do about it', async () => {
  const texts: readonly (readonly [string, string])[] = [
    ['failed to execute: execution is currently disabled: execute wasm contract failed', 'hub_disabled'],
    ['amplifier routing is disabled', 'hub_disabled'],
    ['chain Ethereum is frozen', 'hub_frozen'],
    ['chain is frozen', 'hub_frozen'],
    ['chain not found Ethereum', 'not_on_hub'],
    [`token ${TOKEN_ID} not deployed on chain stellar`, 'not_on_hub'],
    ['unknown its address 0x1', 'not_on_hub'],
    [`token supply invariant violated for token ${TOKEN_ID} on chain one`, 'supply_short'],
  ]
  for (const [text, reasonCode] of texts) {
    const seen = await track({ first: refused(text), hub: TOO_SMALL, delivery: [] })
    assert.equal(seen.seen, 'in_flight')
    const { stage, reasonCode: told, actionRequired } = seen.details
    assert.deepEqual([stage, told, actionRequired], ['hub_refused', reasonCode, 'execute_at_hub'])
  }
})

test('a transfer that the hub shows as impossible has not failed while the destination shows its delivery, or cannot be read', async () => {
  const scene = { first: TOO_LITTLE, hub: TOO_SMALL }
  assert.equal(await outcome(scene), 'in_flight delivery_not_verified')
  assert.equal(await outcome({ ...scene, isUnreadable: true }), 'in_flight destination_unreadable')
  for (const other of [
    { amount: 999n },
    { sender: STRANGER },
    { recipient: STRANGER },
    { tokenId: hash('8') },
  ]) {
    const delivery = [receiptOf(EXECUTE_TX, 1_000_030, [received(other)])]
    assert.equal(await outcome({ ...scene, delivery }), 'failed invalid_message')
  }
})

test('without a command only a delivery of the quoted amount that is not older than its source counts', async () => {
  const uncommanded = { ...second, command_id: null }
  const read = (amount: bigint, timestampSeconds: number) =>
    outcome({
      second: uncommanded,
      delivery: [receiptOf(EXECUTE_TX, timestampSeconds, [received({ amount })])],
    })
  assert.equal(await read(1_000n, 1_000_030), `delivered ${EXECUTE_TX}`)
  assert.equal(await read(2_000n, 1_000_030), 'in_flight delivery_not_verified')
  assert.equal(await read(1_000n, 999_950), `delivered ${EXECUTE_TX}`)
  assert.equal(await read(1_000n, 999_949), 'in_flight delivery_not_verified')
})

test('a stalled message reports the reason', async () => {
  assert.equal(await outcome({ first: { status: 'called' } }), 'in_flight called')
  assert.equal(await outcome({ second: { status: 'approved' } }), 'in_flight approved')
  assert.equal(
    await outcome({ second: { status: 'approved', gas_status: 'gas_unpaid' } }),
    'in_flight gas_insufficient',
  )
  assert.equal(
    await outcome({ first: { status: 'called', gas_status: 'gas_unpaid' }, source: { final: false } }),
    'in_flight called',
  )
  const unconfirmed = await track({ first: { status: 'confirming', confirm_failed: true } })
  assert.equal(unconfirmed.details['actionRequired'], 'confirm')
})

test("a message older than the quote is not the quote's", async () => {
  assert.equal(await outcome({ source: { timestampSeconds: 999_984 } }), 'mismatched undefined')
  assert.equal(await outcome({ source: { timestampSeconds: 999_986 } }), `delivered ${EXECUTE_TX}`)
})

test('no transfer has failed before its delivery is long overdue', async () => {
  const scene = { first: TOO_LITTLE, hub: TOO_SMALL, delivery: [] }
  for (const headAt of [1_000_011, 1_000_010 + 90 + 3_599])
    assert.equal(await outcome({ ...scene, headAt }), 'in_flight invalid_message')
  assert.equal(await outcome({ ...scene, headAt: 1_000_010 + 90 + 3_600 }), 'failed invalid_message')
})
