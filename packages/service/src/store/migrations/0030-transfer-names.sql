-- Whatever a transfer that was seen is found by: its accounts, hashes and message id, hex in lower case.
alter table transfer_parties rename to transfer_names;
alter table transfer_names rename column account to name;
