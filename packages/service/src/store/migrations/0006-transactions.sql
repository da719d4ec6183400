-- Calls that our accounts make on EVM chains, stored before they are sent. A key names one call, and a nonce of a sender
-- serves one call. tx_hash is the newest signature; earlier_tx_hashes holds those with lower fees, each followed by a space.
create table transactions (
  transaction_key text /*postgres collate "C" */ not null primary key,
  chain_id text /*postgres collate "C" */ not null,
  sender text /*postgres collate "C" */ not null,
  nonce bigint not null,
  tx_hash text not null,
  earlier_tx_hashes text not null,
  raw_transaction text not null,
  signed_at bigint not null,
  outcome text not null check (outcome in ('open', 'succeeded', 'reverted', 'replaced')),
  unique (chain_id, sender, nonce)
);

create index open_transactions on transactions (chain_id, sender, nonce) where outcome = 'open';

-- Payments that our accounts make on Solana and Stellar, stored before they are sent. A key names one payment. tx_hash is
-- the newest signature; earlier_tx_hashes holds those that expired, each followed by a space.
create table payouts (
  payout_key text /*postgres collate "C" */ not null primary key,
  chain_id text /*postgres collate "C" */ not null,
  sender text /*postgres collate "C" */ not null,
  recipient text not null,
  token text not null,
  amount text not null,
  memo text not null,
  not_after_seconds bigint,
  tx_hash text not null,
  earlier_tx_hashes text not null,
  raw_transaction text not null,
  signed_at bigint not null,
  outcome text not null check (outcome in ('open', 'succeeded', 'failed', 'expired'))
);

create index open_payouts on payouts (chain_id, sender, signed_at, payout_key) where outcome = 'open';

-- Orders that a solver gave up by telling the service so, with no transaction: none of them is ever filled.
create table declined_orders (
  order_id text /*postgres collate "C" */ not null primary key,
  declined_at bigint not null
);
