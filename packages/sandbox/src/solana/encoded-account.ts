import { zstdCompressSync } from 'node:zlib'
import { encodeBase58 } from 'openrfq/base58'
import { z } from 'zod'
import type { ReadAccount, StoredAccount } from './account.ts'
import { parseAccount } from './parsed-account.ts'
import { RPC_ERROR_CODES, RpcError } from './rpc-error.ts'

/** Encodings of account data. */
export const AccountEncoding = z.enum(['base58', 'base64', 'base64+zstd', 'jsonParsed'])

/** The requested encoding and slice of account data. */
export const AccountFormat = z.object({
  encoding: AccountEncoding.optional(),
  dataSlice: z.object({ offset: z.int().min(0), length: z.int().min(0) }).nullish(),
})
type AccountFormat = z.infer<typeof AccountFormat>

/** Nodes reject base58 above this length, because its cost grows with the square. */
const MAX_BASE58_BYTES = 128

/** The value nodes return for rent-exempt accounts; all accounts are rent-exempt. */
const RENT_EPOCH = 18_446_744_073_709_551_615n

const base58Of = (bytes: Uint8Array): string => {
  if (bytes.length > MAX_BASE58_BYTES)
    throw new RpcError(
      RPC_ERROR_CODES.invalidRequest,
      `Encoded binary (base 58) data should be less than ${MAX_BASE58_BYTES} bytes, please use Base64 encoding.`,
    )
  return encodeBase58(bytes)
}

const encodeBytes = (account: StoredAccount, format: AccountFormat, read: ReadAccount): unknown => {
  if (format.encoding === 'jsonParsed') {
    const parsed = parseAccount(account, read)
    if (parsed !== null) return parsed
  }
  const slice = format.dataSlice ?? { offset: 0, length: account.bytes.length }
  const bytes = account.bytes.subarray(slice.offset, slice.offset + slice.length)
  if (format.encoding === undefined) return base58Of(bytes)
  if (format.encoding === 'base58') return [base58Of(bytes), 'base58']
  if (format.encoding === 'base64+zstd') return [zstdCompressSync(bytes).toString('base64'), 'base64+zstd']
  return [Buffer.from(bytes).toString('base64'), 'base64']
}

/** An account in RPC form; data without a parser is base64. `read` finds the mint of a token account. */
export const encodeAccount = (
  account: StoredAccount | null,
  format: AccountFormat | null | undefined,
  read: ReadAccount,
) =>
  account === null
    ? null
    : {
        data: encodeBytes(account, format ?? {}, read),
        executable: account.executable,
        lamports: account.lamports,
        owner: account.owner,
        rentEpoch: RENT_EPOCH,
        space: account.bytes.length,
      }
