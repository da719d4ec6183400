-- Final payments on ledgers: into a vault (role deposit) or by a filler (role fill). An empty order_id or quote_id: none.
create table ledger_payments (
  chain_id text /*postgres collate "C" */ not null,
  tx_hash text /*postgres collate "C" */ not null,
  payment_position bigint not null,
  role text not null,
  order_id text /*postgres collate "C" */ not null,
  quote_id text not null,
  block_number bigint not null,
  body text not null,
  is_settled integer not null,
  primary key (chain_id, tx_hash, payment_position)
);

create index ledger_payments_of_order on ledger_payments (order_id);

create index unsettled_deposits on ledger_payments (chain_id, tx_hash, payment_position)
  where is_settled = 0 and role = 'deposit';
