import type { xdr } from '@stellar/stellar-sdk/base'
import { createLru } from '../../lib/lru.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import { contractIdOf, type StellarAsset } from './asset-contract.ts'
import type { LedgerEvent } from './rpc-answers.ts'
import type { StellarSdk } from './sdk.ts'
import { decodeStrKey } from './str-key.ts'

/** Value moved according to an event; `memo` only if the event contains it. */
export type AssetMovement = {
  readonly from: string
  readonly to: string
  /** The asset's contract. */
  readonly token: string
  readonly amount: bigint
  readonly muxedId: bigint | undefined
  /** Undefined if only the transaction can tell. */
  readonly memo: string | undefined
}

type ScVal = xdr.ScVal

const CACHED_ASSETS = 1_000
const ISSUED = /^([0-9A-Za-z]{1,12}):(G[A-Z2-7]{55})$/
const HASH_BYTES = 32

/** Parses a SEP-11 asset; undefined for other text. */
const assetOf = (text: string): StellarAsset | undefined => {
  if (text === 'native') return 'native'
  const [, code, issuer] = ISSUED.exec(text) ?? []
  if (code === undefined || issuer === undefined || decodeStrKey(issuer)?.kind !== 'G') return undefined
  return { code, issuer }
}

/** Payer, payee and asset by the event's topics; undefined for events that move nothing between two accounts. */
const partiesOf = (
  topics: readonly (string | undefined)[],
): { readonly from: string; readonly to: string; readonly asset: StellarAsset } | undefined => {
  const [name, one, two] = topics
  const asset = assetOf(topics.at(-1) ?? '')
  if (asset === undefined || one === undefined || two === undefined) return undefined
  if (name === 'transfer' && topics.length === 4) return { from: one, to: two, asset }
  if (asset === 'native' || topics.length !== 3) return undefined
  // An issuer's payments create the asset, and payments to it destroy it.
  if (name === 'mint') return { from: asset.issuer, to: one, asset }
  if (name === 'burn') return { from: one, to: asset.issuer, asset }
  return undefined
}

const expectAmount = (value: ScVal | undefined): bigint => {
  if (value?.type !== 'scvI128') throw new RpcError('MALFORMED', 'event of an asset without an amount')
  const amount = (value.i128.hi << 64n) | value.i128.lo
  if (amount < 0n) throw new RpcError('MALFORMED', `event of an asset with the amount ${amount}`)
  return amount
}

/** The reference for a shared account: a muxed id, or the transaction's memo. Source: CAP-67 "Multiplexing support". */
const reference = (value: ScVal | undefined): Pick<AssetMovement, 'muxedId' | 'memo'> => {
  if (value?.type === 'scvU64') return { muxedId: value.u64, memo: undefined }
  if (value?.type === 'scvBytes' && value.bytes.value.length === HASH_BYTES)
    return { muxedId: undefined, memo: `0x${Buffer.from(value.bytes.value).toString('hex')}` }
  if (value?.type === 'scvString')
    return { muxedId: undefined, memo: Buffer.from(value.str.bytes).toString('utf8') }
  return { muxedId: undefined, memo: undefined }
}

const payloadOf = (value: ScVal): Pick<AssetMovement, 'amount' | 'muxedId' | 'memo'> => {
  if (value.type !== 'scvMap') return { amount: expectAmount(value), ...reference(undefined) }
  const field = (name: string): ScVal | undefined =>
    value.map?.find(({ key }) => key.type === 'scvSymbol' && key.value === name)?.val
  return { amount: expectAmount(field('amount')), ...reference(field('to_muxed_id')) }
}

/**
 * Parses asset events. Any contract can emit an event that looks like a payment; only events of the contract derived
 * from the asset they name count, because no account can forge those. Source: CAP-67.
 */
export const createMovementReader = (
  { xdr, Address }: StellarSdk,
  passphrase: string,
): ((event: LedgerEvent) => AssetMovement | undefined) => {
  const contracts = createLru<string, string>(CACHED_ASSETS)
  const contractOf = (asset: StellarAsset): string => {
    const key = asset === 'native' ? asset : `${asset.code}:${asset.issuer}`
    const found = contracts.get(key) ?? contractIdOf(asset, passphrase)
    contracts.set(key, found)
    return found
  }
  const topicText = (topic: string): string | undefined => {
    const value = xdr.ScVal.fromXdr(topic, 'base64')
    if (value.type === 'scvAddress') return Address.fromScAddress(value.address).toString()
    return value.type === 'scvSymbol' || value.type === 'scvString' ? value.value : undefined
  }
  return (event) => {
    if (event.inSuccessfulContractCall === false) return undefined
    const parties = partiesOf((event.topic ?? []).map(topicText))
    if (parties === undefined || contractOf(parties.asset) !== event.contractId) return undefined
    const { from, to } = parties
    return { from, to, token: event.contractId, ...payloadOf(xdr.ScVal.fromXdr(event.value, 'base64')) }
  }
}
