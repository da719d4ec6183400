create index payments_by_block on payments (chain_id, block_number, tx_hash, payment_position);
