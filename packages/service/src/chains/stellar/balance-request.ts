import type { BalanceTerms } from '../payment-chain.ts'
import { assetBytes } from './asset-contract.ts'
import { strKeyBytes } from './str-key.ts'
import type { AssetOfToken } from './token-assets.ts'

const ENVELOPE_TYPE_TX = 2
const PRECOND_TIME = 1
const KEY_TYPE_ED25519 = 0
const KEY_TYPE_MUXED_ED25519 = 0x100
const OPERATION = { payment: 1, createClaimableBalance: 14 } as const
const PREDICATE = { unconditional: 0, not: 3, beforeAbsoluteTime: 4 } as const
/** The fee bid in stroops for both operations; the ledger usually charges its minimum of a hundred each. */
const FEE_BID = 200_000
const PUBLIC_PASSPHRASE = 'Public Global Stellar Network ; September 2015'

/** Stroops that the announcing payment moves: the least that a payment can. */
export const ANNOUNCED_AMOUNT = 1n

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const int64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(value)
  return bytes
}

const uint64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(value)
  return bytes
}

const NONE = uint32(0)
const SOME = uint32(1)

const accountBytes = (account: string): Buffer =>
  Buffer.concat([uint32(KEY_TYPE_ED25519), strKeyBytes('G', account)])

/** One claimant; `predicate` is its XDR. */
const claimantBytes = (account: string, ...predicate: readonly Uint8Array[]): Buffer =>
  Buffer.concat([NONE, accountBytes(account), ...predicate])

const notBefore = (seconds: number): readonly Uint8Array[] => [
  uint32(PREDICATE.not),
  SOME,
  uint32(PREDICATE.beforeAbsoluteTime),
  int64(BigInt(seconds)),
]

/** The balance: for the vault at any time, for its maker from `refundAfter` on. */
const balanceOperation = (
  { depositor, vault, token, amount, refundAfter }: BalanceTerms,
  assetOf: AssetOfToken,
): Buffer =>
  Buffer.concat([
    NONE,
    uint32(OPERATION.createClaimableBalance),
    ...assetBytes(assetOf(token)),
    int64(amount),
    uint32(2),
    claimantBytes(vault, uint32(PREDICATE.unconditional)),
    claimantBytes(depositor, ...notBefore(refundAfter)),
  ])

/** A payment of one stroop whose muxed id names the order, so that the vault's reader finds the transaction. */
const announcement = ({ vault, muxedId }: BalanceTerms): Buffer =>
  Buffer.concat([
    NONE,
    uint32(OPERATION.payment),
    uint32(KEY_TYPE_MUXED_ED25519),
    uint64(muxedId),
    strKeyBytes('G', vault),
    ...assetBytes('native'),
    int64(ANNOUNCED_AMOUNT),
  ])

/**
 * The unsigned transaction (envelope, XDR) with sequence number 0 that makes a claimable balance for an order and announces
 * it to the vault. Throws RangeError for a token without an asset. Source: CAP-23.
 */
const envelopeOf = (terms: BalanceTerms, assetOf: AssetOfToken): Buffer =>
  Buffer.concat([
    uint32(ENVELOPE_TYPE_TX),
    accountBytes(terms.depositor),
    uint32(FEE_BID),
    int64(0n),
    uint32(PRECOND_TIME),
    uint64(0n),
    uint64(BigInt(terms.openDeadline)),
    NONE,
    uint32(2),
    balanceOperation(terms, assetOf),
    announcement(terms),
    NONE,
    NONE,
  ])

/**
 * Writes requests that wallets open, `web+stellar:tx?…`: the maker's account is set, its next sequence number is to be
 * filled in. Undefined for an amount that no balance holds. Source: SEP-7.
 */
export const createBalanceRequest =
  (passphrase: string, assetOf: AssetOfToken) =>
  (terms: BalanceTerms): string | undefined => {
    if (terms.amount <= 0n || terms.amount >= 1n << 63n) return undefined
    const fields: readonly (readonly [string, string])[] = [
      ['xdr', envelopeOf(terms, assetOf).toString('base64')],
      ['replace', 'seqNum:X;X:next sequence number of the account'],
      ...(passphrase === PUBLIC_PASSPHRASE ? [] : [['network_passphrase', passphrase] as const]),
    ]
    return `web+stellar:tx?${fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`
  }
