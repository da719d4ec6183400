import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryChain } from '../../../test/memory-chain.ts'
import { CHEAP, clockAt, intentOrder, orderIdOf } from '../../../test/test-orders.ts'
import type { EvmHead } from '../../chains/evm/evm-chain.ts'
import { baseUnits } from '../../core/amount.ts'
import type { OrderId } from '../../core/intent-order.ts'
import type { OrderBatch, StoredTransaction } from '../../store/store.ts'
import { assetKey, type SolverAsset, type SolverChain } from './assets.ts'
import { Settlement } from './config.ts'
import type { TransactionState } from './decision.ts'
import { createOrderCosts } from './order-costs.ts'
import type { TrackedOrder } from './order-tracker.ts'
import { createProver } from './prover.ts'

// What an Axelarscan that tells too low a fee can cost a solver: a proof that is not executed before `refundAfter`.
const GWEI = 10n ** 9n
const ETHER = 10n ** 18n
const DOLLAR = 10n ** 18n
const SCALE = 10n ** 36n
/** In seconds, of both chains' heads. */
const START = 1_800_000_000
const EXECUTE_GAS = 300_000
const GAS_PRICE = 30n * GWEI
/** What 300,000 gas cost, with a fifth more. */
const FLOOR = (BigInt(EXECUTE_GAS) * GAS_PRICE * 12n) / 10n

const ORDER = intentOrder(CHEAP, 10n * ETHER, START + 600)
const [ORIGIN, DESTINATION] = [ORDER.originChain, ORDER.destinationChain]
const NATIVE = { decimals: 18, usdPrice: 3_000n * DOLLAR }

type World = {
  readonly refundAfter?: number
  readonly inputAmount?: bigint
  /** The fee of Axelarscan in wei. */
  readonly told: bigint
  readonly gasPrice?: bigint
}

/** A prover of one order with a final fill, whose transactions succeed and have no effect. */
const openProver = ({ told, gasPrice = GAS_PRICE, ...part }: World) => {
  const { refundAfter = START + 7_200, inputAmount = 10n * ETHER } = part
  const order = { ...ORDER, refundAfter, inputAmount: baseUnits(inputAmount) }
  const clock = clockAt(START * 1000)
  const head = (): EvmHead => ({
    number: 1n,
    hash: '0x',
    timestampSeconds: Math.floor(clock.now() / 1000),
    finalNumber: 1n,
    maxFeePerGas: gasPrice,
    maxPriorityFeePerGas: gasPrice,
    readAt: clock.now(),
  })
  const chainOf = (chainId: string): SolverChain => ({
    chainId,
    evm: memoryChain(chainId, [], { head }),
    settler: `0x${'11'.repeat(20)}`,
    attestedSettler: undefined,
    axelarName: chainId,
    executeGasLimit: EXECUTE_GAS,
    nativeDecimals: 18,
  })
  const chains = new Map([ORIGIN, DESTINATION].map((one) => [one, chainOf(one)]))
  const key = assetKey(ORIGIN, order.inputToken)
  const input: SolverAsset = {
    ...{ key, chainId: ORIGIN, address: order.inputToken, symbol: 'ETH' },
    ...{ isNative: true, isOnPaymentChain: false, price: NATIVE },
  }
  const relay = {
    axelarscan: {
      hopFees: async () => ({
        baseFee: (told * SCALE * 10n) / (12n * ETHER),
        gasPrice: 0n,
        multiplier: SCALE,
        sourceUsd: undefined,
        sourceDecimals: 18,
        destination: undefined,
      }),
    },
    gasMarginBps: 12_000,
    settlement: Settlement.parse({}),
    natives: new Map([ORIGIN, DESTINATION].map((one) => [one, NATIVE])),
  }
  const paid: bigint[] = []
  const [stored, outcomes] = [new Map<OrderId, OrderBatch>(), new Map<string, TransactionState>()]
  const mark = { blockNumber: 1n, timestampSeconds: START, isFinal: true, noticedAt: clock.now() }
  const tracked: TrackedOrder = {
    ...{ orderId: orderIdOf(1), order, firstSeenAt: 0, destinationFrom: 0n, isTakeover: false },
    ...{ opened: mark, filled: mark, proven: undefined },
  }
  const nothing = async (): Promise<void> => undefined
  const prover = createProver({
    ...relay,
    chains,
    assets: new Map([[key, input]]),
    costs: createOrderCosts({
      ...relay,
      ...{ chains, strategy: { costsBps: 10_000 }, steady: clock.now, log: () => undefined },
    }),
    outboxes: new Map([
      [
        DESTINATION,
        {
          sender: '0x',
          submit: async (call) => {
            paid.push(call.value ?? 0n)
            outcomes.set(call.key, 'succeeded')
            // CAST: only the key is read.
            return { key: call.key } as StoredTransaction
          },
          round: nothing,
          start: () => undefined,
          stop: nothing,
        },
      ],
    ]),
    store: {
      findBatch: async (_, orderId) => stored.get(orderId),
      addToBatch: async (_, orderId, batch) => void stored.set(orderId, batch),
    },
    states: { lookUpTransaction: async (one) => outcomes.get(one) ?? 'none', note: () => undefined },
    tracker: { orders: () => [tracked] },
    isCurrent: () => true,
    now: clock.now,
    log: () => undefined,
  })
  /** Runs a round every ten seconds. Returns what each proof paid, and after how many seconds. */
  const runFor = async (seconds: number): Promise<readonly (readonly [after: number, fee: bigint])[]> => {
    const sent: (readonly [number, bigint])[] = []
    for (let after = 0; after <= seconds; after += 10) {
      clock.set((START + after) * 1000)
      await prover.round()
      while (sent.length < paid.length) sent.push([after, paid[sent.length] ?? 0n])
    }
    return sent
  }
  return { runFor }
}

test('a proof pays for its execution at the gas price of the origin, however little Axelarscan asks', async () => {
  for (const told of [0n, 1n, FLOOR / 2n]) {
    const [first] = await openProver({ told }).runFor(700)
    assert.equal(first?.[1], FLOOR)
  }
  const [dear] = await openProver({ told: FLOOR * 3n }).runFor(700)
  assert.equal(dear?.[1], FLOOR * 3n)
})

test('a proof without effect is sent again in half of the time that is left, and pays twice as much', async () => {
  const sent = await openProver({ told: 0n, refundAfter: START + 2_710 }).runFor(2_700)
  assert.deepEqual(
    sent.map(([, fee]) => fee),
    [FLOOR, FLOOR * 2n, FLOOR * 4n, FLOOR * 8n].slice(0, sent.length),
  )
  const [first, second, third] = sent.map(([after]) => after)
  assert.ok(first === 10, String(first))
  assert.ok(second !== undefined && second <= 1_380, String(second))
  assert.ok(third !== undefined && third <= 2_100, String(third))
  assert.ok(sent.length <= 4)
})

test('with much time left it is sent again after `proofStallSeconds`, and not more often once it is refundable', async () => {
  const sent = await openProver({ told: 0n, refundAfter: START + 7_200 }).runFor(14_400)
  const pauses = sent.map(([after], index) => after - (sent[index - 1]?.[0] ?? 0))
  assert.deepEqual(
    pauses.filter((_, index) => (sent[index]?.[0] ?? 0) > 7_200).filter((pause) => pause < 3_600),
    [],
  )
  assert.ok(sent.length <= 7, String(sent.length))
})

test('all raises together cost less than the proof repays, and no proof more', async () => {
  for (const inputAmount of [FLOOR / 2n, FLOOR, FLOOR * 3n, FLOOR * 20n, FLOOR * 1_000n])
    for (const told of [0n, FLOOR / 4n, FLOOR]) {
      const sent = await openProver({ told, inputAmount }).runFor(20_000)
      const base = told < FLOOR && FLOOR <= inputAmount ? FLOOR : told
      const raises = sent.reduce((sum, [, fee]) => sum + (fee > base ? fee : 0n), 0n)
      assert.ok(raises <= inputAmount, `${raises} of ${inputAmount}`)
      for (const [, fee] of sent) assert.ok(fee <= inputAmount)
      // A floor above what the proof repays keeps no proof from being sent.
      assert.equal(sent.length > 0, told <= inputAmount)
    }
})
