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

-- A sender's nonce is used for one purpose, and a purpose has one nonce; tx_hash is the newest signature of it.
create table outbox (
  entry_key text /*postgres collate "C" */ not null primary key,
  chain_id text /*postgres collate "C" */ not null,
  sender text /*postgres collate "C" */ not null,
  nonce bigint not null,
  tx_hash text not null,
  replaced_tx_hashes text not null,
  raw_transaction text not null,
  signed_at bigint not null,
  outcome text not null,
  unique (chain_id, sender, nonce)
);

create index open_outbox on outbox (chain_id, sender, nonce) where outcome = 'open';
