-- A hash of an answer's terms, by which the answers of equal terms are found among those of a time.
alter table quote_answers add column terms_hash bigint;
create index answers_by_time on quote_answers (created_at, terms_hash);
