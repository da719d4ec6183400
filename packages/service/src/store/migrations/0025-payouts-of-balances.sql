-- The claimable balance that a payout takes in its own transaction and pays on; null for one from the vault's own balance.
alter table payouts add column claims text;
