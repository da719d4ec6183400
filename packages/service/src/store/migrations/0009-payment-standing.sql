-- Whether every endpoint of its chain was asked about a payment after it was stored: stored, then confirmed, or void if
-- none of them has it. Payments of earlier versions count as confirmed.
alter table payments add column standing text not null default 'stored' check (standing in ('stored', 'confirmed', 'void'));
update payments set standing = 'confirmed';

create index unconfirmed_payments on payments (chain_id, block_number, tx_hash, payment_position) where standing = 'stored';
