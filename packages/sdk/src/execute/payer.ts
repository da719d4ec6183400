import type { Guarded } from '../guard/guards.ts'
import type { Quote } from '../wire/quote.ts'
import type { Execution, StartedTransfer } from './execution.ts'

/**
 * A wallet of any chain family as `swap` uses it: `evmPayer`, `injectedPayer`, `solanaPayer` and `stellarPayer` make one.
 * `guard` refuses a quote whose actions do not do what it says, and `simulate` one that the wallet cannot pay; neither asks
 * the person. `execute` signs and sends.
 * @example
 * const sign = async (payer: Payer, quote: Quote) => {
 *   await payer.simulate(quote)
 *   return payer.execute({ quote })
 * }
 */
export type Payer = {
  readonly address: string
  readonly guard: (guarded: Guarded) => Promise<void>
  readonly simulate: (quote: Quote) => Promise<void>
  readonly execute: (execution: Execution) => Promise<StartedTransfer>
}
