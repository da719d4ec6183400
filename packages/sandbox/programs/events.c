// SPDX-License-Identifier: Apache-2.0
// Events as Anchor's `emit_cpi!` makes them: the program calls itself, and an address that only it can sign for signs.

/// sha256("anchor:event"), the first 8 bytes.
static const u64 EVENT_TAG = 0x1d9acb512ea545e4;
static const u8 EVENT_SEED[17] = "__event_authority";

static u64 find_event_authority(const Key *program, Key *address, u8 *bump) {
  Slice seed = {EVENT_SEED, sizeof(EVENT_SEED)};
  return sol_try_find_program_address(&seed, 1, program, address, bump);
}

/// Begins an event of the type.
static void begin_event(Writer *writer, u64 type) {
  write_u64(writer, EVENT_TAG);
  write_u64(writer, type);
}

static u64 emit(Call *call, const Writer *event) {
  Key authority;
  u8 bump;
  TRY(find_event_authority(call->program, &authority, &bump));
  Slice seeds[2] = {{EVENT_SEED, sizeof(EVENT_SEED)}, {&bump, 1}};
  Signer signer = {seeds, 2};
  Role role = {&authority, false, true};
  Instruction instruction = {call->program, &role, 1, event->start, event->length};
  return invoke(call, &instruction, &signer);
}

/// The program's call of itself. Only an event of its own has the signature.
static u64 accept_event(const Call *call) {
  Key authority;
  u8 bump;
  TRY(find_event_authority(call->program, &authority, &bump));
  REQUIRE(call->account_count == 1 && is_same(call->accounts[0].key, &authority), WRONG_PARTY);
  REQUIRE(call->accounts[0].is_signer, MISSING_SIGNATURE);
  return OK;
}
