/**
 * Checks of a quote that are skipped because the guards do not configure them. `contracts`: that a contract of the operator or of Axelar is
 * called. `attester`: who may give the deposit of an order away. `destination_chain`: what Axelar calls the destination.
 * `output_token`: that the interchain token id stands for the output token. `bridge_amount`: the
 * minimum output of a swap on the source chain, and its token. `minimum_output`: the price. `native_fee`: the fee beside the input.
 * `deposit_order`: that the deposit address belongs to an order for the recipient, which no ledger shows.
 * @example
 * const isAboutPrice = (missing: MissingGuard): boolean => missing === 'minimum_output' || missing === 'bridge_amount'
 */
export type MissingGuard =
  | 'contracts'
  | 'attester'
  | 'destination_chain'
  | 'output_token'
  | 'bridge_amount'
  | 'minimum_output'
  | 'native_fee'
  | 'deposit_order'
