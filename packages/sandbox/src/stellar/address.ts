import { StrKey, xdr } from '@stellar/stellar-sdk/base'

/** An account as a transaction names it: its G address, and the id of a muxed (M) address. */
export type AccountName = { readonly address: string; readonly muxedId: bigint | undefined }

/** The G address of an account's key. */
export const addressOf = (key: xdr.PublicKey): string => StrKey.encodeEd25519PublicKey(key.ed25519.value)

/** The XDR key of a G address; throws on any other text. */
export const publicKeyOf = (address: string): xdr.PublicKey =>
  xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(address))

/** The account of a plain or muxed address. Source: CAP-27. */
export const accountNameOf = (account: xdr.MuxedAccount): AccountName =>
  account.type === 'keyTypeEd25519'
    ? { address: StrKey.encodeEd25519PublicKey(account.ed25519.value), muxedId: undefined }
    : {
        address: StrKey.encodeEd25519PublicKey(account.med25519.ed25519.value),
        muxedId: account.med25519.id,
      }
