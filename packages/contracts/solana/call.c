// SPDX-License-Identifier: Apache-2.0
// What the runtime hands to the program, and calls to other programs.

#ifndef MAXIMUM_ACCOUNTS
#define MAXIMUM_ACCOUNTS 10
#endif
enum { SPARE_BYTES = 10240, NOT_REPEATED = 0xff };

/// One call of the program. An account that is passed twice has the same pointers at both places.
typedef struct {
  Account accounts[MAXIMUM_ACCOUNTS];
  u64 account_count;
  const u8 *data;
  u64 data_length;
  const Key *program;
} Call;

static const Key ZERO_KEY = {{0, 0, 0, 0}};
/// The system program has the address zero, as has SOL among mints.
#define SYSTEM_PROGRAM ZERO_KEY

static bool is_same(const Key *a, const Key *b) {
  return a->words[0] == b->words[0] && a->words[1] == b->words[1] && a->words[2] == b->words[2] &&
         a->words[3] == b->words[3];
}

/// Reads the account at `input` and returns where the next one begins.
/// Layout: a byte, signer, writable, executable, 4 bytes, key, owner, lamports, length of data, data, spare bytes, padding
/// to 8, rent epoch. Source: Agave, program-runtime/src/serialization.rs.
static u8 *read_account(u8 *input, Account *account) {
  account->is_signer = input[1] != 0;
  account->is_writable = input[2] != 0;
  account->is_executable = input[3] != 0;
  account->key = (const Key *)(input + 8);
  account->owner = (Key *)(input + 40);
  account->lamports = (u64 *)(input + 72);
  account->data_length = *(u64 *)(input + 80);
  account->data = input + 88;
  u8 *end = account->data + ((account->data_length + SPARE_BYTES + 7) & ~7ull);
  account->rent_epoch = *(u64 *)end;
  return end + 8;
}

/// Reads the whole input. Layout: number of accounts, accounts, length of the data, data, the program's address; an
/// account that is passed again is the index of its first place in 8 bytes.
static u64 read_call(u8 *input, Call *call) {
  call->account_count = *(u64 *)input;
  REQUIRE(call->account_count <= MAXIMUM_ACCOUNTS, WRONG_ACCOUNT_COUNT);
  input += 8;
  for (u64 index = 0; index < call->account_count; index += 1) {
    if (*input == NOT_REPEATED) {
      input = read_account(input, &call->accounts[index]);
    } else {
      call->accounts[index] = call->accounts[*input];
      input += 8;
    }
  }
  call->data_length = *(u64 *)input;
  call->data = input + 8;
  call->program = (const Key *)(call->data + call->data_length);
  return OK;
}

/// Calls another program, which sees accounts of this call only. `signer` may be null. The runtime updates what the
/// pointers of the accounts lead to, and `data_length` in place.
static u64 invoke(Call *call, const Instruction *instruction, const Signer *signer) {
  return sol_invoke_signed_c(instruction, call->accounts, call->account_count, signer, signer ? 1 : 0);
}

/// The cluster's time in seconds since 1970.
static u64 read_time(i64 *seconds) {
  Clock clock;
  TRY(sol_get_clock_sysvar(&clock));
  *seconds = clock.unix_seconds;
  return OK;
}
