// SPDX-License-Identifier: Apache-2.0
// The order's account, its address and the hash that identifies the order.

enum { NONE = 0, OPEN = 1, RELEASED = 2, REFUNDED = 3 };

/// The data of an order's account. Seconds since 1970, amounts in base units, numbers little-endian.
typedef struct {
  u8 status;
  u8 bump;
  u16 unused;
  u32 open_deadline;
  u32 refund_after;
  u8 attester[20];
  u64 amount;
  Key id;
  Key depositor;
  /// Paid the rent and gets it back.
  Key payer;
  /// Zero is SOL.
  Key mint;
  Key solver;
} Order;

/// The data of `open`: the order without its depositor, settler and input token, which accounts tell.
typedef struct {
  u64 tag;
  Key salt;
  Key origin_chain;
  Key destination_chain;
  Key destination_settler;
  Key output_token;
  /// Big-endian, as it is hashed.
  Key output_amount;
  Key recipient;
  Key solver;
  Key filler;
  u64 recipient_tag;
  u64 input_amount;
  u32 open_deadline;
  u32 fill_deadline;
  u32 refund_after;
  u8 attester[20];
} OpenData;

_Static_assert(sizeof(Order) == 200, "the layout is documented");
_Static_assert(sizeof(OpenData) == 344, "the layout is documented");

// EIP-712, as settlers/AttestedOrder.sol declares it.
static const Key ORDER_TYPE = {{0x4adb35c769feaa38, 0x83bbcf9c12aaf112, 0x956d697d8b8367cf, 0x1c657aab709792f2}};
static const Key ORDER_DOMAIN = {{0x9b9f9fd4232856e8, 0x711b64e23146b807, 0x4d11a14ac6ada6da, 0xb393d80b75fb8063}};

enum { ORDER_WORDS = 22 };

/// An integer as a word of EIP-712: 32 bytes, big-endian.
static void write_integer(Key *word, u64 value) {
  *word = ZERO_KEY;
  word->words[3] = __builtin_bswap64(value);
}

/// An EVM address as a word of EIP-712: 12 zero bytes, then the address.
static void write_address(Key *word, const u8 *address) {
  *word = ZERO_KEY;
  for (u64 index = 0; index < 20; index += 1) ((u8 *)word)[12 + index] = address[index];
}

/// Keccak-256 of the words.
static u64 hash_words(const Key *words, u64 count, Key *hash) {
  Slice slice = {words, count * sizeof(Key)};
  return sol_keccak256(&slice, 1, (u8 *)hash);
}

/// What EIP-712 signs: Keccak-256 of 0x1901, the domain and the hash of the struct.
static u64 hash_typed(const Key *domain, const Key *struct_hash, Key *hash) {
  static const u8 PREFIX[2] = {0x19, 0x01};
  Slice slices[3] = {{PREFIX, sizeof(PREFIX)}, {domain, sizeof(Key)}, {struct_hash, sizeof(Key)}};
  return sol_keccak256(slices, 3, (u8 *)hash);
}

/// The order's identifier: the same as on EVM chains. It covers every term, both chains and this program. Its filler alone
/// fills until the fill deadline, and no integrator earns a fee: an order with other terms has another identifier.
static u64 hash_order(const OpenData *order, const Key *program, const Key *depositor, const Key *mint, Key *id) {
  Key words[ORDER_WORDS];
  words[0] = ORDER_TYPE;
  words[1] = order->salt;
  words[2] = order->origin_chain;
  words[3] = *program;
  words[4] = *depositor;
  words[5] = *mint;
  write_integer(&words[6], order->input_amount);
  words[7] = order->destination_chain;
  words[8] = order->destination_settler;
  words[9] = order->output_token;
  words[10] = order->output_amount;
  words[11] = order->recipient;
  write_integer(&words[12], order->recipient_tag);
  words[13] = order->solver;
  words[14] = order->filler;
  write_integer(&words[15], order->open_deadline);
  write_integer(&words[16], order->fill_deadline);
  write_integer(&words[17], order->fill_deadline);
  write_integer(&words[18], order->refund_after);
  write_address(&words[19], order->attester);
  words[20] = ZERO_KEY;
  words[21] = ZERO_KEY;
  Key struct_hash;
  TRY(hash_words(words, ORDER_WORDS, &struct_hash));
  return hash_typed(&ORDER_DOMAIN, &struct_hash, id);
}

static const u8 ORDER_SEED[5] = {'o', 'r', 'd', 'e', 'r'};

/// The only address of an order: that with the highest bump.
static u64 find_order(const Key *id, const Key *program, Key *address, u8 *bump) {
  Slice seeds[2] = {{ORDER_SEED, sizeof(ORDER_SEED)}, {id, sizeof(Key)}};
  return sol_try_find_program_address(seeds, 2, program, address, bump);
}

/// The order in an account. Only this program writes accounts that it owns, and it creates them at orders' addresses only.
static u64 read_order(const Call *call, const Account *account, Order **order) {
  REQUIRE(is_same(account->owner, call->program) && account->data_length == sizeof(Order), WRONG_ORDER);
  *order = (Order *)account->data;
  REQUIRE((*order)->status != NONE, WRONG_ORDER);
  return OK;
}

/// Calls another program with the order's account as a signer.
static u64 invoke_as_order(Call *call, const Instruction *instruction, const Key *id, u8 bump) {
  Slice seeds[3] = {{ORDER_SEED, sizeof(ORDER_SEED)}, {id, sizeof(Key)}, {&bump, 1}};
  Signer signer = {seeds, 3};
  return invoke(call, instruction, &signer);
}
