import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { StrKey, xdr } from '@stellar/stellar-sdk/base'
import type { ThresholdLevel } from './apply-operation.ts'
import type { AccountEntry } from './entries.ts'

/** Checks the signatures of one transaction, and tracks which of them were used. */
export type SignatureCounter = {
  /** Whether the account's signers reach the threshold of the level. */
  readonly authorizes: (account: AccountEntry, level: ThresholdLevel) => boolean
  /** Whether the key of an address signed, for an account that does not exist yet. */
  readonly hasKeyOf: (address: string) => boolean
  /** Whether this signer signed, regardless of its account. */
  readonly hasSigner: (signer: xdr.SignerKey) => boolean
  /** Whether every signature was needed. */
  readonly areAllUsed: () => boolean
}

/** SubjectPublicKeyInfo of an Ed25519 key, before its 32 bytes. Source: RFC 8410. */
const KEY_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')
const MAX_KEPT_KEYS = 10_000
const MAX_WEIGHT = 255
const HINT_BYTES = 4

const keys = new Map<string, KeyObject>()

const keyObjectOf = (key: Uint8Array): KeyObject => {
  const name = Buffer.from(key).toString('hex')
  const known = keys.get(name)
  if (known !== undefined) return known
  const object = createPublicKey({ key: Buffer.concat([KEY_PREFIX, key]), format: 'der', type: 'spki' })
  if (keys.size >= MAX_KEPT_KEYS) keys.clear()
  keys.set(name, object)
  return object
}

const isSignedBy = (
  key: Uint8Array,
  hash: Uint8Array,
  { hint, signature }: xdr.DecoratedSignature,
): boolean => {
  if (!Buffer.from(key.subarray(-HINT_BYTES)).equals(hint.value)) return false
  try {
    return verify(null, hash, keyObjectOf(key), signature.value)
  } catch {
    return false
  }
}

/** Whether the signature is the signer's, over the transaction's hash, or the preimage of the signer's hash. */
const isOf = (signer: xdr.SignerKey, hash: Uint8Array, signature: xdr.DecoratedSignature): boolean => {
  if (signer.type === 'signerKeyTypeEd25519') return isSignedBy(signer.ed25519.value, hash, signature)
  if (signer.type !== 'signerKeyTypeHashX') return false
  return createHash('sha256').update(signature.signature.value).digest().equals(signer.hashX.value)
}

const masterKey = (address: string): xdr.SignerKey =>
  xdr.SignerKey.signerKeyTypeEd25519(StrKey.decodeEd25519PublicKey(address))

const thresholdIn = (account: AccountEntry, level: ThresholdLevel): number => {
  if (level === 'low') return account.lowThreshold
  return level === 'medium' ? account.mediumThreshold : account.highThreshold
}

/**
 * Creates a counter for the signatures over the hash. Keys and hash preimages count; pre-authorised transactions and
 * signed payloads are not modelled. A threshold of 0 still requires one signature.
 */
export const createSignatureCounter = (
  hash: Uint8Array,
  signatures: readonly xdr.DecoratedSignature[],
): SignatureCounter => {
  const used = new Set<number>()
  /** Where each signer's signature is: up to a hundred operations ask for the same one. */
  const places = new Map<string, number>()
  const placeOf = (signer: xdr.SignerKey): number => {
    const name = signer.toXdr('base64')
    const place = places.get(name) ?? signatures.findIndex((signature) => isOf(signer, hash, signature))
    places.set(name, place)
    return place
  }
  const counts = (signer: xdr.SignerKey): boolean => {
    const index = placeOf(signer)
    if (index >= 0) used.add(index)
    return index >= 0
  }
  return {
    authorizes: (account, level) => {
      const needed = thresholdIn(account, level)
      const signers = [
        { key: masterKey(account.address), weight: account.masterWeight },
        ...account.signers.map(({ key, weight }) => ({ key: xdr.SignerKey.fromXdr(key, 'base64'), weight })),
      ].filter(({ weight }) => weight > 0)
      let total = 0
      for (const { key, weight } of signers) {
        if (!counts(key)) continue
        total += Math.min(weight, MAX_WEIGHT)
        if (total >= needed) return true
      }
      return false
    },
    hasKeyOf: (address) => counts(masterKey(address)),
    hasSigner: counts,
    areAllUsed: () => used.size === signatures.length,
  }
}
