-- Quoted orders whose deposit was seen, and how each ended. While an order is open its outcome is 'open' and ended_at 0.
create table solver_orders (
  order_id text /*postgres collate "C" */ not null primary key,
  quote_id text /*postgres collate "C" */ not null,
  solver text /*postgres collate "C" */ not null,
  pair text /*postgres collate "C" */ not null,
  depositor text not null,
  input_amount text not null,
  quoted_at bigint not null,
  outcome text not null check (outcome in ('open', 'filled', 'late', 'declined', 'faded', 'uncounted')),
  ended_at bigint not null,
  fill_seconds bigint
);

create index open_solver_orders on solver_orders (order_id) where outcome = 'open';
create index ended_solver_orders on solver_orders (ended_at, order_id);
