// SPDX-License-Identifier: Apache-2.0
// Tokens of SPL Token and Token-2022: which ones are accepted, where they are kept, and how they move.

static const Key TOKEN_PROGRAM = {
    {0x93a165d7e1f6dd06, 0xac79ebce46e1cbd9, 0x91375b5fed85b41c, 0xa900ff7e85f58c3a}};
static const Key TOKEN_2022_PROGRAM = {
    {0xde8f75eee1f6dd06, 0xdacd6ce4bc5d4218, 0x270db9834dfc1ab6, 0xfc8ba1d828f9bdfe}};
static const Key ASSOCIATED_TOKEN_PROGRAM = {
    {0xf189244e8f25978c, 0x830d8e1429103dbb, 0x8410ffda99135a0b, 0x59f8e9dbd87b8e04}};

enum { TRANSFER_CHECKED = 12, CLOSE_ACCOUNT = 9, CREATE_IDEMPOTENT = 1 };
/// Places in a mint and in a token account. Source: SPL Token, state.rs.
enum { MINT_DECIMALS = 44, MINT_BYTES = 82, ACCOUNT_OWNER = 32, ACCOUNT_AMOUNT = 64, ACCOUNT_BYTES = 165 };
/// A longer mint of Token-2022 has the type of account behind the size of an account, then extensions: a type and a length
/// of 16 bits each, then as many bytes. Source: Token-2022, extension/mod.rs.
enum { EXTENSIONS_START = 166, EXTENSION_HEAD = 4 };

/// The accounts of an order's tokens; `other` is where they come from or go to.
typedef struct {
  Account *vault;
  Account *other;
  Account *mint;
  Account *program;
} TokenAccounts;

/// The mint's owner is the given program, and it is SPL Token or Token-2022.
static u64 check_mint(const TokenAccounts *tokens) {
  const Key *program = tokens->program->key;
  REQUIRE(is_same(program, &TOKEN_PROGRAM) || is_same(program, &TOKEN_2022_PROGRAM), WRONG_PROGRAM);
  REQUIRE(is_same(tokens->mint->owner, program) && tokens->mint->data_length >= MINT_BYTES, WRONG_MINT);
  return OK;
}

/// Extensions that only describe a token: 18 to 23, pointers and contents of metadata and groups. Others change amounts,
/// take tokens from accounts, refuse transfers, or are not known here.
static bool is_harmless(u16 extension) { return extension >= 18 && extension <= 23; }

/// Accepts a mint without extensions, or with harmless ones. A mint gets its other extensions before it is initialised.
static u64 check_extensions(const Account *mint) {
  u64 position = EXTENSIONS_START;
  while (position + EXTENSION_HEAD <= mint->data_length) {
    u16 extension = *(const u16 *)(mint->data + position);
    if (extension == 0) return OK;
    REQUIRE(is_harmless(extension), UNSUPPORTED_EXTENSION);
    position += EXTENSION_HEAD + *(const u16 *)(mint->data + position + 2);
  }
  return OK;
}

/// The owner's associated token account.
static u64 find_associated(const Key *owner, const TokenAccounts *tokens, Key *address) {
  Slice seeds[3] = {{owner, sizeof(Key)}, {tokens->program->key, sizeof(Key)}, {tokens->mint->key, sizeof(Key)}};
  u8 bump;
  return sol_try_find_program_address(seeds, 3, &ASSOCIATED_TOKEN_PROGRAM, address, &bump);
}

/// The vault is the associated token account of the order's account.
static u64 check_vault(const Key *order, const TokenAccounts *tokens) {
  Key address;
  TRY(find_associated(order, tokens, &address));
  REQUIRE(is_same(tokens->vault->key, &address), WRONG_VAULT);
  return OK;
}

static u64 amount_in(const Account *account) { return *(const u64 *)(account->data + ACCOUNT_AMOUNT); }

/// Opens the owner's associated token account unless it is open; `funder` pays the rent and has signed this call.
static u64 open_associated(Call *call, const Account *funder, const Account *owner, const Account *account,
                           const TokenAccounts *tokens) {
  static const u8 data = CREATE_IDEMPOTENT;
  Role roles[6] = {
      {funder->key, true, true},        {account->key, true, false},       {owner->key, false, false},
      {tokens->mint->key, false, false}, {&SYSTEM_PROGRAM, false, false}, {tokens->program->key, false, false},
  };
  Instruction instruction = {&ASSOCIATED_TOKEN_PROGRAM, roles, 6, &data, 1};
  return invoke(call, &instruction, 0);
}

/// The data of a checked transfer.
typedef struct __attribute__((packed)) {
  u8 tag;
  u64 amount;
  u8 decimals;
} TransferData;

/// The depositor, who has signed this call, pays the amount into the vault.
static u64 collect_tokens(Call *call, const Account *depositor, const TokenAccounts *tokens, u64 amount) {
  TransferData data = {TRANSFER_CHECKED, amount, tokens->mint->data[MINT_DECIMALS]};
  Role roles[4] = {
      {tokens->other->key, true, false},
      {tokens->mint->key, false, false},
      {tokens->vault->key, true, false},
      {depositor->key, false, true},
  };
  Instruction instruction = {tokens->program->key, roles, 4, &data, sizeof(data)};
  return invoke(call, &instruction, 0);
}

/// Pays all tokens of the vault out, also those that strangers sent, because a vault with tokens cannot be closed.
static u64 empty_vault(Call *call, const Account *account, const Order *order, const TokenAccounts *tokens) {
  TransferData data = {TRANSFER_CHECKED, amount_in(tokens->vault), tokens->mint->data[MINT_DECIMALS]};
  Role roles[4] = {
      {tokens->vault->key, true, false},
      {tokens->mint->key, false, false},
      {tokens->other->key, true, false},
      {account->key, false, true},
  };
  Instruction instruction = {tokens->program->key, roles, 4, &data, sizeof(data)};
  return invoke_as_order(call, &instruction, &order->id, order->bump);
}

/// Closes the empty vault; its rent goes to the order's account.
static u64 close_vault(Call *call, const Account *account, const Order *order, const TokenAccounts *tokens) {
  static const u8 data = CLOSE_ACCOUNT;
  Role roles[3] = {{tokens->vault->key, true, false}, {account->key, true, false}, {account->key, false, true}};
  Instruction instruction = {tokens->program->key, roles, 3, &data, 1};
  return invoke_as_order(call, &instruction, &order->id, order->bump);
}
