-- The time of a cursor's block, and the hash of the first block of its chain.
alter table chain_cursors add column block_seconds bigint;
alter table chain_cursors add column genesis_hash text;
