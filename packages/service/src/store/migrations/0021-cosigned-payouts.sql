-- What a co-signer signed, by what is owed: the newest transaction of each.
create table cosigned_payouts (
  obligation text /*postgres collate "C" */ not null primary key,
  tx_hash text not null,
  raw_transaction text not null,
  signed_at bigint not null
);
-- The part of a deposit, in base units, that something owed is paid from.
create table cosigned_deposits (
  deposit text /*postgres collate "C" */ not null,
  obligation text /*postgres collate "C" */ not null,
  amount text not null,
  primary key (deposit, obligation)
);
-- The orders that the service named to its co-signer before their deposits, by the muxed id of the deposit.
create table named_orders (
  muxed_id text /*postgres collate "C" */ not null,
  order_id text /*postgres collate "C" */ not null,
  named_at bigint not null,
  primary key (muxed_id, order_id)
);
create index named_orders_by_time on named_orders (named_at);
