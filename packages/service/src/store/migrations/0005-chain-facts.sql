create table chain_cursors (
  chain_id text /*postgres collate "C" */ not null primary key,
  block_number bigint not null,
  block_hash text not null
);

create table chain_events (
  chain_id text /*postgres collate "C" */ not null,
  tx_hash text /*postgres collate "C" */ not null,
  log_position integer not null,
  order_id text /*postgres collate "C" */ not null,
  block_number bigint not null,
  body text not null,
  primary key (chain_id, tx_hash, log_position)
);

create index chain_events_of_order on chain_events (order_id);

-- Final payments on Solana and Stellar: into a vault (role deposit) or by a solver (role fill). An empty order_id or
-- quote_id: none.
create table payments (
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

create index payments_of_order on payments (order_id);

create index unsettled_deposits on payments (chain_id, tx_hash, payment_position)
  where is_settled = 0 and role = 'deposit';
