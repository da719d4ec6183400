// SPDX-License-Identifier: Apache-2.0
// Escrows deposits of intents on Solana, one account per order. Escrowed value leaves only to the order's solver, against
// the signature of the attester that the order names, or to its depositor. The program has no owner and no settings.
// README.md documents every instruction. One translation unit: the order of the files is that of their use.

#include "syscalls.h"
#include "errors.h"
#include "call.c"
#include "order.c"
#include "tokens.c"
#include "open.c"
#include "payout.c"
#include "release.c"
#include "refund.c"
#include "close.c"

/// Instructions begin with 8 bytes: their name, filled up with zeros.
static const u64 OPEN_TAG = 0x6e65706f, RELEASE_TAG = 0x657361656c6572, REFUND_TAG = 0x646e75666572,
                 CLOSE_TAG = 0x65736f6c63;

static u64 dispatch(Call *call) {
  REQUIRE(call->data_length >= sizeof(u64), INVALID_INSTRUCTION);
  u64 tag = *(const u64 *)call->data;
  if (tag == OPEN_TAG) return open(call);
  if (tag == RELEASE_TAG) return release(call);
  if (tag == REFUND_TAG) return refund(call);
  if (tag == CLOSE_TAG) return close(call);
  return INVALID_INSTRUCTION;
}

/// Called by the runtime; returns 0 or an error.
u64 entrypoint(u8 *input) {
  Call call;
  TRY(read_call(input, &call));
  return dispatch(&call);
}
