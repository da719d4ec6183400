import { xdr } from '@stellar/stellar-sdk/base'
import { accountNameOf, publicKeyOf } from '../address.ts'
import { muxedIdOf } from '../asset-events.ts'
import { type AssetName, assetNameOf, hasValidCode, issues, xdrAssetOf } from '../asset-name.ts'
import { type CreditFault, credit, type DebitFault, debit } from '../balances.ts'
import { MAX_INT64 } from '../entries.ts'
import { findAccount } from '../entry-view.ts'
import type { ApplyOperation, OperationContext } from '../operation-context.ts'
import { type Crossing, claimAtomOf, crossBook, type Match } from '../order-book.ts'

type PathFault = CreditFault | DebitFault | 'Malformed' | 'TooFewOffers' | 'OfferCrossSelf'

/** A path payment's assets from the sent to the received one; undefined when one is malformed. */
const pathOf = (first: xdr.Asset, path: readonly xdr.Asset[], last: xdr.Asset): AssetName[] | undefined => {
  const assets = [first, ...path, last]
  const names = assets.flatMap((asset) => (hasValidCode(asset) ? [assetNameOf(asset)] : []))
  const known = names.flatMap((name) => (name === undefined ? [] : [name]))
  return known.length === assets.length ? known : undefined
}

/** Emits both sides of every trade, between the source and the offer's owner. Source: CAP-67. */
const tellMatches = ({ source, tell }: OperationContext, matches: readonly Match[]): void => {
  for (const { offer, sold, bought } of matches) {
    const { seller, selling, buying } = offer
    tell({ kind: 'movement', from: source, to: seller, asset: buying, amount: bought, toMuxedId: null })
    tell({ kind: 'movement', from: seller, to: source, asset: selling, amount: sold, toMuxedId: null })
  }
}

type Delivery = {
  readonly destination: xdr.MuxedAccount
  readonly asset: AssetName
  readonly amount: bigint
  readonly matches: readonly Match[]
}

/** Emits the trades and the payment, and builds the success result. */
const succeed = (context: OperationContext, { destination, asset, amount, matches }: Delivery) => {
  const { source, transaction } = context
  const { address, muxedId } = accountNameOf(destination)
  tellMatches(context, matches)
  const toMuxedId = muxedIdOf(muxedId, transaction.memo)
  context.tell({ kind: 'movement', from: source, to: address, asset, amount, toMuxedId })
  return {
    offers: matches.map(claimAtomOf),
    last: new xdr.SimplePaymentResult({
      destination: publicKeyOf(address),
      asset: xdrAssetOf(asset),
      amount,
    }),
  }
}

/** Whether the destination is missing, which fails before any trade unless it issues the path's only asset. */
const lacksDestination = (context: OperationContext, address: string, path: readonly AssetName[]): boolean =>
  findAccount(context.view, address) === undefined &&
  !path.every((asset) => asset === path[0] && issues(address, asset))

type HopBounds = { readonly sendsAtMost: bigint; readonly receivesAtMost: bigint }

const crossHop = (
  { view, source }: OperationContext,
  sends: AssetName,
  receives: AssetName,
  bounds: HopBounds,
): Crossing | 'CrossSelf' =>
  crossBook(view, {
    taker: source,
    sends,
    receives,
    ...bounds,
    rounding: bounds.sendsAtMost === MAX_INT64 ? 'strictReceive' : 'strictSend',
    accepts: () => true,
  })

const receiveAnswer = (code: PathFault | 'OverSendmax'): xdr.OperationResult =>
  xdr.OperationResult.opInner(
    xdr.OperationResultTr.pathPaymentStrictReceive(
      xdr.PathPaymentStrictReceiveResult[`pathPaymentStrictReceive${code}` as const](),
    ),
  )

/** Pays an exact amount of one asset, bought with at most the given amount of another. */
export const pathPaymentStrictReceive: ApplyOperation<xdr.PathPaymentStrictReceiveOp> = (context, body) => {
  const { view, source } = context
  const path = pathOf(body.sendAsset, body.path, body.destAsset)
  if (path === undefined || body.destAmount <= 0n || body.sendMax <= 0n) return receiveAnswer('Malformed')
  const { address } = accountNameOf(body.destination)
  if (lacksDestination(context, address, path)) return receiveAnswer('NoDestination')
  const [last, ...earlier] = [...path].reverse()
  if (last === undefined) return receiveAnswer('Malformed')
  const creditFault = credit(view, address, last, body.destAmount)
  if (creditFault !== undefined) return receiveAnswer(creditFault)
  let amount = body.destAmount
  let asset = last
  const matches: Match[] = []
  for (const sends of earlier) {
    if (sends === asset) continue
    const crossing = crossHop(context, sends, asset, { sendsAtMost: MAX_INT64, receivesAtMost: amount })
    if (crossing === 'CrossSelf') return receiveAnswer('OfferCrossSelf')
    if (crossing.received !== amount) return receiveAnswer('TooFewOffers')
    matches.unshift(...crossing.matches)
    amount = crossing.sent
    asset = sends
  }
  if (amount > body.sendMax) return receiveAnswer('OverSendmax')
  const debitFault = debit(view, source, asset, amount)
  if (debitFault !== undefined) return receiveAnswer(debitFault)
  const success = succeed(context, {
    destination: body.destination,
    asset: last,
    amount: body.destAmount,
    matches,
  })
  return xdr.OperationResult.opInner(
    xdr.OperationResultTr.pathPaymentStrictReceive(
      xdr.PathPaymentStrictReceiveResult.pathPaymentStrictReceiveSuccess(
        new xdr.PathPaymentStrictReceiveResultSuccess(success),
      ),
    ),
  )
}

const sendAnswer = (code: PathFault | 'UnderDestmin'): xdr.OperationResult =>
  xdr.OperationResult.opInner(
    xdr.OperationResultTr.pathPaymentStrictSend(
      xdr.PathPaymentStrictSendResult[`pathPaymentStrictSend${code}` as const](),
    ),
  )

/** Sells an exact amount of one asset and pays the proceeds, at least the given amount of another. */
export const pathPaymentStrictSend: ApplyOperation<xdr.PathPaymentStrictSendOp> = (context, body) => {
  const { view, source } = context
  const path = pathOf(body.sendAsset, body.path, body.destAsset)
  if (path === undefined || body.sendAmount <= 0n || body.destMin <= 0n) return sendAnswer('Malformed')
  const { address } = accountNameOf(body.destination)
  if (lacksDestination(context, address, path)) return sendAnswer('NoDestination')
  const [first, ...later] = path
  if (first === undefined) return sendAnswer('Malformed')
  const debitFault = debit(view, source, first, body.sendAmount)
  if (debitFault !== undefined) return sendAnswer(debitFault)
  let amount = body.sendAmount
  let asset = first
  const matches: Match[] = []
  for (const receives of later) {
    if (receives === asset) continue
    const crossing = crossHop(context, asset, receives, { sendsAtMost: amount, receivesAtMost: MAX_INT64 })
    if (crossing === 'CrossSelf') return sendAnswer('OfferCrossSelf')
    if (crossing.sent !== amount) return sendAnswer('TooFewOffers')
    matches.push(...crossing.matches)
    amount = crossing.received
    asset = receives
  }
  if (amount < body.destMin) return sendAnswer('UnderDestmin')
  const creditFault = credit(view, address, asset, amount)
  if (creditFault !== undefined) return sendAnswer(creditFault)
  const success = succeed(context, { destination: body.destination, asset, amount, matches })
  return xdr.OperationResult.opInner(
    xdr.OperationResultTr.pathPaymentStrictSend(
      xdr.PathPaymentStrictSendResult.pathPaymentStrictSendSuccess(
        new xdr.PathPaymentStrictSendResultSuccess(success),
      ),
    ),
  )
}
