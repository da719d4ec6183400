// SPDX-License-Identifier: Apache-2.0
// close: after the end of an order anybody has the rent returned.
//
// Accounts: 0 order (writable), 1 payer of the rent (writable).

enum { CLOSE_ACCOUNTS = 2 };

typedef struct {
  u64 tag;
} CloseData;

/// Pays all lamports out, and leaves an empty account of the system program, so that lamports which arrive later in the
/// same transaction do not bring the order back.
static void erase(const Account *account, const Account *payer) {
  *payer->lamports += *account->lamports;
  *account->lamports = 0;
  *(u64 *)(account->data - 8) = 0;
  *account->owner = SYSTEM_PROGRAM;
}

static u64 close(Call *call) {
  REQUIRE(call->data_length == sizeof(CloseData), INVALID_INSTRUCTION);
  REQUIRE(call->account_count == CLOSE_ACCOUNTS, WRONG_ACCOUNT_COUNT);
  const Account *account = &call->accounts[0], *payer = &call->accounts[1];
  Order *order;
  TRY(read_order(call, account, &order));
  REQUIRE(is_same(payer->key, &order->payer), WRONG_PARTY);
  i64 now;
  TRY(read_time(&now));
  REQUIRE(order->status != OPEN && now > order->open_deadline, CLOSE_TOO_EARLY);
  erase(account, payer);
  return OK;
}
