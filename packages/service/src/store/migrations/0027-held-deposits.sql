-- Of a deposit that names no order: how often in a row its return failed, how often because its payer cannot be paid, when to try
-- it next, and since when and why it is held for the operator, which counts as settled. Times are in milliseconds.
alter table payments add column failures integer not null default 0;
alter table payments add column unpayable integer not null default 0;
alter table payments add column try_at bigint not null default 0;
alter table payments add column held_at bigint;
alter table payments add column held_why text;
drop index unsettled_deposits;
create index unsettled_deposits on payments (chain_id, tx_hash, payment_position)
  where is_settled = 0 and role = 'deposit' and order_id <> '';
create index unmatched_deposits on payments (try_at, block_number, tx_hash, payment_position)
  where is_settled = 0 and role = 'deposit' and order_id = '';
create index held_deposits on payments (chain_id, tx_hash, payment_position) where held_at is not null;
