import { xdr } from '@stellar/stellar-sdk/base'
import { type AssetName, assetNameOf, hasValidCode, issues, NATIVE } from '../asset-name.ts'
import { credit, debit, fundsOf, isAuthorized, roomFor } from '../balances.ts'
import { feasibleAmount } from '../cross-offer.ts'
import { type OfferEntry, offerKey, type Price } from '../entries.ts'
import { findTrustline } from '../entry-view.ts'
import { xdrOfferOf } from '../entry-xdr.ts'
import { dropOffer, keepOffer, unbindOffer } from '../offer-entry.ts'
import type { ApplyOperation, OperationContext } from '../operation-context.ts'
import { type Crossing, claimAtomOf, crossBook } from '../order-book.ts'
import { reserveSubentry } from '../reserves.ts'

type Failure =
  | 'Malformed'
  | 'SellNoTrust'
  | 'BuyNoTrust'
  | 'SellNotAuthorized'
  | 'BuyNotAuthorized'
  | 'LineFull'
  | 'Underfunded'
  | 'CrossSelf'
  | 'NotFound'
  | 'LowReserve'

const wrap = (result: xdr.ManageSellOfferResult): xdr.OperationResult =>
  xdr.OperationResult.opInner(xdr.OperationResultTr.manageSellOffer(result))

const refused = (code: Failure): xdr.OperationResult =>
  wrap(xdr.ManageSellOfferResult[`manageSellOffer${code}` as const]())

const success = (crossing: Crossing, offer: xdr.ManageOfferSuccessResultOffer): xdr.OperationResult =>
  wrap(
    xdr.ManageSellOfferResult.manageSellOfferSuccess(
      new xdr.ManageOfferSuccessResult({ offersClaimed: crossing.matches.map(claimAtomOf), offer }),
    ),
  )

/** The trustline fault on either side of the offer, if any. */
const trustFault = (
  { view, source }: OperationContext,
  selling: AssetName,
  buying: AssetName,
): Failure | undefined => {
  for (const [side, asset] of [['Sell', selling] as const, ['Buy', buying] as const]) {
    if (asset === NATIVE || issues(source, asset)) continue
    const line = findTrustline(view, source, asset)
    if (line === undefined) return `${side}NoTrust`
    if (!isAuthorized(line)) return `${side}NotAuthorized`
  }
  return undefined
}

/** Sells to the book as far as possible and updates the source's balances. */
const cross = (
  context: OperationContext,
  { selling, buying, amount, price }: OfferEntry,
): Crossing | Failure => {
  const { view, source } = context
  const funds = fundsOf(view, source, selling)
  const crossing = crossBook(view, {
    taker: source,
    sends: selling,
    receives: buying,
    sendsAtMost: amount < funds ? amount : funds,
    receivesAtMost: roomFor(view, source, buying),
    rounding: 'normal',
    accepts: (theirs: Price) => BigInt(theirs.n) * BigInt(price.n) <= BigInt(theirs.d) * BigInt(price.d),
  })
  if (crossing === 'CrossSelf') return crossing
  if (crossing.received > 0n && credit(view, source, buying, crossing.received) !== undefined)
    return 'LineFull'
  if (crossing.sent > 0n && debit(view, source, selling, crossing.sent) !== undefined) return 'Underfunded'
  for (const { offer, sold, bought } of crossing.matches) {
    const [to, toMuxedId] = [offer.seller, null]
    context.tell({ kind: 'movement', from: source, to, asset: selling, amount: bought, toMuxedId })
    context.tell({ kind: 'movement', from: to, to: source, asset: buying, amount: sold, toMuxedId })
  }
  return crossing
}

/** Trades against the book and stores the remainder as an offer. */
const place = (context: OperationContext, offer: OfferEntry, isNew: boolean): xdr.OperationResult => {
  const { view, source } = context
  if (fundsOf(view, source, offer.selling) <= 0n) return refused('Underfunded')
  if (roomFor(view, source, offer.buying) <= 0n) return refused('LineFull')
  const crossing = cross(context, offer)
  if (typeof crossing === 'string') return refused(crossing)
  const rest = offer.amount - crossing.sent
  const funds = fundsOf(view, source, offer.selling)
  const room = roomFor(view, source, offer.buying)
  const amount = feasibleAmount(offer.price, rest < funds ? rest : funds, room)
  if (amount <= 0n) {
    dropOffer(view, offer)
    return success(crossing, xdr.ManageOfferSuccessResultOffer.manageOfferDeleted())
  }
  const kept = { ...offer, amount }
  keepOffer(view, kept)
  return success(
    crossing,
    isNew
      ? xdr.ManageOfferSuccessResultOffer.manageOfferCreated(xdrOfferOf(kept))
      : xdr.ManageOfferSuccessResultOffer.manageOfferUpdated(xdrOfferOf(kept)),
  )
}

const NOTHING: Crossing = { sent: 0n, received: 0n, matches: [] }

const findOwn = ({ view, source }: OperationContext, offerId: bigint): OfferEntry | undefined => {
  const entry = view.find(offerKey(source, offerId))?.entry
  return entry?.kind === 'offer' ? entry : undefined
}

/** Creates, changes or (with amount 0) removes an offer to sell an asset. */
export const manageSellOffer: ApplyOperation<xdr.ManageSellOfferOp> = (context, body) => {
  const { view, source, sponsorships } = context
  const { amount, offerId } = body
  const price = { n: body.price.n, d: body.price.d }
  const [selling, buying] = [assetNameOf(body.selling), assetNameOf(body.buying)]
  const known = selling !== undefined && buying !== undefined && selling !== buying
  const valid = hasValidCode(body.selling) && hasValidCode(body.buying) && price.n > 0 && price.d > 0
  if (!known || !valid || amount < 0n || offerId < 0n || (amount === 0n && offerId === 0n))
    return refused('Malformed')
  const existing = findOwn(context, offerId)
  if (offerId !== 0n) {
    if (existing === undefined) return refused('NotFound')
    unbindOffer(view, existing)
    if (amount === 0n) {
      dropOffer(view, existing)
      return success(NOTHING, xdr.ManageOfferSuccessResultOffer.manageOfferDeleted())
    }
  }
  const fault = trustFault(context, selling, buying)
  if (fault !== undefined) return refused(fault)
  if (existing !== undefined) return place(context, { ...existing, selling, buying, amount, price }, false)
  const reserved = reserveSubentry(view, sponsorships, source)
  if (reserved === 'LowReserve') return refused('LowReserve')
  if (reserved === 'tooManySubentries') return xdr.OperationResult.opTooManySubentries()
  const { sponsor } = reserved
  const fresh = { kind: 'offer', seller: source, offerId: context.nextOfferId(), sponsor } as const
  return place(context, { ...fresh, selling, buying, amount, price }, true)
}
