-- The message that a transfer owns: one message belongs to one quote.
alter table transfers add column owned_message_id text /*postgres collate "C" */;
update transfers set owned_message_id = message_id where message_id <> ''
  and body not like '{"state":"AWAITING_DEPOSIT"%'
  and not exists (select 1 from transfers earlier where earlier.message_id = transfers.message_id
    and earlier.quote_id < transfers.quote_id and earlier.body not like '{"state":"AWAITING_DEPOSIT"%');
create unique index owned_messages on transfers (owned_message_id);
