// SPDX-License-Identifier: Apache-2.0
// release: anybody who has the attester's signature has the solver paid.
//
// Accounts: 0 order (writable), 1 solver (writable for SOL); for tokens also 2 vault (writable), 3 destination (writable),
// 4 mint, 5 token program.

enum { RELEASE_SOL_ACCOUNTS = 2, RELEASE_TOKEN_ACCOUNTS = 6 };

typedef struct {
  u64 tag;
  /// Names the transaction that filled the order.
  Key transaction;
  u8 signature[64];
  /// 0 or 1; EVM signatures have it as 27 or 28.
  u64 recovery;
} ReleaseData;

_Static_assert(sizeof(ReleaseData) == 112, "the layout is documented");

// EIP-712: Fill(bytes32 orderId,bytes32 repayTo,bytes32 transaction) under the domain "OpenRFQ Escrow", version "2". The
// domain names no chain and no program, because the order's identifier covers both.
static const Key FILL_TYPE = {{0x450b57a6f16d8a97, 0x15e1acf1f4ea1059, 0xf31bae055a45b53b, 0x4c3826a75e567380}};
static const Key FILL_DOMAIN = {{0x7b42c88aa4fdc8ef, 0x044a8b5366431f66, 0x4ff8e88687ef9772, 0xdf5948b8c58d728d}};

/// The attester of the order signed the fill, for the repayment of the order's solver. An order opens once, so its attestation is good for one release.
static u64 check_attestation(const Order *order, const ReleaseData *data) {
  Key words[4] = {FILL_TYPE, order->id, order->solver, data->transaction};
  Key struct_hash, digest;
  TRY(hash_words(words, 4, &struct_hash));
  TRY(hash_typed(&FILL_DOMAIN, &struct_hash, &digest));
  Key public_key[2], hash;
  u64 failure = sol_secp256k1_recover((const u8 *)&digest, data->recovery, data->signature, (u8 *)public_key);
  REQUIRE(failure == 0, NOT_ATTESTED);
  TRY(hash_words(public_key, 2, &hash));
  Key signer, attester;
  write_address(&signer, (const u8 *)&hash + 12);
  write_address(&attester, order->attester);
  REQUIRE(is_same(&signer, &attester), NOT_ATTESTED);
  return OK;
}

static u64 release(Call *call) {
  const ReleaseData *data = (const ReleaseData *)call->data;
  REQUIRE(call->data_length == sizeof(ReleaseData), INVALID_INSTRUCTION);
  REQUIRE(call->account_count >= RELEASE_SOL_ACCOUNTS, WRONG_ACCOUNT_COUNT);
  Account *accounts = call->accounts;
  const Account *account = &accounts[0], *solver = &accounts[1];
  Order *order;
  TRY(read_order(call, account, &order));
  REQUIRE(order->status == OPEN, ORDER_NOT_OPEN);
  bool is_sol = is_same(&order->mint, &ZERO_KEY);
  REQUIRE(call->account_count == (is_sol ? RELEASE_SOL_ACCOUNTS : RELEASE_TOKEN_ACCOUNTS), WRONG_ACCOUNT_COUNT);
  REQUIRE(is_same(solver->key, &order->solver), WRONG_PARTY);
  TRY(check_attestation(order, data));
  order->status = RELEASED;
  if (is_sol) {
    pay_lamports(account, solver, order->amount);
    return OK;
  }
  TokenAccounts tokens = {.vault = &accounts[2], .other = &accounts[3], .mint = &accounts[4], .program = &accounts[5]};
  TRY(check_tokens(account, order, &tokens));
  return pay_tokens(call, solver, &tokens);
}
