import { Operation } from '@stellar/stellar-sdk/base'
import { type AssetIssuer, sdkAsset, wholeUnits } from './asset-issuer.ts'
import { NATIVE } from './asset-name.ts'
import { ISSUED_ASSETS, STELLAR_DECIMALS } from './genesis.ts'
import { DEALER_KEY } from './keys.ts'

/** The dealer's offer on each side of each pair: one million whole units. */
const OFFERED = 1_000_000n * 10n ** BigInt(STELLAR_DECIMALS)
/** Prices: a quarter of an issued asset for one XLM, and five XLM for one unit of it. */
const FOR_LUMENS = { n: 1, d: 4 }
const FOR_TOKENS = { n: 5, d: 1 }

/** Fills the order book, so that path payments between XLM and the issued assets find a path. */
export const openOrderBook = (assetIssuer: AssetIssuer): void => {
  const native = sdkAsset(NATIVE)
  const amount = wholeUnits(OFFERED)
  assetIssuer.run(
    [DEALER_KEY],
    ISSUED_ASSETS.flatMap(({ asset }) => [
      Operation.manageSellOffer({ selling: native, buying: sdkAsset(asset), amount, price: FOR_LUMENS }),
      Operation.manageSellOffer({ selling: sdkAsset(asset), buying: native, amount, price: FOR_TOKENS }),
    ]),
  )
}
