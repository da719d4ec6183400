-- Messages that the operator's express executor has decided to deliver from its own tokens; stored before anything is signed.
create table fronted_deliveries (
  command_id text /*postgres collate "C" */ not null primary key,
  source_chain text not null,
  chain_id text not null,
  token text not null,
  transfer_id text not null,
  amount text not null,
  most_cost text not null,
  decided_at bigint not null,
  outcome text not null
);
create index fronted_deliveries_by_time on fronted_deliveries (decided_at);
create index fronted_deliveries_by_outcome on fronted_deliveries (outcome, source_chain, chain_id);
