import { encodeBase58 } from 'openrfq/base58'
import type { ReadAccount, StoredAccount } from './account.ts'
import { toAddress } from './address-bytes.ts'
import {
  MINT_BYTES,
  type MintFields,
  readMint,
  readTokenAccount,
  TOKEN_ACCOUNT_BYTES,
  TOKEN_PROGRAMS,
  type TokenAccountFields,
} from './token-account.ts'
import { LOOKUP_TABLE_HEADER_BYTES } from './transaction.ts'

/** An account in its `jsonParsed` form. */
export type ParsedAccount = {
  readonly program: string
  readonly parsed: { readonly type: string; readonly info?: unknown }
  readonly space: number
}

const LOOKUP_TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111'
const SYSTEM_PROGRAM = '11111111111111111111111111111111'
const NONCE_BYTES = 80
const IMMUTABLE_OWNER = 7

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength)

/** An amount in the nodes' display form; `uiAmount` is a float, for display only. */
export const uiTokenAmount = (amount: bigint, decimals: number) => {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const text = fraction === '' ? whole : `${whole}.${fraction}`
  return { amount: amount.toString(), decimals, uiAmount: Number(text), uiAmountString: text }
}

/** Lists the extensions of a Token-2022 account by name; their contents are not parsed. */
const extensionsOf = ({ bytes, owner }: StoredAccount) => {
  if (TOKEN_PROGRAMS[owner] !== 'spl-token-2022') return undefined
  const extensions: { readonly extension: string }[] = []
  const view = viewOf(bytes)
  for (let offset = TOKEN_ACCOUNT_BYTES + 1; offset + 4 <= bytes.length; ) {
    const kind = view.getUint16(offset, true)
    if (kind === 0) break
    extensions.push({ extension: kind === IMMUTABLE_OWNER ? 'immutableOwner' : 'unparseableExtension' })
    offset += 4 + view.getUint16(offset + 2, true)
  }
  return bytes.length > TOKEN_ACCOUNT_BYTES && extensions.length > 0 ? extensions : undefined
}

const mintInfo = (mint: MintFields, account: StoredAccount) => ({
  decimals: mint.decimals,
  extensions: account.bytes.length > MINT_BYTES ? extensionsOf(account) : undefined,
  freezeAuthority: mint.freezeAuthority,
  isInitialized: mint.isInitialized,
  mintAuthority: mint.mintAuthority,
  supply: mint.supply.toString(),
})

const tokenAccountInfo = (fields: TokenAccountFields, decimals: number, account: StoredAccount) => ({
  closeAuthority: fields.closeAuthority ?? undefined,
  delegate: fields.delegate ?? undefined,
  delegatedAmount: fields.delegate === null ? undefined : uiTokenAmount(fields.delegatedAmount, decimals),
  extensions: extensionsOf(account),
  isNative: fields.rentReserve !== null,
  mint: fields.mint,
  owner: fields.owner,
  rentExemptReserve: fields.rentReserve === null ? undefined : uiTokenAmount(fields.rentReserve, decimals),
  state: fields.state,
  tokenAmount: uiTokenAmount(fields.amount, decimals),
})

const parseToken = (account: StoredAccount, read: ReadAccount): ParsedAccount['parsed'] | null => {
  const mint = readMint(account)
  if (mint !== null) return { type: 'mint', info: mintInfo(mint, account) }
  const fields = readTokenAccount(account)
  const decimals = fields === null ? undefined : readMint(read(fields.mint))?.decimals
  if (fields === null || decimals === undefined) return null
  return { type: 'account', info: tokenAccountInfo(fields, decimals, account) }
}

const parseLookupTable = ({ bytes }: StoredAccount): ParsedAccount['parsed'] | null => {
  if (bytes.length < LOOKUP_TABLE_HEADER_BYTES) return null
  const view = viewOf(bytes)
  if (view.getUint32(0, true) === 0) return { type: 'uninitialized' }
  const count = Math.floor((bytes.length - LOOKUP_TABLE_HEADER_BYTES) / 32)
  const addresses = Array.from({ length: count }, (_, index) => {
    const start = LOOKUP_TABLE_HEADER_BYTES + index * 32
    return toAddress(bytes.subarray(start, start + 32))
  })
  return {
    type: 'lookupTable',
    info: {
      addresses,
      authority: bytes[21] === 1 ? toAddress(bytes.subarray(22, 54)) : undefined,
      deactivationSlot: view.getBigUint64(4, true).toString(),
      lastExtendedSlot: view.getBigUint64(12, true).toString(),
      lastExtendedSlotStartIndex: bytes[20] ?? 0,
    },
  }
}

const parseNonce = ({ bytes }: StoredAccount): ParsedAccount['parsed'] | null => {
  if (bytes.length !== NONCE_BYTES || viewOf(bytes).getUint32(4, true) !== 1) return null
  return {
    type: 'initialized',
    info: {
      authority: toAddress(bytes.subarray(8, 40)),
      blockhash: encodeBase58(bytes.subarray(40, 72)),
      feeCalculator: { lamportsPerSignature: viewOf(bytes).getBigUint64(72, true).toString() },
    },
  }
}

/** Parses mints, token accounts, lookup tables and nonces; null for any other account. */
export const parseAccount = (account: StoredAccount, read: ReadAccount): ParsedAccount | null => {
  const space = account.bytes.length
  const tokenProgram = TOKEN_PROGRAMS[account.owner]
  const as = (program: string, parsed: ParsedAccount['parsed'] | null): ParsedAccount | null =>
    parsed === null ? null : { program, parsed, space }
  if (tokenProgram !== undefined) return as(tokenProgram, parseToken(account, read))
  if (account.owner === LOOKUP_TABLE_PROGRAM) return as('address-lookup-table', parseLookupTable(account))
  if (account.owner === SYSTEM_PROGRAM) return as('nonce', parseNonce(account))
  return null
}
