/** Events that end a condition, each with the event that begins it. `npm run structure` compares docs/log-events.md. */
export const CONDITIONS: ReadonlyMap<string, string> = new Map([
  ['rpc_endpoint_recovered', 'rpc_endpoint_put_aside'],
  ['rpc_endpoint_agrees', 'rpc_endpoint_disagrees'],
  ['rpc_endpoint_time_plausible', 'rpc_endpoint_ahead_of_clock'],
  ['chain_time_plausible', 'chain_ahead_of_clock'],
  ['clock_agrees_with_chains', 'clock_differs_from_chains'],
  ['chain_readable', 'chain_unreadable'],
  ['solver_unblocked', 'solver_blocked'],
  ['inventory_within_balance', 'inventory_exceeds_balance'],
  ['stored_payment_confirmed', 'stored_payment_denied'],
  ['vault_payouts_resumed', 'vault_payouts_held'],
  ['vault_books_agree', 'vault_books_differ'],
  ['payment_not_contradicted', 'payment_contradicted'],
  ['sandbox_solver_recovered', 'sandbox_solver_exited'],
  ['sandbox_attester_recovered', 'sandbox_attester_exited'],
  ...[
    'chain_health',
    'head_read',
    'log_read',
    'payment_read',
    'payment_review',
    'pool_read',
    'its_limit_read',
    'gateway_limit_read',
    'gateway_fee_read',
    'axelar_gas_fee_read',
    'axelar_relay_time_read',
    'express_gas_fee_read',
    'store_write',
    'outbox_monitor',
    'open_transfer_watch',
    'solver_outcomes',
    'deposit_check',
    'sender_balances',
    'solver_balances',
    'deposit_settlement_round',
    'clock_read',
    'quote_round',
    'fill_round',
    'attested_fill_round',
    'proof_round',
    'upkeep_round',
    'balance_read',
    'status_report',
    'attestation_round',
    'relay_watch',
    'relay_work',
    'express_watch',
    'express_work',
  ].map((name): [string, string] => [`${name}_recovered`, `${name}_failed`]),
])
const BEGINS: ReadonlySet<string> = new Set(CONDITIONS.values())

/** Whether an event begins a condition that another event ends. */
export const isCondition = (event: string): boolean => BEGINS.has(event)

/** The event that begins the condition which `event` ends; undefined for other events. */
export const conditionOfEnd = (event: string): string | undefined => CONDITIONS.get(event)
