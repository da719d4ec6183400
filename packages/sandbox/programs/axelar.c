// SPDX-License-Identifier: Apache-2.0
// Plays Axelar's gateway, gas service and Interchain Token Service on the sandbox's Solana, at the interface of
// axelar-amplifier-solana: one program, loaded at each of their addresses. Accounts, data and events are those of the originals.
// In place of verifiers stands the sandbox's relayer. Never deploy it.

#define MAXIMUM_ACCOUNTS 18
#include "../../contracts/solana/syscalls.h"
#include "../../contracts/solana/errors.h"
#include "../../contracts/solana/call.c"
#include "programs-errors.h"

enum { SYSTEM_TRANSFER = 2, TRANSFER_CHECKED = 12, MINT_DECIMALS = 44, ACCOUNT_OWNER = 32 };

/// The address of the sandbox's relayer on Solana.
static const Key RELAYER = {{0x5725ceedfbd7a275, 0xb7c4c3e05110476c, 0xe02fbfc48c91bbfa, 0x17a2e153326cf657}};

#include "borsh.c"
#include "events.c"
#include "gateway.c"
#include "token-service.c"
#include "receive.c"
#include "send.c"

static u64 dispatch(Call *call) {
  Reader data = {call->data, call->data + call->data_length};
  u64 name;
  TRY(read_u64(&data, &name));
  if (name == EVENT_TAG) return accept_event(call);
  if (name == EXECUTE) return execute(call, &data);
  if (name == INTERCHAIN_TRANSFER) return interchain_transfer(call, &data);
  if (name == CALL_CONTRACT) return call_contract(call, &data);
  if (name == PAY_GAS) return pay_gas(call, &data);
  return INVALID_INSTRUCTION;
}

/// Called by the runtime; returns 0 or an error.
u64 entrypoint(u8 *input) {
  Call *call = (Call *)(HEAP + 4 * HEAP_PART);
  TRY(read_call(input, call));
  return dispatch(call);
}
