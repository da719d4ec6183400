import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  address,
  BRIDGED,
  bridgeRoute,
  delivered,
  EXECUTE_TX,
  FAR_GATEWAY,
  FROM,
  gasPaid,
  hash,
  head,
  KEEPER,
  quote,
  ROUTER,
  returned,
  SOURCE_TX,
  sent,
  TO,
  TRANSFER_ID,
} from '../../../test/express-scene.ts'
import { memoryChain, receiptOf } from '../../../test/memory-chain.ts'
import { uintWord } from '../../chains/evm/abi-words.ts'
import type { EvmCall, EvmLog, EvmResult } from '../../chains/evm/evm-chain.ts'
import { baseUnits } from '../../core/amount.ts'
import { addNativeGasData } from '../../protocols/axelar/gas-service-contract.ts'
import { isApprovedData } from '../../protocols/axelar/gateway-approval.ts'
import { toGmpMessage } from '../../protocols/axelar/gmp-message.ts'
import type { StoredTransaction } from '../../store/store.ts'
import { boundTransfer } from './binding.ts'
import { arrivingMessage, createFailingDeliveries } from './delivery-trial.ts'
import { giveBackData } from './express-contract.ts'
import { dueRouterRefund } from './refund-call.ts'

/** The return message, in the transaction that gives the transfer back. */
const wayBack: EvmLog = { ...sent, address: FAR_GATEWAY }
const COMMAND = hash('5')
const PATIENCE_MS = 60_000
const YES = `0x${uintWord(1n)}`
const NO = `0x${uintWord(0n)}`
/** What the endpoints agree on: the gateway's approval, the delivery, and giving back; undefined for a revert. */
const FAILING: readonly EvmResult[] = [YES, undefined, '0x']

type Scene = {
  readonly fee?: bigint
  readonly keeper?: string | undefined
  readonly execution?: readonly EvmLog[]
  readonly isFinal?: boolean
  readonly isSourceFinal?: boolean
  readonly outcomes?: readonly StoredTransaction['outcome'][]
  readonly failingMs?: number
  readonly agreed?: readonly EvmResult[]
  readonly commandId?: string | undefined
}

const due = async (scene: Scene, asked: EvmCall[] = []) => {
  const { fee = 900n, execution = [wayBack, returned()], isFinal = true, outcomes = [] } = scene
  const { from, to } = bridgeRoute()
  const delivery = { ...receiptOf(EXECUTE_TX, 1_000_030, execution), final: isFinal }
  const source = { ...receiptOf(SOURCE_TX, 1_000_010, [sent]), final: scene.isSourceFinal ?? true }
  const destination = memoryChain(TO, [delivery], {
    head: () => head,
    callAgreed: async (calls) => {
      asked.push(...calls)
      return scene.agreed ?? FAILING
    },
  })
  const commandId = 'commandId' in scene ? scene.commandId : COMMAND
  return dueRouterRefund(
    {
      evmChains: new Map([
        [FROM, memoryChain(FROM, [source], { head: () => head })],
        [TO, destination],
      ]),
      store: {
        findTransaction: async (key) => {
          const outcome = outcomes[Number(key.split(':')[2] ?? 1) - 1]
          // CAST: only the outcome is read.
          return outcome === undefined ? undefined : ({ outcome } as StoredTransaction)
        },
      },
      fees: {
        know: async () => undefined,
        isKnown: () => true,
        of: () => undefined,
        isExpress: () => false,
        ofOrdinary: () => undefined,
        ofReturn: () => baseUnits(fee),
        start: () => Promise.resolve(),
        stop: () => Promise.resolve(),
      },
      bridges: [from, { ...to, evm: destination }],
      keeper: 'keeper' in scene ? scene.keeper : KEEPER,
      axelarscan: { findMessage: async (message_id) => toGmpMessage({ message_id, command_id: commandId }) },
      failing: { failingMs: () => scene.failingMs ?? PATIENCE_MS },
      log: () => undefined,
    },
    quote,
    { messageId: `${SOURCE_TX}-0`, sourceChain: FROM },
  )
}

const message = arrivingMessage({ bound: boundTransfer(quote), amount: BRIDGED, commandId: COMMAND })

test('the keeper gives back what cannot be delivered, and pays for the way in the same transaction', async () => {
  const asked: EvmCall[] = []
  const call = await due({ execution: [] }, asked)
  assert.ok(call !== undefined && 'data' in call)
  assert.deepEqual([call.chainId, call.to, call.value], [TO, ROUTER, 900n])
  assert.equal(call.data, giveBackData(message))
  assert.deepEqual(
    asked.map(({ to, from, value }) => [to, from, value]),
    [
      [FAR_GATEWAY, undefined, undefined],
      [ROUTER, KEEPER, undefined],
      [ROUTER, KEEPER, 900n],
    ],
  )
  assert.equal(asked[0]?.data, isApprovedData(message))
  assert.equal(asked[2]?.data, call.data)
  const later = await due({ execution: [], outcomes: ['reverted'] })
  assert.equal(later?.key, `${call.key}:2`)
})

test('the keeper gives nothing back that may be delivered, was delivered, or that it cannot give back', async () => {
  const nothing: readonly Scene[] = [
    { failingMs: PATIENCE_MS - 1 },
    { agreed: [YES, '0x', '0x'] },
    { agreed: [NO, undefined, '0x'] },
    { agreed: [undefined, undefined, '0x'] },
    { agreed: [YES, undefined, undefined] },
    { execution: [delivered()] },
    { isSourceFinal: false },
    { keeper: undefined },
    { commandId: undefined },
    { fee: 1_001n },
    { outcomes: ['open'] },
    { outcomes: ['succeeded'] },
    { outcomes: ['reverted', 'reverted', 'reverted', 'reverted', 'reverted'] },
  ]
  for (const scene of nothing)
    assert.equal(await due({ execution: [], ...scene }), undefined, JSON.stringify(Object.keys(scene)))
})

test('the keeper pays for the way of what another gave back without paying, and is refunded unused gas', async () => {
  const call = await due({})
  assert.ok(call !== undefined && 'data' in call)
  assert.deepEqual([call.chainId, call.to, call.value], [TO, address('0'), 900n])
  assert.equal(call.data, addNativeGasData(EXECUTE_TX, 0, KEEPER))
  const later = await due({ outcomes: ['reverted'] })
  assert.equal(later?.key, `${call.key}:2`)
  assert.notEqual(await due({ execution: [wayBack, returned(), gasPaid(449n)] }), undefined)
  assert.notEqual(
    await due({ execution: [wayBack, returned(), { ...gasPaid(900n), address: ROUTER }] }),
    undefined,
  )
})

test('the keeper pays for a way back that a stranger paid to another place in the name of the router', async () => {
  const elsewhere = [{ chain: 'three' }, { contract: KEEPER }, { symbol: 'USDT' }, { amount: 1n }]
  for (const other of elsewhere)
    assert.notEqual(await due({ execution: [wayBack, returned(), gasPaid(900n, other)] }), undefined)
})

test('pays nothing above the cap, nothing twice, and nothing before the giving back is final', async () => {
  assert.ok((await due({ fee: 1_000n })) !== undefined)
  const nothing: readonly Scene[] = [
    { fee: 1_001n },
    { keeper: undefined },
    { isFinal: false },
    { outcomes: ['open'] },
    { outcomes: ['succeeded'] },
    { outcomes: ['reverted', 'reverted', 'reverted', 'reverted', 'reverted'] },
    { execution: [returned()] },
    { execution: [wayBack, returned(), gasPaid(450n)] },
    { execution: [wayBack, returned(), delivered()] },
    { execution: [wayBack], agreed: [NO, undefined, undefined] },
    { execution: [wayBack, returned({ amount: BRIDGED - 1n })], agreed: [NO, undefined, undefined] },
  ]
  for (const scene of nothing) assert.equal(await due(scene), undefined, JSON.stringify(Object.keys(scene)))
})

test('a delivery fails from its first failing trial on, until one succeeds', () => {
  let now = 1_000
  const failing = createFailingDeliveries(() => now)
  assert.equal(failing.failingMs(TRANSFER_ID), 0)
  failing.note(TRANSFER_ID, 'undeliverable')
  now += 500
  failing.note(TRANSFER_ID, 'undeliverable')
  assert.equal(failing.failingMs(TRANSFER_ID), 500)
  for (const trial of ['deliverable', 'not_approved'] as const) {
    failing.note(TRANSFER_ID, trial)
    assert.equal(failing.failingMs(TRANSFER_ID), 0)
    failing.note(TRANSFER_ID, 'undeliverable')
  }
})
