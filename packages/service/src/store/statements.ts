/** A row that is written to see whether rows can be: its key is no quote's. */
export const TRIAL_KEY = 'trial'
/** The size of a usual answer. */
export const TRIAL_BODY = ' '.repeat(4_096)

/** Answers per purge step: few enough not to block writers. */
export const PURGE_PAGE_SIZE = 1000

/** Notifications deleted at once: few enough not to block writers. */
const NOTIFICATION_PURGE_SIZE = 1000

/** Answers of one bundle: enough to compress well, few enough to read one of them in a millisecond. */
export const BUNDLE_SIZE = 128

const USING = ['transfers', 'payments', 'solver_orders'] as const

/** The quote ids in a range that a transfer, a payment or a solver's order names. */
const namedQuotes = (first: string, last: string): string =>
  USING.map(
    (table) => `select ${table}.quote_id from ${table} where ${table}.quote_id between ${first} and ${last}`,
  ).join(' union ')

const NAMED_IN_BUNDLE = `(select count(*) from (${namedQuotes('first_quote_id', 'last_quote_id')}) named)`

/** Whether none of them names a quote of the answer. */
const IS_UNUSED = USING.map(
  (table) =>
    `not exists (select 1 from ${table} where ${table}.quote_id between first_quote_id and last_quote_id)`,
).join(' and ')

const parameters = (count: number): string =>
  Array.from({ length: count }, (_, index) => `$${index + 1}`).join(', ')

/** What a void payment hid takes its place. */
export const REPLACING_VOID =
  'on conflict (chain_id, tx_hash, payment_position) do update set role = excluded.role, ' +
  'order_id = excluded.order_id, quote_id = excluded.quote_id, block_number = excluded.block_number, ' +
  "body = excluded.body, is_settled = excluded.is_settled, standing = 'stored', failures = 0, unpayable = 0, " +
  "try_at = 0, held_at = null, held_why = null where payments.standing = 'void'"

/** The statements of both dialects, with PostgreSQL's parameters. */
export const STATEMENTS = {
  saveAnswer:
    'insert into quote_answers (first_quote_id, last_quote_id, created_at, body, terms_hash) ' +
    'values ($1, $2, $3, $4, $5)',
  findAnswer:
    'select last_quote_id, body from quote_answers where first_quote_id <= $1 order by first_quote_id desc limit 1',
  /** Answers whose last id is after `$2`, starting at the one that contains `$1`, created at `$3` or later. */
  answersSince:
    'select last_quote_id, body from quote_answers where first_quote_id >= ' +
    "coalesce((select max(first_quote_id) from quote_answers where first_quote_id <= $1), '') " +
    'and last_quote_id > $2 and created_at >= $3 order by first_quote_id limit $4',
  /** The newest answers made from `$1` to `$2` whose terms have the hash `$3`; the index holds all that is compared. */
  answersOfTerms:
    'select last_quote_id, body from quote_answers where created_at between $1 and $2 and terms_hash = $3 ' +
    'order by created_at desc limit $4',
  insertTransfer:
    'insert into transfers (quote_id, message_id, revision, is_open, body, owned_message_id) ' +
    'values ($1, $2, $3, $4, $5, $6) on conflict do nothing',
  updateTransfer:
    'update transfers set revision = $3, is_open = $4, body = $5, owned_message_id = $6 ' +
    'where quote_id = $1 and message_id = $2 and revision = $3 - 1 and not exists ' +
    '(select 1 from transfers other where other.owned_message_id = $6 and other.quote_id <> $1)',
  findMessageOwner: 'select quote_id from transfers where owned_message_id = $1',
  findTransfer:
    'select quote_id, message_id, revision, body from transfers where quote_id = $1 and message_id = $2',
  listTransfers:
    'select quote_id, message_id, revision, body from transfers where quote_id = $1 order by message_id limit 16',
  saveName: 'insert into transfer_names (name, quote_id) values ($1, $2) on conflict do nothing',
  listNamedQuotes:
    'select quote_id from transfer_names where name = $1 and quote_id < $2 order by quote_id desc limit $3',
  listOpen:
    'select quote_id, message_id, revision, body from transfers ' +
    'where is_open = 1 and (quote_id, message_id) > ($1, $2) order by quote_id, message_id limit $3',
  findCursor:
    'select block_number, block_hash, block_seconds, genesis_hash from chain_cursors where chain_id = $1',
  saveCursor:
    'insert into chain_cursors (chain_id, block_number, block_hash, block_seconds, genesis_hash) ' +
    'values ($1, $2, $3, $4, $5) on conflict (chain_id) do update set block_number = excluded.block_number, ' +
    'block_hash = excluded.block_hash, block_seconds = excluded.block_seconds, genesis_hash = excluded.genesis_hash',
  saveChainEvent:
    'insert into chain_events (chain_id, tx_hash, log_position, order_id, block_number, body) ' +
    'values ($1, $2, $3, $4, $5, $6) on conflict do nothing',
  findChainEvents:
    'select chain_id, tx_hash, log_position, order_id, block_number, body from chain_events ' +
    'where order_id = $1 order by chain_id, block_number, log_position, tx_hash',
  savePayment:
    'insert into payments (chain_id, tx_hash, payment_position, role, order_id, quote_id, block_number, ' +
    `body, is_settled) values ($1, $2, $3, $4, $5, $6, $7, $8, $9) ${REPLACING_VOID}`,
  findPayment:
    'select * from payments where chain_id = $1 and tx_hash = $2 and payment_position = $3 ' +
    "and standing <> 'void'",
  findPayments:
    "select * from payments where order_id = $1 and standing <> 'void' order by chain_id, block_number, tx_hash, payment_position",
  listUnsettledDeposits:
    "select * from payments where is_settled = 0 and role = 'deposit' and order_id <> '' and standing <> 'void' and " +
    '(chain_id, tx_hash, payment_position) > ($1, $2, $3) order by chain_id, tx_hash, payment_position limit $4',
  listUnmatchedDeposits:
    "select * from payments where is_settled = 0 and role = 'deposit' and order_id = '' and standing <> 'void' and " +
    'try_at > $1 and try_at <= $2 order by try_at, block_number, tx_hash, payment_position limit $3',
  postponeDeposit:
    'update payments set failures = $4, unpayable = $5, try_at = $6 ' +
    "where chain_id = $1 and tx_hash = $2 and payment_position = $3 and role = 'deposit'",
  holdDeposit:
    'update payments set is_settled = 1, held_at = $4, held_why = $5 where chain_id = $1 and tx_hash = $2 and ' +
    "payment_position = $3 and role = 'deposit' and order_id = '' and is_settled = 0 and standing <> 'void'",
  freeDeposit:
    'update payments set is_settled = 0, held_at = null, held_why = null, failures = 0, unpayable = 0, try_at = 0 ' +
    "where chain_id = $1 and tx_hash = $2 and payment_position = $3 and held_at is not null and standing <> 'void'",
  listHeldDeposits:
    "select * from payments where held_at is not null and standing <> 'void' and " +
    '(chain_id, tx_hash, payment_position) > ($1, $2, $3) order by chain_id, tx_hash, payment_position limit $4',
  countHeldDeposits:
    "select chain_id, count(*) as held from payments where held_at is not null and standing <> 'void' group by chain_id",
  listPayments:
    "select * from payments where chain_id = $1 and standing <> 'void' and " +
    '(block_number, tx_hash, payment_position) > ($2, $3, $4) ' +
    'order by block_number, tx_hash, payment_position limit $5',
  listUnconfirmedPayments:
    "select * from payments where chain_id = $1 and standing = 'stored' and " +
    '(block_number, tx_hash, payment_position) > ($2, $3, $4) ' +
    'order by block_number, tx_hash, payment_position limit $5',
  newestConfirmedPayment:
    "select * from payments where chain_id = $1 and standing = 'confirmed' and block_number <= $2 " +
    'order by block_number desc limit 1',
  confirmPayment:
    "update payments set standing = 'confirmed' where chain_id = $1 and tx_hash = $2 and payment_position = $3 " +
    "and standing = 'stored'",
  /** A payout that was signed here is followed again; one that was only found is signed under its next key. */
  reopenPayout:
    "update payouts set outcome = case when raw_transaction = '' then 'failed' else 'open' end " +
    "where chain_id = $1 and tx_hash = $2 and outcome = 'succeeded'",
  voidPayment:
    "update payments set standing = 'void', is_settled = 0 " +
    'where chain_id = $1 and tx_hash = $2 and payment_position = $3',
  /** The deposits of the payout's order, or the one that the payout returns. */
  unsettlePaid:
    "update payments set is_settled = 0 where chain_id = $1 and role = 'deposit' and (" +
    "(order_id <> '' and order_id = (select paid.order_id from payments paid where paid.chain_id = $1 and " +
    "paid.tx_hash = $2 and paid.payment_position = $3 and paid.role = 'payout')) or " +
    'exists (select 1 from payouts where payouts.chain_id = $1 and payouts.tx_hash = $2 and ' +
    "(payout_key || ':') like ('return:' || payments.chain_id || ':' || payments.tx_hash || ':' || " +
    "payments.payment_position || ':%')))",
  settleDeposit:
    'update payments set is_settled = 1 ' +
    "where chain_id = $1 and tx_hash = $2 and payment_position = $3 and role = 'deposit'",
  addTransaction:
    'insert into transactions (transaction_key, chain_id, sender, nonce, tx_hash, earlier_tx_hashes, ' +
    'raw_transaction, signed_at, outcome) values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing',
  resignTransaction:
    "update transactions set earlier_tx_hashes = earlier_tx_hashes || tx_hash || ' ', tx_hash = $3, " +
    "raw_transaction = $4, signed_at = $5, nonce = $6 where transaction_key = $1 and tx_hash = $2 and outcome = 'open' " +
    'and not exists (select 1 from transactions other where other.chain_id = transactions.chain_id and ' +
    'other.sender = transactions.sender and other.nonce = $6 and other.transaction_key <> $1)',
  findTransaction: 'select * from transactions where transaction_key = $1',
  listOpenTransactions:
    "select * from transactions where chain_id = $1 and sender = $2 and outcome = 'open' order by nonce limit $3",
  findTransactionAt: 'select * from transactions where chain_id = $1 and sender = $2 and nonce = $3',
  /** The end of the first run of taken nonces from `$3` on. */
  nonceAfterTaken:
    'select nonce + 1 as nonce from transactions one where chain_id = $1 and sender = $2 and nonce >= $3 and ' +
    'not exists (select 1 from transactions next where next.chain_id = $1 and next.sender = $2 and ' +
    'next.nonce = one.nonce + 1) order by one.nonce limit 1',
  settleTransaction:
    'update transactions set outcome = $3, tx_hash = $4 ' +
    "where transaction_key = $1 and tx_hash = $2 and outcome = 'open'",
  reopenTransaction:
    "update transactions set outcome = 'open', earlier_tx_hashes = earlier_tx_hashes || tx_hash || ' ', tx_hash = $3 " +
    "where transaction_key = $1 and tx_hash = $2 and outcome = 'succeeded'",
  addPayout:
    'insert into payouts (payout_key, chain_id, sender, recipient, token, amount, memo, not_after_seconds, tx_hash, ' +
    'earlier_tx_hashes, raw_transaction, signed_at, outcome, claims) ' +
    'values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) on conflict do nothing',
  resignPayout:
    "update payouts set earlier_tx_hashes = earlier_tx_hashes || tx_hash || ' ', tx_hash = $3, " +
    "raw_transaction = $4, signed_at = $5 where payout_key = $1 and tx_hash = $2 and outcome = 'open'",
  findPayout: 'select * from payouts where payout_key = $1',
  listOpenPayouts:
    "select * from payouts where chain_id = $1 and sender = $2 and outcome = 'open' " +
    'order by signed_at, payout_key limit $3',
  settlePayout: "update payouts set outcome = $3 where payout_key = $1 and tx_hash = $2 and outcome = 'open'",
  addDeclinedOrder:
    'insert into declined_orders (order_id, declined_at) values ($1, $2) on conflict do nothing',
  findDeclinedOrder: 'select order_id, declined_at from declined_orders where order_id = $1',
  addToBatch:
    'insert into order_batches (purpose, order_id, round, transaction_key) values ($1, $2, $3, $4) ' +
    'on conflict (purpose, order_id) do update set round = excluded.round, transaction_key = excluded.transaction_key',
  findBatch: 'select round, transaction_key from order_batches where purpose = $1 and order_id = $2',
  addClaim: 'insert into claims (order_id, body, fill_tx_hash) values ($1, $2, $3) on conflict do nothing',
  listClaims: 'select * from claims where order_id > $1 order by order_id limit $2',
  removeClaim: 'delete from claims where order_id = $1',
  addFrontedDelivery:
    'insert into fronted_deliveries (command_id, source_chain, chain_id, token, transfer_id, amount, most_cost, ' +
    "decided_at, outcome) values ($1, $2, $3, $4, $5, $6, $7, $8, 'open') on conflict do nothing",
  endFrontedDelivery: "update fronted_deliveries set outcome = $2 where command_id = $1 and outcome = 'open'",
  listFrontedDeliveries:
    "select * from fronted_deliveries where (outcome = 'open' or decided_at >= $1) and command_id > $2 " +
    'order by command_id limit $3',
  findRepaidDelivery:
    "select command_id from fronted_deliveries where outcome = 'repaid' and source_chain = $1 and chain_id = $2 limit 1",
  findCosigned: 'select tx_hash, raw_transaction, signed_at from cosigned_payouts where obligation = $1',
  /** The first one, or one in the place of `$5`. */
  saveCosigned:
    'insert into cosigned_payouts (obligation, tx_hash, raw_transaction, signed_at) values ($1, $2, $3, $4) ' +
    'on conflict (obligation) do update set tx_hash = excluded.tx_hash, raw_transaction = excluded.raw_transaction, ' +
    'signed_at = excluded.signed_at where cosigned_payouts.tx_hash = $5',
  listDepositUses: 'select obligation, amount from cosigned_deposits where deposit = $1',
  useDeposit:
    'insert into cosigned_deposits (deposit, obligation, amount) values ($1, $2, $3) ' +
    'on conflict (deposit, obligation) do update set amount = excluded.amount',
  nameOrder:
    'insert into named_orders (muxed_id, order_id, named_at) values ($1, $2, $3) on conflict do nothing',
  listNamedOrders:
    'select order_id, named_at from named_orders where muxed_id = $1 order by named_at, order_id limit $2',
  forgetNamedOrders: 'delete from named_orders where named_at < $1',
  addSolverOrder:
    'insert into solver_orders (order_id, quote_id, solver, pair, depositor, input_amount, quoted_at, outcome, ' +
    "ended_at) values ($1, $2, $3, $4, $5, $6, $7, 'open', 0) on conflict do nothing",
  endSolverOrder:
    "update solver_orders set outcome = $2, ended_at = $3, fill_seconds = $4 where order_id = $1 and outcome = 'open'",
  listOpenSolverOrders:
    "select * from solver_orders where outcome = 'open' and order_id > $1 order by order_id limit $2",
  listEndedSolverOrders:
    'select * from solver_orders where (ended_at, order_id) > ($1, $2) ' +
    "and outcome <> 'open' order by ended_at, order_id limit $3",
  /** A notification of the transfer's change, due now, or when the earlier ones that it waits for are. */
  saveNotification:
    'insert into notifications (webhook, event_id, quote_id, message_id, revision, body, created_at, outcome, ' +
    "attempts, next_at, last_at, last_result) select $1, $2, $3, $4, cast($5 as integer), $6, $7, 'pending', 0, max(due.at), 0, '' " +
    'from (select cast($7 as bigint) as at union all select next_at as at from notifications ' +
    "where webhook = $1 and quote_id = $3 and message_id = $4 and outcome = 'pending') due",
  listDueNotifications:
    "select * from notifications due where webhook = $1 and outcome = 'pending' and next_at <= $2 and not exists " +
    '(select 1 from notifications earlier where earlier.webhook = due.webhook and ' +
    'earlier.quote_id = due.quote_id and earlier.message_id = due.message_id and ' +
    "earlier.revision < due.revision and earlier.outcome = 'pending') order by next_at limit $3",
  claimNotification:
    'update notifications set next_at = $4 ' +
    "where webhook = $1 and event_id = $2 and outcome = 'pending' and next_at = $3",
  endAttempt:
    'update notifications set outcome = $3, attempts = attempts + 1, last_at = $4, last_result = $5, ' +
    "next_at = $6 where webhook = $1 and event_id = $2 and outcome = 'pending'",
  /** Later changes of a transfer are not looked at before those that they wait for. */
  moveLaterNotifications:
    'update notifications set next_at = $5 where webhook = $1 and quote_id = $2 and message_id = $3 and ' +
    "revision > $4 and outcome = 'pending'",
  listNotifications:
    'select * from notifications where webhook = $1 and outcome = $2 and (created_at, event_id) < ($3, $4) ' +
    'order by created_at desc, event_id desc limit $5',
  repeatNotification:
    "update notifications set outcome = 'pending', attempts = 0, next_at = $3 " +
    "where webhook = $1 and event_id = $2 and outcome <> 'pending'",
  purgeNotifications:
    'delete from notifications where (webhook, event_id) in (select webhook, event_id from notifications ' +
    `where created_at < $1 order by created_at limit ${NOTIFICATION_PURGE_SIZE})`,
  /** Summarises the next `$2` answers after `$1`: last key, earliest creation and count. */
  purgePage:
    'select max(first_quote_id) as through, min(created_at) as oldest, count(*) as size from ' +
    '(select first_quote_id, created_at from quote_answers where first_quote_id > $1 order by first_quote_id limit $2) page',
  purge:
    'delete from quote_answers where first_quote_id > $1 and first_quote_id <= $2 and created_at < $3 and ' +
    IS_UNUSED,
  /** The bundle that may contain the id `$1`, unless it ends before `$2`. */
  findBundle:
    'select terms, body from (select last_quote_id, terms, body from quote_bundles where first_quote_id <= $1 ' +
    'order by first_quote_id desc limit 1) bundle where last_quote_id >= $2',
  /** The bundles after `$2` that end at `$1` or later. */
  bundlesSince:
    'select first_quote_id, terms, body from quote_bundles where first_quote_id >= ' +
    "coalesce((select max(first_quote_id) from quote_bundles where first_quote_id <= $1), '') " +
    'and last_quote_id >= $1 and first_quote_id > $2 order by first_quote_id limit $3',
  /** The newest bundles with ids from `$1` to `$2` whose terms are like `$3`. */
  bundlesOfTerms:
    'select terms, body from quote_bundles where first_quote_id >= ' +
    "coalesce((select max(first_quote_id) from quote_bundles where first_quote_id <= $1), '') " +
    'and first_quote_id <= $2 and terms like $3 order by first_quote_id desc limit $4',
  /** The oldest unused answers with ids before `$1` and after the last bundle. */
  answersToBundle:
    'select first_quote_id, last_quote_id, terms_hash, body from quote_answers where first_quote_id > ' +
    "coalesce((select last_quote_id from quote_bundles order by first_quote_id desc limit 1), '') and " +
    `first_quote_id < $1 and ${IS_UNUSED} order by first_quote_id limit ${BUNDLE_SIZE}`,
  /** Saves a bundle unless another one reaches into its range; bundles that overlap would hide each other's answers. */
  saveBundle:
    'insert into quote_bundles (first_quote_id, last_quote_id, terms, body) select $1, $2, $3, $4 where not exists ' +
    '(select 1 from quote_bundles other where other.first_quote_id <= $2 and other.last_quote_id >= $1) ' +
    'on conflict do nothing',
  dropBundled: `delete from quote_answers where first_quote_id in (${parameters(BUNDLE_SIZE)}) and ${IS_UNUSED}`,
  /** The oldest bundles whose ids are all before `$1`. */
  agedBundles:
    'select first_quote_id, last_quote_id from quote_bundles where is_kept = 0 and first_quote_id < $1 and ' +
    'last_quote_id < $1 order by first_quote_id limit $2',
  namedQuotes: namedQuotes('$1', '$2'),
  /** Deletes a bundle if `$2` quotes of its range are named, as were when it was found to contain none of them. */
  dropBundle: `delete from quote_bundles where first_quote_id = $1 and is_kept = 0 and $2 = ${NAMED_IN_BUNDLE}`,
  /** Shrinks a bundle to its used answers if `$4` quotes of its range are named, as were when those were read. */
  keepBundle:
    'update quote_bundles set is_kept = 1, terms = $2, body = $3 where first_quote_id = $1 and is_kept = 0 and ' +
    `$4 = ${NAMED_IN_BUNDLE}`,
  dropTrial: 'delete from quote_answers where first_quote_id = $1',
  /** Fails if the database is read-only. */
  ping: 'update schema_migrations set hash = hash where name = (select min(name) from schema_migrations)',
  appliedMigrations: 'select name, hash from schema_migrations order by name',
  rememberMigration: 'insert into schema_migrations (name, hash) values ($1, $2)',
} as const
