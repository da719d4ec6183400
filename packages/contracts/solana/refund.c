// SPDX-License-Identifier: Apache-2.0
// refund: after `refund_after` anybody, and before it the solver, has the depositor refunded.
//
// Accounts: 0 order (writable), 1 depositor (writable for SOL), 2 solver (signer before `refund_after`); for tokens also
// 3 vault (writable), 4 destination (writable), 5 mint, 6 token program, 7 caller (signer and writable where the
// destination has to be opened), 8 associated token program, 9 system program.

enum { REFUND_SOL_ACCOUNTS = 3, REFUND_TOKEN_ACCOUNTS = 10 };

typedef struct {
  u64 tag;
} RefundData;

static u64 check_due(const Order *order, const Account *solver) {
  REQUIRE(is_same(solver->key, &order->solver), WRONG_PARTY);
  if (solver->is_signer) return OK;
  i64 now;
  TRY(read_time(&now));
  REQUIRE(now > order->refund_after, REFUND_TOO_EARLY);
  return OK;
}

/// Opens the depositor's token account where it was closed. The caller pays its rent, and gets it back from the rent of the
/// order's account and of the vault, which is closed by then.
static u64 refund_tokens(Call *call, const Order *order) {
  Account *accounts = call->accounts;
  const Account *account = &accounts[0], *depositor = &accounts[1], *caller = &accounts[7];
  TokenAccounts tokens = {.vault = &accounts[3], .other = &accounts[4], .mint = &accounts[5], .program = &accounts[6]};
  TRY(check_tokens(account, order, &tokens));
  REQUIRE(is_same(accounts[8].key, &ASSOCIATED_TOKEN_PROGRAM), WRONG_PROGRAM);
  u64 spent = 0;
  if (tokens.other->data_length == 0) {
    u64 before = *caller->lamports;
    TRY(open_associated(call, caller, depositor, tokens.other, &tokens));
    spent = before - *caller->lamports;
  }
  TRY(pay_tokens(call, depositor, &tokens));
  *account->lamports -= spent;
  *caller->lamports += spent;
  return OK;
}

static u64 refund(Call *call) {
  REQUIRE(call->data_length == sizeof(RefundData), INVALID_INSTRUCTION);
  REQUIRE(call->account_count >= REFUND_SOL_ACCOUNTS, WRONG_ACCOUNT_COUNT);
  const Account *account = &call->accounts[0], *depositor = &call->accounts[1], *solver = &call->accounts[2];
  Order *order;
  TRY(read_order(call, account, &order));
  REQUIRE(order->status == OPEN, ORDER_NOT_OPEN);
  bool is_sol = is_same(&order->mint, &ZERO_KEY);
  REQUIRE(call->account_count == (is_sol ? REFUND_SOL_ACCOUNTS : REFUND_TOKEN_ACCOUNTS), WRONG_ACCOUNT_COUNT);
  REQUIRE(is_same(depositor->key, &order->depositor), WRONG_PARTY);
  TRY(check_due(order, solver));
  order->status = REFUNDED;
  if (!is_sol) return refund_tokens(call, order);
  pay_lamports(account, depositor, order->amount);
  return OK;
}
