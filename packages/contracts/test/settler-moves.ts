import fc from 'fast-check'
import type { Action, SideIndex } from './settler-model.ts'

/** Orders in one walk. */
export const ORDERS = 5

/** The random fields of an order. Amounts in base units; each time in seconds after the one before. */
export type OrderSeed = {
  readonly from: SideIndex
  readonly isNativeIn: boolean
  readonly isNativeOut: boolean
  readonly hasPuppetDepositor: boolean
  readonly hasPuppetRecipient: boolean
  readonly hasPuppetSolver: boolean
  readonly inputAmount: bigint
  readonly outputAmount: bigint
  readonly toOpen: number
  readonly toFill: number
  readonly toRefund: number
}

/** Any order between the two chains; its opening deadline is near. */
export const orderArbitrary: fc.Arbitrary<OrderSeed> = fc.record({
  from: fc.constantFrom<SideIndex>(0, 1),
  isNativeIn: fc.boolean(),
  isNativeOut: fc.boolean(),
  hasPuppetDepositor: fc.boolean(),
  hasPuppetRecipient: fc.boolean(),
  hasPuppetSolver: fc.boolean(),
  inputAmount: fc.bigInt(1n, 1000n),
  outputAmount: fc.bigInt(1n, 1000n),
  toOpen: fc.integer({ min: 20, max: 200 }),
  toFill: fc.integer({ min: 0, max: 100 }),
  toRefund: fc.integer({ min: 600, max: 700 }),
})

/** A step drawn before accounts, messages and credits are known: positions are taken modulo the lists' lengths. */
export type Move =
  | Exclude<Action, { kind: 'withdraw' | 'mood' }>
  | { readonly kind: 'withdraw'; readonly side: SideIndex; readonly who: number }
  | { readonly kind: 'mood'; readonly side: SideIndex; readonly who: number; readonly mood: number }

const order = fc.nat(ORDERS - 1)
const side = fc.constantFrom<SideIndex>(0, 1)
const isEntitled = fc.integer({ min: 0, max: 9 }).map((number) => number > 0)
const message = fc.nat(5)

/** Any step; steps that usually succeed are drawn more often. */
export const moveArbitrary: fc.Arbitrary<Move> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('open' as const), order, isEntitled }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('fill' as const), order, isEntitled }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('prove' as const),
      orders: fc.array(order, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('deliver' as const), message }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('replay' as const), message }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('decline' as const), order, isEntitled }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('refund' as const), order }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('forge' as const, 'misplace' as const), order }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('withdraw' as const),
      side,
      who: fc.nat(15),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('mood' as const),
      side,
      who: fc.nat(3),
      mood: fc.constantFrom(0, 0, 1, 2),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      side,
      seconds: fc.constantFrom(1, 5, 20, 300, 900),
    }),
  },
)

const SIDES = [0, 1] as const
const POSITIONS = Array.from({ length: ORDERS }, (_, position) => position)

/** Opening steps, so that most orders are open when a walk begins. */
export const BEGINNING: readonly Move[] = POSITIONS.slice(1).map((position) => ({
  kind: 'open',
  order: position,
  isEntitled: true,
}))

/**
 * Closing steps: time passes, open orders are refunded, every account accepts payments again and credits are withdrawn.
 */
export const END: readonly Move[] = [
  ...SIDES.map((at): Move => ({ kind: 'wait', side: at, seconds: 2000 })),
  ...POSITIONS.map((position): Move => ({ kind: 'refund', order: position })),
  ...SIDES.flatMap((at) => [0, 1, 2, 3].map((who): Move => ({ kind: 'mood', side: at, who, mood: 0 }))),
  ...SIDES.flatMap((at) => POSITIONS.map((): Move => ({ kind: 'withdraw', side: at, who: 0 }))),
]
