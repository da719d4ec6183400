-- Answers older than a day, many to a row. terms holds the hash of each answer's terms, body their compressed text. is_kept is
-- 1 once the bundle is older than the retention and holds only answers that belong to a deposit.
create table quote_bundles (
  first_quote_id text /*postgres collate "C" */ not null primary key,
  last_quote_id text /*postgres collate "C" */ not null,
  is_kept integer not null default 0,
  terms text not null,
  body /*postgres bytea */ not null
);
/*postgres alter table quote_bundles alter column body set storage external; */
create index ageing_quote_bundles on quote_bundles (first_quote_id) where is_kept = 0;

/*postgres alter table payments alter column quote_id type text collate "C"; */
create index payments_of_quote on payments (quote_id);
create index solver_orders_of_quote on solver_orders (quote_id);
