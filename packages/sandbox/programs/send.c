// SPDX-License-Identifier: Apache-2.0
// `interchain_transfer`: a wallet sends tokens to another chain through the hub.

enum { TRANSFER_ACCOUNTS = 18 };
static const u64 INTERCHAIN_TRANSFER = 0xdc64e4873cf5c6d0;
static const u64 SENT_EVENT = 0x8a9034f044014260;
static const Slice HUB_CHAIN = {"axelar", 6};

/// What the sender asks for.
typedef struct {
  const Key *token_id;
  Slice chain;
  Slice address;
  u64 amount;
  u64 gas;
} Order;

static u64 read_order(Reader *data, Order *order) {
  TRY(read_key(data, &order->token_id));
  TRY(read_text(data, &order->chain));
  TRY(read_text(data, &order->address));
  TRY(read_u64(data, &order->amount));
  TRY(read_u64(data, &order->gas));
  TRY(read_none(data));
  TRY(read_none(data));
  return read_none(data);
}

static u64 emit_sent(Call *call, const Order *order, const Key *sender, const Key *account) {
  Writer event = open_writer(0);
  begin_event(&event, SENT_EVENT);
  write_key(&event, order->token_id);
  write_key(&event, sender);
  write_key(&event, account);
  write_text(&event, order->chain);
  write_text(&event, order->address);
  write_u64(&event, order->amount);
  write_u8(&event, 0);
  return emit(call, &event);
}

/// SendToHub with a transfer, as the hub's translator decodes it.
static Writer write_payload(const Order *order, const Key *sender) {
  Writer payload = open_writer(1);
  write_u8(&payload, 0);
  write_text(&payload, order->chain);
  write_u8(&payload, 0);
  write_key(&payload, order->token_id);
  write_text(&payload, (Slice){sender, sizeof(Key)});
  write_text(&payload, order->address);
  write_u64(&payload, order->amount);
  write_u8(&payload, 0);
  return payload;
}

static u64 pay_for_gas(Call *call, const Order *order, Slice hub, Slice payload) {
  const Account *accounts = call->accounts;
  Key hash;
  TRY(sol_keccak256(&payload, 1, (u8 *)&hash));
  Writer data = open_writer(2);
  write_u64(&data, PAY_GAS);
  write_text(&data, HUB_CHAIN);
  write_text(&data, hub);
  write_key(&data, &hash);
  write_u64(&data, order->gas);
  write_key(&data, accounts[0].key);
  Role roles[5] = {{accounts[0].key, true, true},
                   {accounts[6].key, true, false},
                   {accounts[15].key, false, false},
                   {accounts[8].key, false, false},
                   {accounts[7].key, false, false}};
  Instruction instruction = {accounts[7].key, roles, 5, data.start, data.length};
  return invoke(call, &instruction, 0);
}

static u64 call_gateway(Call *call, Slice hub, Slice payload) {
  const Account *accounts = call->accounts;
  Slice seeds[2] = {{CALL_CONTRACT_SEED, sizeof(CALL_CONTRACT_SEED)}, {0, 1}};
  Key signing;
  u8 bump;
  TRY(sol_try_find_program_address(seeds, 1, call->program, &signing, &bump));
  REQUIRE(is_same(&signing, accounts[5].key), WRONG_PARTY);
  seeds[1].bytes = &bump;
  Signer signer = {seeds, 2};
  Writer data = open_writer(3);
  write_u64(&data, CALL_CONTRACT);
  write_text(&data, HUB_CHAIN);
  write_text(&data, hub);
  write_text(&data, payload);
  write_u8(&data, bump);
  Role roles[5] = {{accounts[17].key, false, false},
                   {accounts[5].key, false, true},
                   {accounts[2].key, false, false},
                   {accounts[3].key, false, false},
                   {accounts[4].key, false, false}};
  Instruction instruction = {accounts[4].key, roles, 5, data.start, data.length};
  return invoke(call, &instruction, &signer);
}

/// Accounts: 0 payer (signer, writable), 1 sender (signer), 2 gateway's root, 3 gateway's event authority, 4 gateway, 5 signing
/// address, 6 gas treasury (writable), 7 gas service, 8 its event authority, 9 root, 10 token manager (writable), 11 token
/// program, 12 mint (writable), 13 sender's account (writable), 14 token manager's account (writable), 15 system program,
/// 16 event authority, 17 this program.
static u64 interchain_transfer(Call *call, Reader *data) {
  REQUIRE(call->account_count == TRANSFER_ACCOUNTS, WRONG_ACCOUNT_COUNT);
  const Account *accounts = call->accounts;
  const Account *sender = &accounts[1], *account = &accounts[13];
  Parts parts = {&accounts[9], &accounts[10], &accounts[12], &accounts[14], &accounts[11]};
  Order order;
  Root root;
  TRY(read_order(data, &order));
  REQUIRE(order.amount != 0 && order.address.length != 0, ZERO_AMOUNT);
  REQUIRE(accounts[0].is_signer && sender->is_signer, MISSING_SIGNATURE);
  REQUIRE(is_same(sender->owner, &SYSTEM_PROGRAM), WRONG_PARTY);
  TRY(read_root(call, parts.root, &root));
  TRY(check_trusted(&root, order.chain));
  TRY(check_parts(call, &parts, order.token_id));
  TRY(move_tokens(call, &parts, account, parts.held, sender, order.amount));
  TRY(track_flow(&parts, order.amount, false));
  TRY(emit_sent(call, &order, sender->key, account->key));
  Writer payload = write_payload(&order, sender->key);
  if (order.gas > 0) TRY(pay_for_gas(call, &order, root.hub, written(&payload)));
  return call_gateway(call, root.hub, written(&payload));
}
