-- Orders of the escrow program that a solver fills, until their escrows are paid out: it releases them with the attester's
-- signature, for which it must hand the whole order over. fill_tx_hash is
-- null while the fill is among the solver's own payouts or transactions.
create table claims (
  order_id text /*postgres collate "C" */ not null primary key,
  body text not null,
  fill_tx_hash text
);
