import fc from 'fast-check'

/** One step of a random walk. `message` and `shape` are list positions modulo the list's length. */
export type Move =
  | {
      readonly kind: 'send'
      readonly shape: number
      readonly inputAmount: bigint
      /** Minimum output in percent of the input. */
      readonly minimumPercent: bigint
      readonly hasPuppetRecipient: boolean
    }
  | { readonly kind: 'express' | 'execute' | 'replay'; readonly message: number }
  | { readonly kind: 'trade'; readonly side: 0 | 1; readonly isSale: boolean; readonly amount: bigint }
  | { readonly kind: 'mood'; readonly side: 0 | 1; readonly mood: number }

const message = fc.nat(30)
const side = fc.constantFrom<0 | 1>(0, 1)

/** Any step; steps that usually succeed are drawn more often. */
export const moveArbitrary: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      shape: fc.nat(30),
      inputAmount: fc.bigInt(1n, 10n ** 15n),
      minimumPercent: fc.bigInt(40n, 105n),
      hasPuppetRecipient: fc.boolean(),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('express' as const), message }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('execute' as const), message }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('replay' as const), message }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('trade' as const),
      side,
      isSale: fc.boolean(),
      amount: fc.bigInt(1n, 3n * 10n ** 19n),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('mood' as const), side, mood: fc.constantFrom(0, 1, 2) }),
  },
)
