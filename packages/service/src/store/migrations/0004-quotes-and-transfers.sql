-- One row per answer: its quotes have consecutive, time-ordered ids from first_quote_id to last_quote_id.
create table quote_answers (
  first_quote_id text /*postgres collate "C" */ not null primary key,
  last_quote_id text /*postgres collate "C" */ not null,
  created_at bigint not null,
  body text not null
);

create table transfers (
  quote_id text /*postgres collate "C" */ not null,
  message_id text /*postgres collate "C" */ not null,
  revision integer not null,
  is_open integer not null,
  body text not null,
  primary key (quote_id, message_id)
);

create index open_transfers on transfers (quote_id, message_id) where is_open = 1;
