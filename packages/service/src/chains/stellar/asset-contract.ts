import { createHash } from 'node:crypto'
import { strKeyBytes, strKeyText } from './str-key.ts'

/** A Stellar asset: the native one, or an issuer's code of 1 to 12 letters and digits. */
export type StellarAsset = 'native' | { readonly code: string; readonly issuer: string }

const ENVELOPE_TYPE_CONTRACT_ID = 8
const PREIMAGE_FROM_ASSET = 1
const ASSET_TYPE = { native: 0, alphanum4: 1, alphanum12: 2 } as const
const KEY_TYPE_ED25519 = 0

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** The XDR of an asset. Throws RangeError for an invalid issuer. */
export const assetBytes = (asset: StellarAsset): readonly Uint8Array[] => {
  if (asset === 'native') return [uint32(ASSET_TYPE.native)]
  const isShort = asset.code.length <= 4
  const code = Buffer.alloc(isShort ? 4 : 12)
  code.write(asset.code, 'latin1')
  return [
    uint32(isShort ? ASSET_TYPE.alphanum4 : ASSET_TYPE.alphanum12),
    code,
    uint32(KEY_TYPE_ED25519),
    strKeyBytes('G', asset.issuer),
  ]
}

const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest()

/**
 * The address of an asset's contract on the network of the passphrase, deployed or not: SHA-256 of the XDR of
 * HashIDPreimage. Throws RangeError for an invalid issuer. Source: CAP-46-2, CAP-46-6.
 */
export const contractIdOf = (asset: StellarAsset, passphrase: string): string =>
  strKeyText(
    'C',
    sha256(
      Buffer.concat([
        uint32(ENVELOPE_TYPE_CONTRACT_ID),
        sha256(passphrase),
        uint32(PREIMAGE_FROM_ASSET),
        ...assetBytes(asset),
      ]),
    ),
  )
