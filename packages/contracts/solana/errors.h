// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What the program refuses with: `Custom(n)` in Solana's terms. The numbers begin beyond those of the token programs.
enum {
  OK = 0,
  INVALID_INSTRUCTION = 6000,
  WRONG_ACCOUNT_COUNT = 6001,
  MISSING_SIGNATURE = 6002,
  WRONG_PROGRAM = 6003,
  WRONG_ORDER = 6004,
  ORDER_EXISTS = 6005,
  ORDER_NOT_OPEN = 6006,
  WRONG_PARTY = 6007,
  ZERO_AMOUNT = 6008,
  INVALID_DEADLINES = 6009,
  OPEN_DEADLINE_PASSED = 6010,
  WRONG_MINT = 6011,
  UNSUPPORTED_EXTENSION = 6012,
  WRONG_VAULT = 6013,
  WRONG_DEPOSIT = 6014,
  WRONG_DESTINATION = 6015,
  NOT_ATTESTED = 6016,
  REFUND_TOO_EARLY = 6017,
  CLOSE_TOO_EARLY = 6018,
  UNSUPPORTED_RENT = 6019,
};

/// Returns the error of a step that fails.
#define TRY(step)                 \
  do {                            \
    u64 error = (step);           \
    if (error != OK) return error; \
  } while (false)

/// Returns the error unless the condition holds.
#define REQUIRE(condition, error) \
  do {                            \
    if (!(condition)) return error; \
  } while (false)
