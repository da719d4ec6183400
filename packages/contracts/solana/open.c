// SPDX-License-Identifier: Apache-2.0
// open: the depositor's funds go into escrow.
//
// Accounts: 0 depositor (signer, writable), 1 payer of the rent (signer, writable), 2 order (writable), 3 system program;
// for tokens also 4 source (writable), 5 vault (writable), 6 mint, 7 token program, 8 associated token program.

enum { OPEN_SOL_ACCOUNTS = 4, OPEN_TOKEN_ACCOUNTS = 9, MAXIMUM_ESCROW_SECONDS = 30 * 24 * 3600 };
enum { SYSTEM_ASSIGN = 1, SYSTEM_TRANSFER = 2, SYSTEM_ALLOCATE = 8, ACCOUNT_OVERHEAD_BYTES = 128 };

/// The bits of 1.0 and 2.0: clusters have either, depending on whether the factor is part of the price per byte.
static const u64 ONE_BITS = 0x3ff0000000000000, TWO_BITS = 0x4000000000000000;

/// The lamports that an order's account needs.
static u64 order_rent(u64 *lamports) {
  Rent rent;
  TRY(sol_get_rent_sysvar(&rent));
  REQUIRE(rent.threshold_bits == ONE_BITS || rent.threshold_bits == TWO_BITS, UNSUPPORTED_RENT);
  u64 years = rent.threshold_bits == TWO_BITS ? 2 : 1;
  *lamports = (ACCOUNT_OVERHEAD_BYTES + sizeof(Order)) * rent.lamports_per_byte * years;
  return OK;
}

static u64 transfer_lamports(Call *call, const Account *from, const Account *to, u64 amount) {
  struct __attribute__((packed)) {
    u32 tag;
    u64 amount;
  } data = {SYSTEM_TRANSFER, amount};
  Role roles[2] = {{from->key, true, true}, {to->key, true, false}};
  Instruction instruction = {&SYSTEM_PROGRAM, roles, 2, &data, sizeof(data)};
  return invoke(call, &instruction, 0);
}

/// Gives the account its size and its owner. The system program's own way to create an account fails once somebody sent a
/// lamport to its address.
static u64 allocate_order(Call *call, const Account *account, const Key *id, u8 bump) {
  struct __attribute__((packed)) {
    u32 tag;
    u64 size;
  } allocate = {SYSTEM_ALLOCATE, sizeof(Order)};
  struct __attribute__((packed)) {
    u32 tag;
    Key owner;
  } assign = {SYSTEM_ASSIGN, *call->program};
  Role role = {account->key, true, true};
  Instruction first = {&SYSTEM_PROGRAM, &role, 1, &allocate, sizeof(allocate)};
  TRY(invoke_as_order(call, &first, id, bump));
  Instruction second = {&SYSTEM_PROGRAM, &role, 1, &assign, sizeof(assign)};
  return invoke_as_order(call, &second, id, bump);
}

/// An order can be opened until `open_deadline` and closed only after it, so that no order is ever opened twice.
static u64 check_terms(const OpenData *data) {
  i64 now;
  TRY(read_time(&now));
  REQUIRE(now <= data->open_deadline, OPEN_DEADLINE_PASSED);
  REQUIRE(data->open_deadline <= data->fill_deadline && data->fill_deadline < data->refund_after &&
              data->refund_after <= now + MAXIMUM_ESCROW_SECONDS,
          INVALID_DEADLINES);
  REQUIRE(data->input_amount != 0, ZERO_AMOUNT);
  Key attester;
  write_address(&attester, data->attester);
  REQUIRE(!is_same(&data->solver, &ZERO_KEY) && !is_same(&attester, &ZERO_KEY), WRONG_PARTY);
  return OK;
}

static void write_order(const Call *call, const OpenData *data, const Key *mint, const Key *id, u8 bump) {
  Order *order = (Order *)call->accounts[2].data;
  order->status = OPEN;
  order->bump = bump;
  order->open_deadline = data->open_deadline;
  order->refund_after = data->refund_after;
  for (u64 index = 0; index < sizeof(order->attester); index += 1) order->attester[index] = data->attester[index];
  order->amount = data->input_amount;
  order->id = *id;
  order->depositor = *call->accounts[0].key;
  order->payer = *call->accounts[1].key;
  order->mint = *mint;
  order->solver = data->solver;
}

/// Creates the order's account at the address that follows from the order's terms. The rent is paid in full even where
/// strangers sent lamports to the address, because a SOL order keeps its amount in the same account.
static u64 create_order(Call *call, const OpenData *data, const Key *mint) {
  const Account *payer = &call->accounts[1], *account = &call->accounts[2];
  Key id, address;
  u8 bump;
  TRY(hash_order(data, call->program, call->accounts[0].key, mint, &id));
  TRY(find_order(&id, call->program, &address, &bump));
  REQUIRE(is_same(account->key, &address), WRONG_ORDER);
  REQUIRE(is_same(account->owner, &SYSTEM_PROGRAM), ORDER_EXISTS);
  u64 rent;
  TRY(order_rent(&rent));
  TRY(transfer_lamports(call, payer, account, rent));
  TRY(allocate_order(call, account, &id, bump));
  write_order(call, data, mint, &id, bump);
  return OK;
}

/// Opens the vault and collects the tokens. The vault must receive exactly the amount.
static u64 deposit_tokens(Call *call, u64 amount) {
  Account *accounts = call->accounts;
  const Account *depositor = &accounts[0], *payer = &accounts[1], *order = &accounts[2];
  TokenAccounts tokens = {.other = &accounts[4], .vault = &accounts[5], .mint = &accounts[6], .program = &accounts[7]};
  REQUIRE(is_same(accounts[8].key, &ASSOCIATED_TOKEN_PROGRAM), WRONG_PROGRAM);
  TRY(check_mint(&tokens));
  TRY(check_extensions(tokens.mint));
  TRY(check_vault(order->key, &tokens));
  TRY(open_associated(call, payer, order, tokens.vault, &tokens));
  u64 before = amount_in(tokens.vault);
  TRY(collect_tokens(call, depositor, &tokens, amount));
  REQUIRE(amount_in(tokens.vault) - before == amount, WRONG_DEPOSIT);
  return OK;
}

static u64 open(Call *call) {
  const OpenData *data = (const OpenData *)call->data;
  REQUIRE(call->data_length == sizeof(OpenData), INVALID_INSTRUCTION);
  bool is_sol = call->account_count == OPEN_SOL_ACCOUNTS;
  REQUIRE(is_sol || call->account_count == OPEN_TOKEN_ACCOUNTS, WRONG_ACCOUNT_COUNT);
  const Account *depositor = &call->accounts[0], *payer = &call->accounts[1];
  REQUIRE(depositor->is_signer && payer->is_signer, MISSING_SIGNATURE);
  REQUIRE(is_same(call->accounts[3].key, &SYSTEM_PROGRAM), WRONG_PROGRAM);
  TRY(check_terms(data));
  TRY(create_order(call, data, is_sol ? &ZERO_KEY : call->accounts[6].key));
  if (is_sol) return transfer_lamports(call, depositor, &call->accounts[2], data->input_amount);
  return deposit_tokens(call, data->input_amount);
}
