// SPDX-License-Identifier: Apache-2.0
// The escrow is paid to the solver or to the depositor.

/// A payee that has not signed is paid into its associated token account, if it still owns it. One that has signed may
/// choose another account, as it must when the associated one is frozen or was given away.
static u64 check_destination(const Account *payee, const TokenAccounts *tokens) {
  REQUIRE(!is_same(tokens->other->key, tokens->vault->key), WRONG_DESTINATION);
  if (payee->is_signer) return OK;
  Key address;
  TRY(find_associated(payee->key, tokens, &address));
  REQUIRE(is_same(tokens->other->key, &address) && tokens->other->data_length >= ACCOUNT_BYTES &&
              is_same((const Key *)(tokens->other->data + ACCOUNT_OWNER), payee->key),
          WRONG_DESTINATION);
  return OK;
}

/// Checks what `pay_tokens` and the opening of the destination rely on.
static u64 check_tokens(const Account *account, const Order *order, const TokenAccounts *tokens) {
  REQUIRE(is_same(tokens->mint->key, &order->mint), WRONG_MINT);
  TRY(check_mint(tokens));
  return check_vault(account->key, tokens);
}

/// Pays the vault's tokens and closes it. `check_tokens` comes before.
static u64 pay_tokens(Call *call, const Account *payee, const TokenAccounts *tokens) {
  const Account *account = &call->accounts[0];
  const Order *order = (const Order *)account->data;
  TRY(check_destination(payee, tokens));
  TRY(empty_vault(call, account, order, tokens));
  return close_vault(call, account, order, tokens);
}

/// Pays the lamports of a SOL order. The rent stays for `close`.
static void pay_lamports(const Account *account, const Account *payee, u64 amount) {
  *account->lamports -= amount;
  *payee->lamports += amount;
}
