// SPDX-License-Identifier: Apache-2.0
// `execute`: the relayer brings a message of the hub. It stands for the gateway's verifiers, too: what it brings is
// approved, each message once.

enum { EXECUTE_ACCOUNTS = 18, SYSTEM_CREATE_ACCOUNT = 0, CREATE_IDEMPOTENT = 1, EXECUTED_LAMPORTS = 890880 + 6960 };
static const u64 EXECUTE = 0x1dbdc10d9af2dd82;
static const u64 RECEIVED_EVENT = 0xd00145998bb2c9af;
static const u8 MESSAGE_SEED[16] = "incoming message";

/// A transfer that the hub delivers.
typedef struct {
  Key command;
  Slice source_chain;
  Slice source_address;
  const Key *token_id;
  const Key *destination;
  u64 amount;
} Transfer;

/// The hub's message as the gateway knows it.
typedef struct {
  Slice chain;
  Slice id;
  Slice sender;
  const Key *payload_hash;
} Message;

static u64 read_message(Reader *data, Message *message) {
  Slice skipped;
  TRY(read_text(data, &message->chain));
  TRY(read_text(data, &message->id));
  TRY(read_text(data, &message->sender));
  TRY(read_text(data, &skipped));
  TRY(read_text(data, &skipped));
  return read_key(data, &message->payload_hash);
}

static u64 read_transfer(Slice payload, Transfer *transfer) {
  Reader reader = {payload.bytes, (const u8 *)payload.bytes + payload.length};
  u8 outer, inner;
  Slice destination;
  TRY(read_u8(&reader, &outer));
  TRY(read_text(&reader, &transfer->source_chain));
  TRY(read_u8(&reader, &inner));
  REQUIRE(outer == 1 && inner == 0, INVALID_INSTRUCTION);
  TRY(read_key(&reader, &transfer->token_id));
  TRY(read_text(&reader, &transfer->source_address));
  TRY(read_text(&reader, &destination));
  REQUIRE(destination.length == sizeof(Key), INVALID_INSTRUCTION);
  transfer->destination = destination.bytes;
  TRY(read_u64(&reader, &transfer->amount));
  return read_none(&reader);
}

/// The id of the command: Keccak-256 of the chain, a hyphen and the message's id.
static u64 hash_command(const Message *message, Key *command) {
  Slice parts[3] = {message->chain, {"-", 1}, message->id};
  return sol_keccak256(parts, 3, (u8 *)command);
}

/// Opens the account that stands for an executed message; it can be opened once.
static u64 mark_executed(Call *call, const Account *payer, const Account *account, const Key *command) {
  Slice seeds[3] = {{MESSAGE_SEED, sizeof(MESSAGE_SEED)}, {command, sizeof(Key)}, {0, 1}};
  Key expected;
  u8 bump;
  TRY(sol_try_find_program_address(seeds, 2, call->program, &expected, &bump));
  REQUIRE(is_same(account->key, &expected), WRONG_ORDER);
  REQUIRE(is_same(account->owner, &SYSTEM_PROGRAM), ORDER_EXISTS);
  struct __attribute__((packed)) {
    u32 tag;
    u64 lamports;
    u64 size;
    Key owner;
  } data = {SYSTEM_CREATE_ACCOUNT, EXECUTED_LAMPORTS, 1, *call->program};
  seeds[2].bytes = &bump;
  Signer signer = {seeds, 3};
  Role roles[2] = {{payer->key, true, true}, {account->key, true, true}};
  Instruction instruction = {&SYSTEM_PROGRAM, roles, 2, &data, sizeof(data)};
  return invoke(call, &instruction, &signer);
}

static u64 open_account(Call *call, const Account *payer, const Account *owner, const Account *account,
                        const Parts *parts, const Key *associated_program) {
  static const u8 data = CREATE_IDEMPOTENT;
  Role roles[6] = {{payer->key, true, true},          {account->key, true, false},     {owner->key, false, false},
                   {parts->mint->key, false, false}, {&SYSTEM_PROGRAM, false, false}, {parts->program->key, false, false}};
  Instruction instruction = {associated_program, roles, 6, &data, 1};
  return invoke(call, &instruction, 0);
}

static u64 emit_received(Call *call, const Transfer *transfer, const Key *account) {
  Writer event = open_writer(0);
  begin_event(&event, RECEIVED_EVENT);
  write_key(&event, &transfer->command);
  write_key(&event, transfer->token_id);
  write_text(&event, transfer->source_chain);
  write_text(&event, transfer->source_address);
  write_key(&event, transfer->destination);
  write_key(&event, account);
  write_u64(&event, transfer->amount);
  write_u8(&event, 0);
  return emit(call, &event);
}

/// Accounts: 0 incoming message (writable), 1 its signing address, 2 gateway's root, 3 gateway's event authority, 4 gateway,
/// 5 payer (signer, writable), 6 root, 7 token manager (writable), 8 mint (writable), 9 token manager's account (writable),
/// 10 token program, 11 associated token program, 12 system program, 13 event authority, 14 this program, 15 recipient,
/// 16 owner of the recipient's account, 17 recipient's account (writable).
static u64 execute(Call *call, Reader *data) {
  REQUIRE(call->account_count == EXECUTE_ACCOUNTS, WRONG_ACCOUNT_COUNT);
  const Account *accounts = call->accounts;
  const Account *payer = &accounts[5], *recipient = &accounts[15], *account = &accounts[17];
  Parts parts = {&accounts[6], &accounts[7], &accounts[8], &accounts[9], &accounts[10]};
  Message message;
  Transfer transfer;
  Slice payload;
  Root root;
  Key hash;
  TRY(read_message(data, &message));
  TRY(read_text(data, &payload));
  REQUIRE(payer->is_signer && is_same(payer->key, &RELAYER), MISSING_SIGNATURE);
  TRY(sol_keccak256(&payload, 1, (u8 *)&hash));
  REQUIRE(is_same(&hash, message.payload_hash), INVALID_INSTRUCTION);
  TRY(read_transfer(payload, &transfer));
  TRY(read_root(call, parts.root, &root));
  REQUIRE(is_same_text(root.hub, message.sender), WRONG_PARTY);
  TRY(check_trusted(&root, transfer.source_chain));
  TRY(check_parts(call, &parts, transfer.token_id));
  TRY(hash_command(&message, &transfer.command));
  TRY(mark_executed(call, payer, &accounts[0], &transfer.command));
  REQUIRE(transfer.amount != 0, ZERO_AMOUNT);
  REQUIRE(is_same(recipient->key, transfer.destination) && is_same(accounts[16].key, recipient->key), WRONG_DESTINATION);
  TRY(open_account(call, payer, recipient, account, &parts, accounts[11].key));
  REQUIRE(is_same((const Key *)(account->data + ACCOUNT_OWNER), recipient->key), WRONG_DESTINATION);
  TRY(track_flow(&parts, transfer.amount, true));
  TRY(move_tokens(call, &parts, parts.held, account, parts.manager, transfer.amount));
  return emit_received(call, &transfer, account->key);
}
