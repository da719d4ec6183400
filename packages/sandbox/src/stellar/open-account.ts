import { Operation, type xdr } from '@stellar/stellar-sdk/base'
import { type AssetIssuer, sdkAsset, wholeUnits } from './asset-issuer.ts'
import { findAccount, findTrustline } from './entry-view.ts'
import { ISSUED_ASSETS } from './genesis.ts'
import { FAUCET_KEY, ISSUER_KEY, type StellarKey } from './keys.ts'
import type { SimulatedStellar } from './simulated-stellar.ts'

/** Funds for an account of the operator or a solver: stroops, and base units of every issued asset. */
export type AccountFunds = { readonly lumens: bigint; readonly tokens: bigint }

/** Creates the account if missing, opens a trustline for every issued asset, and pays the funds. */
export const openAccount = (
  ledger: SimulatedStellar,
  assetIssuer: AssetIssuer,
  key: StellarKey,
  { lumens, tokens }: AccountFunds,
): void => {
  const destination = key.address
  const exists = findAccount(ledger, destination) !== undefined
  const operations: xdr.Operation[] = []
  if (!exists) operations.push(Operation.createAccount({ destination, startingBalance: wholeUnits(lumens) }))
  else if (lumens > 0n)
    operations.push(Operation.payment({ destination, asset: sdkAsset('native'), amount: wholeUnits(lumens) }))
  for (const { asset } of ISSUED_ASSETS) {
    const held = sdkAsset(asset)
    if (findTrustline(ledger, destination, asset) === undefined)
      operations.push(Operation.changeTrust({ source: destination, asset: held }))
    const source = ISSUER_KEY.address
    if (tokens > 0n)
      operations.push(Operation.payment({ source, destination, asset: held, amount: wholeUnits(tokens) }))
  }
  const signsItself = ISSUED_ASSETS.some(
    ({ asset }) => findTrustline(ledger, destination, asset) === undefined,
  )
  const signers = [...(signsItself ? [key] : []), ...(tokens > 0n ? [ISSUER_KEY] : [])]
  if (operations.length > 0) assetIssuer.run([FAUCET_KEY, ...signers], operations)
}
