-- Who pays and who receives in the transfers that were seen, EVM addresses in lower case.
create table transfer_parties (
  account text /*postgres collate "C" */ not null,
  quote_id text /*postgres collate "C" */ not null,
  primary key (account, quote_id)
);
