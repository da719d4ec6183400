// SPDX-License-Identifier: Apache-2.0
// The Interchain Token Service: its accounts, and how its tokens move.

enum { ROOT_START = 8, MANAGER_FLOW = 105, LOCK_UNLOCK = 2, EPOCH_SECONDS = 6 * 3600 };
static const Key TOKEN_PROGRAM = {
    {0x93a165d7e1f6dd06, 0xac79ebce46e1cbd9, 0x91375b5fed85b41c, 0xa900ff7e85f58c3a}};
static const u8 MANAGER_SEED[13] = "token-manager";

/// The root account: where the hub is, and which chains are trusted.
typedef struct {
  Slice hub;
  bool is_paused;
  Reader trusted;
} Root;

/// The data of a token manager up to the flow limit.
typedef struct __attribute__((packed)) {
  u64 discriminator;
  u8 type;
  Key token_id;
  Key mint;
  Key account;
  u8 has_limit;
} Manager;

_Static_assert(sizeof(Manager) == MANAGER_FLOW + 1, "the layout of Anchor");

/// The flow of a manager that has a limit.
typedef struct __attribute__((packed)) {
  u64 limit;
  u64 in;
  u64 out;
  u64 epoch;
  u8 bump;
} Flow;

/// The accounts that a transfer touches.
typedef struct {
  const Account *root;
  const Account *manager;
  const Account *mint;
  const Account *held;
  const Account *program;
} Parts;

static u64 read_root(const Call *call, const Account *account, Root *root) {
  REQUIRE(is_same(account->owner, call->program), WRONG_PARTY);
  Reader reader = {account->data + ROOT_START, account->data + account->data_length};
  Slice name;
  u8 paused;
  TRY(read_text(&reader, &root->hub));
  TRY(read_text(&reader, &name));
  TRY(read_u8(&reader, &paused));
  root->is_paused = paused != 0;
  root->trusted = reader;
  return OK;
}

static u64 check_trusted(const Root *root, Slice chain) {
  REQUIRE(!root->is_paused, PAUSED);
  Reader reader = root->trusted;
  const u8 *count;
  TRY(read_bytes(&reader, sizeof(u32), &count));
  for (u32 index = 0; index < *(const u32 *)count; index += 1) {
    Slice name;
    TRY(read_text(&reader, &name));
    if (is_same_text(name, chain)) return OK;
  }
  return UNTRUSTED_CHAIN;
}

static u64 check_parts(const Call *call, const Parts *parts, const Key *token_id) {
  const Manager *manager = (const Manager *)parts->manager->data;
  REQUIRE(is_same(parts->manager->owner, call->program), WRONG_PARTY);
  REQUIRE(is_same(&manager->token_id, token_id) && is_same(&manager->mint, parts->mint->key), WRONG_MINT);
  REQUIRE(manager->type == LOCK_UNLOCK && is_same(&manager->account, parts->held->key), WRONG_VAULT);
  REQUIRE(is_same(parts->program->key, &TOKEN_PROGRAM), WRONG_PROGRAM);
  return OK;
}

static u64 distance(u64 a, u64 b) { return a > b ? a - b : b - a; }

/// Counts a flow against the limit of six hours.
static u64 track_flow(const Parts *parts, u64 amount, bool is_in) {
  const Manager *manager = (const Manager *)parts->manager->data;
  if (manager->has_limit == 0) return OK;
  Flow *flow = (Flow *)(parts->manager->data + sizeof(Manager));
  i64 now;
  TRY(read_time(&now));
  u64 epoch = (u64)now / EPOCH_SECONDS;
  if (flow->epoch != epoch) {
    flow->in = 0;
    flow->out = 0;
    flow->epoch = epoch;
  }
  u64 *along = is_in ? &flow->in : &flow->out;
  u64 against = is_in ? flow->out : flow->in;
  REQUIRE(amount <= flow->limit && distance(*along + amount, against) <= flow->limit, FLOW_LIMIT_EXCEEDED);
  *along += amount;
  return OK;
}

/// The bump of a manager, its last byte.
static u8 bump_of(const Account *manager) { return manager->data[manager->data_length - 1]; }

/// Moves tokens between two accounts; the manager signs for its own.
static u64 move_tokens(Call *call, const Parts *parts, const Account *from, const Account *to, const Account *owner,
                       u64 amount) {
  const Manager *manager = (const Manager *)parts->manager->data;
  struct __attribute__((packed)) {
    u8 tag;
    u64 amount;
    u8 decimals;
  } data = {TRANSFER_CHECKED, amount, parts->mint->data[MINT_DECIMALS]};
  Role roles[4] = {{from->key, true, false},
                   {parts->mint->key, false, false},
                   {to->key, true, false},
                   {owner->key, false, true}};
  u8 bump = bump_of(parts->manager);
  Slice seeds[4] = {{MANAGER_SEED, sizeof(MANAGER_SEED)},
                    {parts->root->key, sizeof(Key)},
                    {&manager->token_id, sizeof(Key)},
                    {&bump, 1}};
  Signer signer = {seeds, 4};
  Instruction instruction = {parts->program->key, roles, 4, &data, sizeof(data)};
  return invoke(call, &instruction, owner == parts->manager ? &signer : 0);
}
