/**
 * What is wrong with a quote that a guard refuses. Of the quote itself: `other_assets`, `input_amount`, `output_amount`,
 * `loss`, `loss_unknown`, `worse_quote`. Of its actions: `action_order`, `approval_call`, `approval_spender`,
 * `approval_amount`, `unknown_contract`, `unknown_call`, `call_value`, `native_fee`, `call_sender`, `call_recipient`,
 * `call_input`, `call_output`, `call_chain`, `call_deadline`, `call_extra`, `priority_fee`, `deposit_address`,
 * `deposit_memo`, `attester`, `token_id`, `token_decimals`. Of what it is held against: `service_clock`, `missing_guard`.
 * @example
 * const isAboutPrice = (guard: GuardCode): boolean => guard === 'loss' || guard === 'loss_unknown'
 */
export type GuardCode =
  | 'other_assets'
  | 'input_amount'
  | 'output_amount'
  | 'loss'
  | 'loss_unknown'
  | 'worse_quote'
  | 'action_order'
  | 'approval_call'
  | 'approval_spender'
  | 'approval_amount'
  | 'unknown_contract'
  | 'unknown_call'
  | 'call_value'
  | 'native_fee'
  | 'call_sender'
  | 'call_recipient'
  | 'call_input'
  | 'call_output'
  | 'call_chain'
  | 'call_deadline'
  | 'call_extra'
  | 'priority_fee'
  | 'deposit_address'
  | 'deposit_memo'
  | 'attester'
  | 'token_id'
  | 'token_decimals'
  | 'service_clock'
  | 'missing_guard'
