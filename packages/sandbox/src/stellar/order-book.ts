import { xdr } from '@stellar/stellar-sdk/base'
import { publicKeyOf } from './address.ts'
import { type AssetName, xdrAssetOf } from './asset-name.ts'
import { credit, debit, fundsOf, roomFor } from './balances.ts'
import { crossOffer, feasibleAmount, type Rounding } from './cross-offer.ts'
import type { OfferEntry, Price } from './entries.ts'
import { allOffers, type EntryView } from './entry-view.ts'
import { dropOffer, keepOffer, unbindOffer } from './offer-entry.ts'

/** A taker's request: to send one asset for another, within both bounds. */
export type TakerRequest = {
  readonly taker: string
  readonly sends: AssetName
  readonly receives: AssetName
  readonly sendsAtMost: bigint
  readonly receivesAtMost: bigint
  readonly rounding: Rounding
  /** Whether an offer at the price is acceptable. */
  readonly accepts: (price: Price) => boolean
}

/** The trade with one offer: `sold` is what the taker receives, `bought` what it sends. */
export type Match = { readonly offer: OfferEntry; readonly sold: bigint; readonly bought: bigint }

/** The total of the trades; the taker's balances are not changed here. */
export type Crossing = {
  readonly sent: bigint
  readonly received: bigint
  readonly matches: readonly Match[]
}

const byPrice = (one: OfferEntry, other: OfferEntry): number => {
  const difference = BigInt(one.price.n) * BigInt(other.price.d) - BigInt(other.price.n) * BigInt(one.price.d)
  if (difference !== 0n) return difference < 0n ? -1 : 1
  return one.offerId < other.offerId ? -1 : 1
}

/** Trades with one offer, updates the seller's balances, and returns whether the offer stays. */
const take = (
  view: EntryView,
  offer: OfferEntry,
  taking: TakerRequest,
  takerSends: bigint,
  takerReceives: bigint,
): { readonly match: Match; readonly offerStays: boolean } => {
  const { seller, selling, buying, price } = offer
  unbindOffer(view, offer)
  const funds = fundsOf(view, seller, selling)
  const trade = crossOffer(
    price,
    {
      offerSends: offer.amount < funds ? offer.amount : funds,
      offerReceives: roomFor(view, seller, buying),
      takerSends,
      takerReceives,
    },
    taking.rounding,
  )
  const { received: sold, sent: bought, offerStays } = trade
  credit(view, seller, buying, bought)
  debit(view, seller, selling, sold)
  const rest = offer.amount - sold
  const [sends, receives] = [fundsOf(view, seller, selling), roomFor(view, seller, buying)]
  const amount = offerStays ? feasibleAmount(price, rest < sends ? rest : sends, receives) : 0n
  if (amount > 0n) keepOffer(view, { ...offer, amount })
  else dropOffer(view, offer)
  return { match: { offer, sold, bought }, offerStays }
}

/** Matches a request with the book's offers, best price first; 'CrossSelf' when it would meet the taker's own offer. */
export const crossBook = (view: EntryView, taking: TakerRequest): Crossing | 'CrossSelf' => {
  const book = allOffers(view)
    .filter(({ selling, buying }) => selling === taking.receives && buying === taking.sends)
    .sort(byPrice)
  const matches: Match[] = []
  let sent = 0n
  let received = 0n
  for (const offer of book) {
    if (sent >= taking.sendsAtMost || received >= taking.receivesAtMost || !taking.accepts(offer.price)) break
    if (offer.seller === taking.taker) return 'CrossSelf'
    const { match, offerStays } = take(
      view,
      offer,
      taking,
      taking.sendsAtMost - sent,
      taking.receivesAtMost - received,
    )
    if (match.sold > 0n || match.bought > 0n) matches.push(match)
    sent += match.bought
    received += match.sold
    if (offerStays) break
  }
  return { sent, received, matches }
}

/** A trade in the form of results. */
export const claimAtomOf = ({ offer, sold, bought }: Match): xdr.ClaimAtom =>
  xdr.ClaimAtom.claimAtomTypeOrderBook(
    new xdr.ClaimOfferAtom({
      sellerId: publicKeyOf(offer.seller),
      offerId: offer.offerId,
      assetSold: xdrAssetOf(offer.selling),
      amountSold: sold,
      assetBought: xdrAssetOf(offer.buying),
      amountBought: bought,
    }),
  )
