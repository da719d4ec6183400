-- What is told to the operator's webhooks, one row for each webhook and change of a transfer's state, written with the change.
-- outcome is pending, accepted or abandoned; times are milliseconds, last_at is 0 before the first attempt. A later change
-- waits until those before it are no longer pending, so its next_at is never before theirs.
create table notifications (
  webhook text /*postgres collate "C" */ not null,
  event_id text /*postgres collate "C" */ not null,
  quote_id text /*postgres collate "C" */ not null,
  message_id text /*postgres collate "C" */ not null,
  revision integer not null,
  body text not null,
  created_at bigint not null,
  outcome text not null,
  attempts integer not null,
  next_at bigint not null,
  last_at bigint not null,
  last_result text not null,
  primary key (webhook, event_id)
);

create unique index notifications_of_transfers on notifications (webhook, quote_id, message_id, revision);
create index due_notifications on notifications (webhook, next_at) where outcome = 'pending';
create index listed_notifications on notifications (webhook, outcome, created_at, event_id);
create index aged_notifications on notifications (created_at);
