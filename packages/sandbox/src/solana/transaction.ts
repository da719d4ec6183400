import { createHash } from 'node:crypto'
import {
  type Address,
  type Blockhash,
  blockhash,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from '@solana/kit'
import { encodeBase58 } from 'openrfq/base58'
import type { ReadAccount } from './account.ts'
import { toAddress } from './address-bytes.ts'
import { invalidParams } from './rpc-error.ts'

type Message = Exclude<CompiledTransactionMessage, { version: 1 }> & CompiledTransactionMessageWithLifetime

/** One instruction by indexes: its program and accounts in the transaction's account list, and its data. */
export type CompiledInstruction = {
  readonly programIndex: number
  readonly accountIndices: readonly number[]
  readonly bytes: Uint8Array
}

/** The accounts that a transaction loads from a lookup table. */
type TableLookup = {
  readonly table: Address
  readonly writableIndices: readonly number[]
  readonly readonlyIndices: readonly number[]
}

/** A decoded transaction; its first signature identifies it. */
export type SignedTransaction = {
  readonly wireBytes: Uint8Array
  readonly messageHash: string
  readonly version: 'legacy' | 0
  readonly signature: string
  readonly signatures: readonly string[]
  readonly blockhash: Blockhash
  readonly header: Message['header']
  readonly staticAccounts: readonly Address[]
  readonly instructions: readonly CompiledInstruction[]
  readonly lookups: readonly TableLookup[]
}

/** All accounts of a transaction in the order of its instructions' indexes, including those from lookup tables. */
export type TransactionAccounts = {
  readonly addresses: readonly Address[]
  readonly loaded: { readonly writable: readonly Address[]; readonly readonly: readonly Address[] }
  readonly isWritable: (index: number) => boolean
  readonly isSigner: (index: number) => boolean
}

/** Offset of the addresses in a lookup table. Source: solana-address-lookup-table-interface, LOOKUP_TABLE_META_SIZE. */
export const LOOKUP_TABLE_HEADER_BYTES = 56

/** The largest transaction in bytes: an IPv6 packet of 1280 without its headers. */
const MAX_WIRE_BYTES = 1232

const MESSAGE_VERSION_FLAG = 0x80

const decodeMessage = (bytes: Uint8Array): Message => {
  const message = getCompiledTransactionMessageDecoder().decode(bytes)
  if (message.version === 1) throw invalidParams('transaction version 1 is not supported')
  return message
}

const decodeFields = (message: Message) => ({
  version: message.version,
  blockhash: blockhash(message.lifetimeToken),
  header: message.header,
  staticAccounts: message.staticAccounts,
  instructions: message.instructions.map((instruction) => ({
    programIndex: instruction.programAddressIndex,
    accountIndices: instruction.accountIndices ?? [],
    bytes: Uint8Array.from(instruction.data ?? []),
  })),
  lookups: ('addressTableLookups' in message ? (message.addressTableLookups ?? []) : []).map((lookup) => ({
    table: lookup.lookupTableAddress,
    writableIndices: lookup.writableIndexes,
    readonlyIndices: lookup.readonlyIndexes,
  })),
})

/** Decodes a message without signatures; throws -32602 for malformed bytes. */
export const decodeTransactionMessage = (
  bytes: Uint8Array,
): Omit<SignedTransaction, 'wireBytes' | 'messageHash' | 'signature' | 'signatures'> => {
  try {
    return decodeFields(decodeMessage(bytes))
  } catch (cause) {
    throw invalidParams(`failed to deserialize the message: ${String(cause)}`)
  }
}

const readSignatures = (wireBytes: Uint8Array, messageBytes: Uint8Array): readonly string[] => {
  const count = wireBytes[0] ?? 0
  const end = wireBytes.length - messageBytes.length
  if (count === 0 || count >= MESSAGE_VERSION_FLAG || end !== 1 + count * 64)
    throw invalidParams('failed to deserialize the transaction: its signatures do not match their count')
  return Array.from({ length: count }, (_, index) =>
    encodeBase58(wireBytes.subarray(1 + index * 64, 65 + index * 64)),
  )
}

/** Decodes a transaction of at most 1232 bytes, legacy or version 0; throws -32602 otherwise. */
export const decodeTransaction = (wireBytes: Uint8Array): SignedTransaction => {
  if (wireBytes.length > MAX_WIRE_BYTES)
    throw invalidParams(
      `VersionedTransaction too large: ${wireBytes.length} bytes (max: encoded/raw 1644/${MAX_WIRE_BYTES})`,
    )
  try {
    const { messageBytes } = getTransactionDecoder().decode(wireBytes)
    const signatures = readSignatures(wireBytes, Uint8Array.from(messageBytes))
    return {
      ...decodeFields(decodeMessage(Uint8Array.from(messageBytes))),
      wireBytes,
      messageHash: createHash('sha256').update(Uint8Array.from(messageBytes)).digest('hex'),
      signature: signatures[0] ?? '',
      signatures,
    }
  } catch (cause) {
    throw invalidParams(`failed to deserialize the transaction: ${String(cause)}`)
  }
}

const isStaticWritable = ({
  header,
  staticAccounts,
}: Pick<SignedTransaction, 'header' | 'staticAccounts'>) => {
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = header
  return (index: number): boolean =>
    index < numSignerAccounts
      ? index < numSignerAccounts - numReadonlySignerAccounts
      : index < staticAccounts.length - numReadonlyNonSignerAccounts
}

const lookUp = (table: Address, indices: readonly number[], read: ReadAccount): readonly Address[] => {
  const bytes = read(table)?.bytes ?? new Uint8Array()
  return indices.flatMap((index) => {
    const start = LOOKUP_TABLE_HEADER_BYTES + index * 32
    const entry = bytes.subarray(start, start + 32)
    return entry.length === 32 ? [toAddress(entry)] : []
  })
}

/**
 * Resolves a transaction's accounts. Missing lookup table entries are left out, and the VM rejects the transaction with
 * its own error.
 */
export const resolveAccounts = (
  transaction: Pick<SignedTransaction, 'header' | 'staticAccounts' | 'lookups'>,
  read: ReadAccount,
): TransactionAccounts => {
  const { staticAccounts, lookups, header } = transaction
  const writable = lookups.flatMap((lookup) => lookUp(lookup.table, lookup.writableIndices, read))
  const readonly = lookups.flatMap((lookup) => lookUp(lookup.table, lookup.readonlyIndices, read))
  const staticWritable = isStaticWritable(transaction)
  return {
    addresses: [...staticAccounts, ...writable, ...readonly],
    loaded: { writable, readonly },
    isSigner: (index) => index < header.numSignerAccounts,
    isWritable: (index) =>
      index < staticAccounts.length ? staticWritable(index) : index < staticAccounts.length + writable.length,
  }
}
