// SPDX-License-Identifier: Apache-2.0
// What the gateway and the gas service do for a message that leaves Solana.

enum { CALL_CONTRACT_ACCOUNTS = 5, PAY_GAS_ACCOUNTS = 5 };

/// sha256("global:call_contract"), sha256("global:pay_gas") and sha256("event:..."), the first 8 bytes.
static const u64 CALL_CONTRACT = 0xd3bc5c81825596b1, PAY_GAS = 0x03efe8bc08ae8c4e;
static const u64 CALL_CONTRACT_EVENT = 0xc6b562967e50d3d3, GAS_PAID_EVENT = 0xf8d42029ab16a1bf;
static const u8 CALL_CONTRACT_SEED[17] = "gtw-call-contract";

/// Accounts: 0 calling program, 1 its signing address (signer), 2 gateway's root, 3 event authority, 4 gateway.
static u64 call_contract(Call *call, Reader *data) {
  Slice chain, address, payload;
  TRY(read_text(data, &chain));
  TRY(read_text(data, &address));
  TRY(read_text(data, &payload));
  REQUIRE(call->account_count == CALL_CONTRACT_ACCOUNTS, WRONG_ACCOUNT_COUNT);
  Slice seed = {CALL_CONTRACT_SEED, sizeof(CALL_CONTRACT_SEED)};
  Key expected;
  u8 bump;
  TRY(sol_try_find_program_address(&seed, 1, call->accounts[0].key, &expected, &bump));
  REQUIRE(call->accounts[1].is_signer && is_same(call->accounts[1].key, &expected), MISSING_SIGNATURE);
  Key hash;
  TRY(sol_keccak256(&payload, 1, (u8 *)&hash));
  Writer event = open_writer(0);
  begin_event(&event, CALL_CONTRACT_EVENT);
  write_key(&event, call->accounts[0].key);
  write_key(&event, &hash);
  write_text(&event, chain);
  write_text(&event, address);
  write_text(&event, payload);
  return emit(call, &event);
}

/// Accounts: 0 payer (signer, writable), 1 treasury (writable), 2 system program, 3 event authority, 4 gas service.
static u64 pay_gas(Call *call, Reader *data) {
  Slice chain, address;
  const Key *hash, *refund;
  u64 amount;
  TRY(read_text(data, &chain));
  TRY(read_text(data, &address));
  TRY(read_key(data, &hash));
  TRY(read_u64(data, &amount));
  TRY(read_key(data, &refund));
  REQUIRE(call->account_count == PAY_GAS_ACCOUNTS, WRONG_ACCOUNT_COUNT);
  REQUIRE(amount != 0, ZERO_AMOUNT);
  REQUIRE(is_same(call->accounts[1].owner, call->program), WRONG_PARTY);
  struct __attribute__((packed)) {
    u32 tag;
    u64 amount;
  } transfer = {SYSTEM_TRANSFER, amount};
  Role roles[2] = {{call->accounts[0].key, true, true}, {call->accounts[1].key, true, false}};
  Instruction instruction = {&SYSTEM_PROGRAM, roles, 2, &transfer, sizeof(transfer)};
  TRY(invoke(call, &instruction, 0));
  Writer event = open_writer(0);
  begin_event(&event, GAS_PAID_EVENT);
  write_key(&event, call->accounts[0].key);
  write_text(&event, chain);
  write_text(&event, address);
  write_key(&event, hash);
  write_u64(&event, amount);
  write_key(&event, refund);
  write_u8(&event, 0);
  return emit(call, &event);
}
