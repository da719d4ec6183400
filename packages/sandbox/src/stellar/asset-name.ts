import { Asset, xdr } from '@stellar/stellar-sdk/base'
import { addressOf, publicKeyOf } from './address.ts'

/** An asset's SEP-11 text: `native`, or code and issuer. */
export type AssetName = 'native' | `${string}:${string}`

/** XLM, the network's native asset. */
export const NATIVE = 'native' satisfies AssetName

const SHORT_CODE_BYTES = 4
const LONG_CODE_BYTES = 12
const CODE = /^[a-zA-Z0-9]{1,12}$/

const codeOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1').replace(/\0+$/, '')

/** The name of an operation's asset; undefined for pool shares, which the sandbox does not model. */
export const assetNameOf = (
  asset: xdr.Asset | xdr.TrustLineAsset | xdr.ChangeTrustAsset,
): AssetName | undefined => {
  if (asset.type === 'assetTypeNative') return NATIVE
  if (asset.type === 'assetTypePoolShare') return undefined
  const { assetCode, issuer } = asset.type === 'assetTypeCreditAlphanum4' ? asset.alphaNum4 : asset.alphaNum12
  return `${codeOf(assetCode.value)}:${addressOf(issuer)}`
}

/** The code and issuer of an issued asset; undefined for XLM. */
export const issuedAsset = (
  asset: AssetName,
): { readonly code: string; readonly issuer: string } | undefined => {
  if (asset === NATIVE) return undefined
  const [code = '', issuer = ''] = asset.split(':')
  return { code, issuer }
}

/** Whether the account issues the asset, and so needs no balance of it. */
export const issues = (address: string, asset: AssetName): boolean => issuedAsset(asset)?.issuer === address

/** Whether an issued asset's code is alphanumeric and encoded for its length. */
export const hasValidCode = (asset: xdr.Asset | xdr.ChangeTrustAsset): boolean => {
  if (asset.type === 'assetTypeNative') return true
  const code = issuedAsset(assetNameOf(asset) ?? NATIVE)?.code ?? ''
  return CODE.test(code) && code.length > SHORT_CODE_BYTES === (asset.type === 'assetTypeCreditAlphanum12')
}

const paddedCode = (code: string): Uint8Array => {
  const bytes = new Uint8Array(code.length > SHORT_CODE_BYTES ? LONG_CODE_BYTES : SHORT_CODE_BYTES)
  bytes.set(Buffer.from(code, 'latin1'))
  return bytes
}

/** The asset in XDR. */
export const xdrAssetOf = (asset: AssetName): xdr.Asset => {
  const issued = issuedAsset(asset)
  if (issued === undefined) return xdr.Asset.assetTypeNative()
  const parts = { assetCode: paddedCode(issued.code), issuer: publicKeyOf(issued.issuer) }
  return issued.code.length > SHORT_CODE_BYTES
    ? xdr.Asset.assetTypeCreditAlphanum12(new xdr.AlphaNum12(parts))
    : xdr.Asset.assetTypeCreditAlphanum4(new xdr.AlphaNum4(parts))
}

/** The asset in the XDR form of trustlines. */
export const xdrTrustLineAssetOf = (asset: AssetName): xdr.TrustLineAsset => {
  const form = xdrAssetOf(asset)
  if (form.type === 'assetTypeNative') return xdr.TrustLineAsset.assetTypeNative()
  return form.type === 'assetTypeCreditAlphanum4'
    ? xdr.TrustLineAsset.assetTypeCreditAlphanum4(form.alphaNum4)
    : xdr.TrustLineAsset.assetTypeCreditAlphanum12(form.alphaNum12)
}

/** The C address of the asset's contract on the network with the passphrase. Source: CAP-46-6. */
export const assetContractOf = (asset: AssetName, networkPassphrase: string): string => {
  const issued = issuedAsset(asset)
  const named = issued === undefined ? Asset.native() : new Asset(issued.code, issued.issuer)
  return named.contractId(networkPassphrase)
}
