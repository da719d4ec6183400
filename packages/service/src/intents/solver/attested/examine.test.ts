import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockAt } from '../../../../test/test-orders.ts'
import { baseUnits } from '../../../core/amount.ts'
import type { IntentOrder, OrderId } from '../../../core/intent-order.ts'
import { assetKey, type SolverAsset } from '../assets.ts'
import { createCommitments } from '../commitments.ts'
import { Settlement, Strategy } from '../config.ts'
import type { PricedToken } from '../pricing.ts'
import { createAttestedExaminer } from './examine.ts'
import type { PendingOrder } from './pending-orders.ts'

const ORIGIN = 'eip155:1'
const LEDGER = 'solana:ledger'
const ID: OrderId = `0x${'01'.repeat(32)}`
const DOLLAR: PricedToken = { decimals: 6, usdPrice: 10n ** 18n }
const SOL: PricedToken = { decimals: 9, usdPrice: 150n * 10n ** 18n }
const INPUT = 1_000_000n
const OPENING_RENT = 2_039_280n
/** The output of the published rung. */
const QUOTED = 990_000n
/** The rent at 150 dollars a SOL, in dollars of six decimals, rounded up. */
const OPENING_COST = 305_892n

const asset = (chainId: string, address: string, price: PricedToken | undefined): SolverAsset => ({
  key: assetKey(chainId, address),
  chainId,
  address,
  symbol: address,
  isNative: address === 'native',
  isOnPaymentChain: chainId === LEDGER,
  price,
})

const entryOf = (outputAmount: bigint): PendingOrder => {
  const order: IntentOrder = {
    depositor: 'depositor',
    salt: ID,
    originChain: ORIGIN,
    originSettler: 'settler',
    destinationChain: LEDGER,
    destinationSettler: 'program',
    openDeadline: 1,
    fillDeadline: 100,
    refundAfter: 200,
    inputToken: 'dollar',
    inputAmount: baseUnits(INPUT),
    outputToken: 'dollar',
    outputAmount: baseUnits(outputAmount),
    recipient: 'recipient',
    solver: 'solver',
    filler: 'filler',
    attester: 'attester',
  }
  const times = { paidAt: undefined, declineSentAt: undefined, lookedAt: undefined }
  return { orderId: ID, order, isFinal: true, isRelied: true, isFillNamed: false, ...times }
}

type Rent = bigint | undefined

/** Whether the order of an output is fair at each rent in turn, six seconds apart, after one rung was published. */
const judge = (outputAmount: bigint, rents: readonly Rent[], solPrice: PricedToken | null = SOL) => {
  const assets = [
    asset(ORIGIN, 'dollar', DOLLAR),
    asset(LEDGER, 'dollar', DOLLAR),
    asset(LEDGER, 'native', solPrice ?? undefined),
  ]
  const [from, to] = assets
  assert.ok(from !== undefined && to !== undefined)
  const clock = clockAt(0)
  const commitments = createCommitments(clock.now)
  commitments.setLifetime(60)
  const rung = { input: baseUnits(INPUT), output: baseUnits(QUOTED), fee: baseUnits(0n) }
  commitments.publish({ from, to }, [rung], 60_000)
  const { examine } = createAttestedExaminer({
    sides: new Map(),
    assets: new Map(assets.map((one) => [one.key, one])),
    attester: 'attester',
    account: 'solver',
    pendingOrders: { orders: () => [] },
    tracker: { orders: () => [], find: () => undefined },
    inventory: { holding: () => undefined, isAllowed: () => true },
    reservations: { sent: () => 0n },
    states: { known: () => 'none' },
    commitments,
    costs: { isKnowable: () => true, inUnitsOf: () => 0n },
    settlement: Settlement.parse({}),
    strategy: Strategy.parse({}),
    mode: () => 'normal',
    now: clock.now,
    steady: clock.now,
  })
  return rents.map((openingRent) => {
    const { isFair } = examine(entryOf(outputAmount), {
      statuses: { origin: 'open', destination: undefined },
      deposit: { escrow: 'open', isConfirmed: true },
      isPayable: true,
      gasLimit: 0n,
      openingRent,
      earlierFill: 'none',
    })
    clock.set(clock.now() + 6_000)
    return isFair
  })
}

test('an order is fair up to what was quoted less what opening the account of the recipient costs', () => {
  assert.deepEqual(judge(QUOTED, [0n]), [true])
  assert.deepEqual(judge(QUOTED - OPENING_COST, [OPENING_RENT]), [true])
  assert.deepEqual(judge(QUOTED - OPENING_COST + 1n, [OPENING_RENT]), [undefined])
})

test('an order is not fair any more once its recipient has closed the account', () => {
  assert.deepEqual(judge(QUOTED, [0n, OPENING_RENT, 0n]), [true, undefined, true])
})

test('it is unknown whether an order is fair while the account of the recipient cannot be read', () => {
  assert.deepEqual(judge(QUOTED, [undefined, 0n, undefined]), [undefined, true, undefined])
})

test('an order that costs rent is not fair without a price of the native asset', () => {
  assert.deepEqual(judge(1n, [OPENING_RENT, 0n], null), [false, true])
})
