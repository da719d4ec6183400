import { formatUnits } from '../format-units.ts'
import type { DepositAddress } from '../wire/action.ts'
import { PUBLIC_PASSPHRASE, STELLAR_DECIMALS, type StellarAssetName } from './stellar-asset.ts'

/**
 * A deposit to request; the passphrase is that of its network.
 * @example
 * const request = (payload: DepositAddress): StellarPaymentRequest => ({
 *   payload,
 *   asset: { code: 'USDC', issuer: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN' },
 *   passphrase: 'Public Global Stellar Network ; September 2015',
 * })
 */
export type StellarPaymentRequest = {
  readonly payload: DepositAddress
  readonly asset: StellarAssetName
  readonly passphrase: string
}

/**
 * The request as a URI that wallets open: `web+stellar:pay?…`, its amount in whole units. Source: SEP-7.
 * @example
 * const linkTo = (request: StellarPaymentRequest): string => `<a href="${stellarPaymentUri(request)}">Pay</a>`
 */
export const stellarPaymentUri = ({ payload, asset, passphrase }: StellarPaymentRequest): string => {
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
