import type { Action } from '../action.ts'
import { formatUnits } from '../format-units.ts'
import { PUBLIC_PASSPHRASE, STELLAR_DECIMALS, type StellarAssetName } from './stellar-asset.ts'

/** A deposit to be asked for; the passphrase is that of the network it is made on. */
export type StellarRequest = {
  readonly payload: Extract<Action['payload'], { type: 'deposit_address' }>
  readonly asset: StellarAssetName
  readonly passphrase: string
}

/** The request as an address that wallets open: `web+stellar:pay?…`, its amount in whole units. Source: SEP-7. */
export const stellarPaymentUri = ({ payload, asset, passphrase }: StellarRequest): string => {
  const fields: readonly (readonly [string, string])[] = [
    ['destination', payload.address],
    ['amount', formatUnits(BigInt(payload.amount), STELLAR_DECIMALS)],
    ...(asset === undefined
      ? []
      : ([
          ['asset_code', asset.code],
          ['asset_issuer', asset.issuer],
        ] as const)),
    ...(passphrase === PUBLIC_PASSPHRASE ? [] : [['network_passphrase', passphrase] as const]),
  ]
  return `web+stellar:pay?${fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`
}
