import { createHash } from 'node:crypto'
import { Address, nativeToScVal, StrKey, xdr } from '@stellar/stellar-sdk/base'
import type { Hex } from '../deployment-types.ts'
import type { AssetName } from './asset-name.ts'

const contractNamed = (name: string): string =>
  StrKey.encodeContract(createHash('sha256').update(`OpenRFQ sandbox contract ${name}`).digest())

/** Axelar's gateway and Interchain Token Service, played by the ledger. */
export const GATEWAY_CONTRACT = contractNamed('gateway')
export const TOKEN_SERVICE_CONTRACT = contractNamed('token service')

/** Decimals of classic assets. */
const DECIMALS = 7
/** TokenManagerType MintBurn. Source: axelar-amplifier-stellar. */
const MINT_BURN = 4
/** The interchain tokens of the ledger: classic assets whose issuer lets the service mint. */
export type TokenService = {
  readonly register: (tokenId: Hex, asset: AssetName) => void
  readonly assetOf: (tokenId: Hex) => AssetName | undefined
  /** Trusts the chains of these Axelar names. */
  readonly trust: (names: readonly string[]) => void
  readonly trusts: (name: string) => boolean
}

/** Creates a service without tokens and without trusted chains. */
export const createTokenService = (): TokenService => {
  const assets = new Map<string, AssetName>()
  const trusted = new Set<string>()
  return {
    register: (tokenId, asset) => void assets.set(tokenId.toLowerCase(), asset),
    assetOf: (tokenId) => assets.get(tokenId.toLowerCase()),
    trust: (names) => {
      for (const name of names) trusted.add(name)
    },
    trusts: (name) => trusted.has(name),
  }
}

/** The contract that holds the right to mint an interchain token. */
const managerOf = (asset: AssetName): xdr.ScVal =>
  new Address(contractNamed(`token manager of ${asset}`)).toScVal()

/** The text in a value; undefined for a value of another type. */
export const textIn = (value: xdr.ScVal | undefined): string | undefined =>
  value?.type === 'scvString' ? Buffer.from(value.str.bytes).toString('utf8') : undefined

/** The value of a read of the service; undefined for a function that it does not have. */
export const readTokenService = (
  service: TokenService,
  name: string,
  [argument]: readonly xdr.ScVal[],
  contractOf: (asset: AssetName) => string,
): xdr.ScVal | undefined => {
  if (name === 'paused') return xdr.ScVal.scvBool(false)
  if (name === 'is_trusted_chain') return xdr.ScVal.scvBool(service.trusts(textIn(argument) ?? ''))
  const id: Hex | undefined =
    argument?.type === 'scvBytes' ? `0x${Buffer.from(argument.bytes.value).toString('hex')}` : undefined
  const asset = id === undefined ? undefined : service.assetOf(id)
  if (asset === undefined) return undefined
  switch (name) {
    case 'registered_token_address':
      return new Address(contractOf(asset)).toScVal()
    case 'token_manager_type':
      return xdr.ScVal.scvU32(MINT_BURN)
    case 'deployed_token_manager':
      return managerOf(asset)
    case 'flow_limit':
      return xdr.ScVal.scvVoid()
    case 'flow_in_amount':
    case 'flow_out_amount':
      return nativeToScVal(0n, { type: 'i128' })
    default:
      return undefined
  }
}

/** The value of a read of an asset's contract; undefined for a function that is not played. */
export const readAssetContract = (name: string, asset: AssetName): xdr.ScVal | undefined => {
  if (name === 'decimals') return xdr.ScVal.scvU32(DECIMALS)
  if (name === 'admin') return managerOf(asset)
  return name === 'name' ? nativeToScVal(asset, { type: 'string' }) : undefined
}
