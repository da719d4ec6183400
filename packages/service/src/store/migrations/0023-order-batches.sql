-- The newest transaction of each purpose (prove, claim) that an order shares with others. It is noted before the transaction is
-- signed, so that a restart signs no second one for the order.
create table order_batches (
  purpose text not null,
  order_id text /*postgres collate "C" */ not null,
  round integer not null,
  transaction_key text not null,
  primary key (purpose, order_id)
);
