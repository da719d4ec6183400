// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What only these programs refuse with, beside the errors of the escrow program.
enum { PAUSED = 6100, UNTRUSTED_CHAIN = 6101, FLOW_LIMIT_EXCEEDED = 6102 };
