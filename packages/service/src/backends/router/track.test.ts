import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  BRIDGE,
  BRIDGED,
  delivered,
  EXECUTE_TX,
  FROM,
  forgeriesOf,
  gasPaid,
  hash,
  head,
  OUTPUT,
  order,
  quote,
  REFUND_TX,
  refunded,
  returned,
  SOURCE_TX,
  STRANGER,
  sent,
  sentData,
  TO,
  TRANSFER_ID,
} from '../../../test/express-scene.ts'
import { memoryChain, receiptOf } from '../../../test/memory-chain.ts'
import { addressTopic } from '../../chains/evm/abi-words.ts'
import type { EvmLog, EvmReceipt } from '../../chains/evm/evm-chain.ts'
import { baseUnits } from '../../core/amount.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import type { CoreEventStatus } from '../../protocols/axelar/core.ts'
import { CONTRACT_CALL_WITH_TOKEN_TOPIC } from '../../protocols/axelar/gateway-contract.ts'
import { type GmpRecord, toGmpMessage } from '../../protocols/axelar/gmp-message.ts'
import { expectedMessage, trackTransfer } from './track.ts'

type Scene = {
  readonly quote?: QuoteRecord
  readonly sent?: EvmLog
  readonly source?: Partial<EvmReceipt>
  readonly execution?: readonly EvmLog[]
  readonly executionReceipt?: Partial<EvmReceipt>
  readonly refund?: readonly EvmLog[]
  readonly refundReceipt?: Partial<EvmReceipt>
  readonly isReturnPaid?: boolean
  /** What axelar-core says of the event: nothing unless it is asked. */
  readonly coreStatus?: CoreEventStatus | Error
  /** The same of the event that sends the token back. */
  readonly returnStatus?: CoreEventStatus
  readonly activeChains?: readonly string[]
  /** The indexer's status of a message that it knows but not its execution. */
  readonly indexed?: string
  readonly sourceChain?: string
  readonly position?: number
}

/** The indexer lists all transactions, including some with unrelated contents. */
const hint = (messageId: string): Partial<GmpRecord> => ({
  message_id: messageId,
  status: 'executed',
  executed: { transactionHash: messageId.startsWith(SOURCE_TX) ? EXECUTE_TX : REFUND_TX },
})

const track = (scene: Scene) =>
  trackTransfer(
    {
      deliveryConfirmations: () => undefined,
      evmChains: new Map([
        [
          FROM,
          memoryChain(
            FROM,
            [
              { ...receiptOf(SOURCE_TX, 1_000_010, [scene.sent ?? sent]), ...scene.source },
              { ...receiptOf(REFUND_TX, 1_000_050, scene.refund ?? []), ...scene.refundReceipt },
            ],
            { head: () => head },
          ),
        ],
        [
          TO,
          memoryChain(
            TO,
            [
              {
                ...receiptOf(EXECUTE_TX, 1_000_030, scene.execution ?? []),
                ...scene.executionReceipt,
              },
            ],
            { head: () => head },
          ),
        ],
      ]),
      axelarscan: {
        findMessage: async (messageId) =>
          toGmpMessage(
            scene.indexed === undefined ? hint(messageId) : { message_id: messageId, status: scene.indexed },
          ),
      },
      core: {
        eventStatus: async (chain, eventId) => {
          if (chain === 'two' && eventId.startsWith(`${EXECUTE_TX}-`)) return scene.returnStatus
          assert.deepEqual([chain, eventId], ['One', `${SOURCE_TX}-0`])
          if (scene.coreStatus instanceof Error) throw scene.coreStatus
          return scene.coreStatus
        },
        activeChains: async () => new Set(scene.activeChains ?? ['one', 'two']),
      },
      isReturnPaid: () => Promise.resolve(scene.isReturnPaid ?? false),
      failing: { note: () => undefined },
      log: () => undefined,
    },
    scene.quote ?? quote,
    { messageId: `${SOURCE_TX}-${scene.position ?? 0}`, sourceChain: scene.sourceChain ?? FROM },
  )

const outcome = async (scene: Scene): Promise<string> => {
  const observation = await track(scene)
  return `${observation.seen} ${observation.details['stage'] ?? ''}`.trim()
}

test("an event that has failed at axelar-core says why and what to do, by core's word and never by the indexer's", async () => {
  const told = async (scene: Scene) => {
    const { seen, details } = await track({ indexed: 'called', ...scene })
    assert.equal(seen, 'in_flight')
    return [details['stage'], details['reasonCode'], details['actionRequired']]
  }
  assert.deepEqual(await told({ coreStatus: 'failed', activeChains: ['one'] }), [
    ...['core_failed', 'destination_deactivated', 'retry_failed_event'],
  ])
  assert.deepEqual(await told({ coreStatus: 'failed' }), ['core_failed', 'core_failed', 'retry_failed_event'])
  assert.deepEqual(await told({ coreStatus: 'completed' }), ['called', undefined, undefined])
  assert.deepEqual(await told({ coreStatus: new Error('down') }), ['called', undefined, undefined])
  const young = await told({ coreStatus: 'failed', source: { final: false } })
  assert.deepEqual(young, ['called', undefined, undefined], 'a reorg may still take the message back')
})

test('rejects the messages of other transfers by their salt alone, without rebuilding its own', () => {
  const { matches } = expectedMessage(quote)
  let compared = 0
  const watched = (log: EvmLog): EvmLog => ({
    ...log,
    get topics() {
      compared += 1
      return log.topics
    },
  })
  assert.equal(matches(watched({ ...sent, data: sentData({ salt: hash('4') }) })), false)
  assert.equal(compared, 0)
  assert.equal(matches(watched(sent)), true)
  assert.ok(compared > 0)
})

test("only the gateway's log of this transfer is the quote's message", async () => {
  assert.equal(await outcome({}), 'in_flight executed')
  const forged: readonly EvmLog[] = [
    { ...sent, address: STRANGER },
    { ...sent, topics: [hash('8'), ...sent.topics.slice(1)] },
    { ...sent, topics: [CONTRACT_CALL_WITH_TOKEN_TOPIC, addressTopic(STRANGER), TRANSFER_ID] },
    { ...sent, topics: [] },
    ...[
      sentData({ destinationChain: 'three' }),
      sentData({}, { sourceChain: 'three' }),
      sentData({}, { router: STRANGER }),
      sentData({}, { sourceChainId: 3n }),
      sentData({}, { sender: STRANGER }),
      sentData({}, { amount: order.minimumBridgeAmount - 1n }),
      sentData({ salt: hash('4') }),
      sentData({ symbol: 'axlUSDC' }),
      sentData({ destinationChainId: 3n }),
      sentData({ recipient: STRANGER }),
      sentData({ refundAddress: STRANGER }),
      sentData({ outputToken: STRANGER }),
      sentData({ outputPath: '0x' }),
      sentData({ minimumAmount: order.minimumAmount - 1n }),
      sentData({ keeper: STRANGER }),
      sentData({ executor: STRANGER }),
      sentData({ priorityUntilSeconds: order.priorityUntilSeconds - 1 }),
      sentData({ returnAfterSeconds: order.returnAfterSeconds - 1 }),
      sent.data.slice(0, -2),
      sent.data.slice(0, -64),
      `${sent.data}00`,
      '0x',
    ].map((data) => ({ ...sent, data })),
  ]
  for (const [index, log] of forged.entries())
    assert.equal(await outcome({ sent: log, execution: [delivered()] }), 'mismatched', `forgery ${index}`)
  const unswapped = { ...quote, binding: { ...quote.binding, inputPath: '0x' } }
  assert.equal(await outcome({ quote: { ...unswapped, input: baseUnits(BRIDGED) } }), 'in_flight executed')
  assert.equal(await outcome({ quote: { ...unswapped, input: baseUnits(BRIDGED + 1n) } }), 'mismatched')
  assert.equal(await outcome({ position: 1 }), 'mismatched')
  assert.equal(await outcome({ sourceChain: TO }), 'mismatched')
  assert.equal(await outcome({ source: { timestampSeconds: 999_939 } }), 'mismatched')
})

test("a message with any byte changed is not the quote's", async () => {
  const bytes = (sent.data.length - 2) / 2
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes - 1), fc.integer({ min: 1, max: 255 }), async (position, flip) => {
      const raw = Buffer.from(sent.data.slice(2), 'hex')
      raw[position] = (raw[position] ?? 0) ^ flip
      assert.equal(await outcome({ sent: { ...sent, data: `0x${raw.toString('hex')}` } }), 'mismatched')
    }),
    { numRuns: 300 },
  )
})

test("only a final event of the destination's router proves a delivery, to the recipient and of at least the minimum", async () => {
  const observation = await track({ execution: [delivered()] })
  assert.ok(observation.seen === 'delivered')
  assert.deepEqual(observation.output, { chain: TO, token: OUTPUT, amount: '403' })
  assert.equal(observation.destination.txHash, EXECUTE_TX)
  assert.equal(await outcome({ execution: [delivered({ amount: 400n })] }), 'delivered delivered')
  const forged = [...forgeriesOf(delivered, 399n), delivered({ payee: STRANGER })]
  for (const [index, log] of forged.entries())
    assert.equal(await outcome({ execution: [log] }), 'in_flight executed', `forgery ${index}`)
  assert.equal(
    await outcome({ execution: [delivered()], executionReceipt: { succeeded: false } }),
    'in_flight executed',
  )
  assert.equal(
    await outcome({ execution: [delivered()], executionReceipt: { final: false } }),
    'in_flight delivered_not_final',
  )
  assert.equal(await outcome({ refund: [delivered()] }), 'in_flight executed')
})

test('only the final return of the whole bridge amount decides a refund, once the source is final', async () => {
  assert.equal(await outcome({ execution: [returned()] }), 'refund_decided awaiting_return_gas')
  assert.equal(await outcome({ execution: [returned()], isReturnPaid: true }), 'refund_sent returning')
  assert.equal(await outcome({ execution: [gasPaid(1n), returned()] }), 'refund_sent returning')
  for (const [index, log] of forgeriesOf(returned, BRIDGED - 1n).entries())
    assert.equal(await outcome({ execution: [log] }), 'in_flight executed', `forgery ${index}`)
  assert.equal(await outcome({ execution: [returned({ amount: BRIDGED + 1n })] }), 'in_flight executed')
  for (const changes of [{ source: { final: false } }, { executionReceipt: { final: false } }])
    assert.equal(await outcome({ execution: [returned()], ...changes }), 'in_flight returned_not_final')
  assert.equal(await outcome({ execution: [returned(), delivered()] }), 'delivered delivered')
})

test('a return whose event has failed at axelar-core says so', async () => {
  const scene: Scene = { execution: [gasPaid(1n), returned()], indexed: 'called', returnStatus: 'failed' }
  const { seen, details } = await track(scene)
  assert.deepEqual(
    [seen, details['stage'], details['reasonCode'], details['actionRequired']],
    ['refund_sent', 'core_failed', 'core_failed', 'retry_failed_event'],
  )
  assert.equal(await outcome({ ...scene, returnStatus: 'completed' }), 'refund_sent returning')
})

test('only the payment of the whole bridge amount on the source chain is a refund, to whomever the sender names', async () => {
  const execution = [returned()]
  const observation = await track({ execution, refund: [refunded()] })
  assert.ok(observation.seen === 'refunded')
  assert.deepEqual(observation.refund, {
    chain: FROM,
    token: BRIDGE,
    amount: BRIDGED.toString(),
    txHash: REFUND_TX,
  })
  for (const [index, log] of forgeriesOf(refunded, BRIDGED - 1n).entries())
    assert.equal(
      await outcome({ execution, refund: [log] }),
      'refund_decided awaiting_return_gas',
      `forgery ${index}`,
    )
  assert.equal(
    await outcome({ execution, refund: [refunded()], refundReceipt: { final: false } }),
    'refund_sent refund_not_final',
  )
  assert.equal(await outcome({ execution: [returned(), refunded()] }), 'refund_decided awaiting_return_gas')
  assert.equal(await outcome({ refund: [refunded()] }), 'in_flight executed')
  const elsewhere = await outcome({ execution, refund: [refunded({ payee: STRANGER })] })
  assert.equal(elsewhere, 'refunded refunded')
})
