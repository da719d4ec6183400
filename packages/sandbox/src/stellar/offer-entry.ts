import { type AssetName, issues, NATIVE } from './asset-name.ts'
import { liabilitiesOf } from './cross-offer.ts'
import { type OfferEntry, offerKey } from './entries.ts'
import { type EntryView, findAccount, findTrustline } from './entry-view.ts'
import { releaseSubentry } from './reserves.ts'

const bind = (
  view: EntryView,
  address: string,
  asset: AssetName,
  change: { readonly selling: bigint; readonly buying: bigint },
): void => {
  if (issues(address, asset)) return
  const holder = asset === NATIVE ? findAccount(view, address) : findTrustline(view, address, asset)
  if (holder === undefined) return
  view.put({
    ...holder,
    selling: holder.selling + change.selling,
    buying: holder.buying + change.buying,
  })
}

const bindOffer = (view: EntryView, offer: OfferEntry, sign: 1n | -1n): void => {
  const { selling, buying } = liabilitiesOf(offer.price, offer.amount)
  bind(view, offer.seller, offer.selling, { selling: sign * selling, buying: 0n })
  bind(view, offer.seller, offer.buying, { selling: 0n, buying: sign * buying })
}

/** Releases an offer's liabilities from its seller's balances before a trade or change. Source: CAP-3. */
export const unbindOffer = (view: EntryView, offer: OfferEntry): void => bindOffer(view, offer, -1n)

/** Stores an offer whose previous liabilities are released. */
export const keepOffer = (view: EntryView, offer: OfferEntry): void => {
  view.put(offer)
  bindOffer(view, offer, 1n)
}

/** Removes an offer without liabilities and releases its reserve. */
export const dropOffer = (view: EntryView, offer: OfferEntry): void => {
  view.remove(offerKey(offer.seller, offer.offerId))
  releaseSubentry(view, offer.seller, offer.sponsor)
}

/** Removes an offer with its liabilities. */
export const deleteOffer = (view: EntryView, offer: OfferEntry): void => {
  unbindOffer(view, offer)
  dropOffer(view, offer)
}
