// SPDX-License-Identifier: Apache-2.0
// The types and the system calls that the program uses. A system call of sBPF v3 is a call of the Murmur3 hash of its name;
// link.ts computes the hashes from the names and refuses any other. Source: Agave, programs/bpf_loader/src/syscalls.
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;
typedef _Bool bool;
#define true 1
#define false 0

/// An address or another 32-byte value.
typedef struct {
  u64 words[4];
} Key;

/// Bytes in memory: a seed of an address, or a piece of what is hashed.
typedef struct {
  const void *bytes;
  u64 length;
} Slice;

/// The seeds of an address that signs a call.
typedef struct {
  const Slice *seeds;
  u64 count;
} Signer;

/// An account of this call. The pointers lead into the input, where the runtime reads changes.
typedef struct {
  const Key *key;
  u64 *lamports;
  u64 data_length;
  u8 *data;
  Key *owner;
  u64 rent_epoch;
  bool is_signer;
  bool is_writable;
  bool is_executable;
} Account;

/// An account of a call to another program.
typedef struct {
  const Key *key;
  bool is_writable;
  bool is_signer;
} Role;

/// A call to another program.
typedef struct {
  const Key *program;
  const Role *roles;
  u64 role_count;
  const void *data;
  u64 data_length;
} Instruction;

typedef struct {
  u64 slot;
  i64 epoch_start_seconds;
  u64 epoch;
  u64 leader_schedule_epoch;
  i64 unix_seconds;
} Clock;

/// `threshold_bits` are those of a 64-bit floating-point number, which the machine cannot compute with.
typedef struct {
  u64 lamports_per_byte;
  u64 threshold_bits;
  u64 burn_percent;
} Rent;

// Each returns 0 on success. A failed call to another program fails the transaction without returning.
static u64 (*const sol_invoke_signed_c)(const Instruction *, Account *, u64 account_count, const Signer *,
                                        u64 signer_count) = (void *)0xa22b9c85;
static u64 (*const sol_try_find_program_address)(const Slice *seeds, u64 count, const Key *program, Key *address,
                                                 u8 *bump) = (void *)0x48504a38;
static u64 (*const sol_keccak256)(const Slice *, u64 count, u8 *hash) = (void *)0xd7793abb;
static u64 (*const sol_secp256k1_recover)(const u8 *hash, u64 recovery, const u8 *signature,
                                          u8 *public_key) = (void *)0x17e40350;
static u64 (*const sol_get_clock_sysvar)(Clock *) = (void *)0xd56b5fe9;
static u64 (*const sol_get_rent_sysvar)(Rent *) = (void *)0xbf7188f6;
