import { createHash } from 'node:crypto'
import { xdr } from '@stellar/stellar-sdk/base'
import { addressOf, publicKeyOf } from '../address.ts'
import { muxedIdOf } from '../asset-events.ts'
import { assetNameOf, hasValidCode } from '../asset-name.ts'
import { credit, debit } from '../balances.ts'
import { isFulfilled, isWellFormed, madeAbsolute } from '../claim-predicate.ts'
import { claimableKey, TRUST_FLAGS } from '../entries.ts'
import { findTrustline } from '../entry-view.ts'
import { xdrBalanceIdOf } from '../entry-xdr.ts'
import type { ApplyOperation, OperationContext } from '../operation-context.ts'
import { holdFor, releaseFor } from '../reserves.ts'

const MAX_CLAIMANTS = 10

const wrap = (result: xdr.CreateClaimableBalanceResult): xdr.OperationResult =>
  xdr.OperationResult.opInner(xdr.OperationResultTr.createClaimableBalance(result))

const refused = (
  code: 'Malformed' | 'LowReserve' | 'NoTrust' | 'NotAuthorized' | 'Underfunded',
): xdr.OperationResult => wrap(xdr.CreateClaimableBalanceResult[`createClaimableBalance${code}` as const]())

const DEBIT_FAULTS = {
  SrcNoTrust: 'NoTrust',
  SrcNotAuthorized: 'NotAuthorized',
  Underfunded: 'Underfunded',
} as const

/** The balance id in hex. Source: CAP-23. */
const balanceIdOf = ({ transaction, position }: OperationContext): string => {
  const preimage = xdr.HashIdPreimage.envelopeTypeOpId(
    new xdr.HashIdPreimageOperationId({
      sourceAccount: publicKeyOf(transaction.source),
      seqNum: transaction.seqNum,
      opNum: position,
    }),
  )
  return createHash('sha256').update(preimage.toXdr()).digest('hex')
}

const areClaimantsValid = (claimants: readonly xdr.Claimant[]): boolean => {
  const destinations = claimants.map(({ v0 }) => addressOf(v0.destination))
  return (
    claimants.length > 0 &&
    claimants.length <= MAX_CLAIMANTS &&
    new Set(destinations).size === claimants.length &&
    claimants.every(({ v0 }) => isWellFormed(v0.predicate))
  )
}

/** Creates a claimable balance. The source, or its sponsor, holds the reserve. Source: CAP-23. */
export const createClaimableBalance: ApplyOperation<xdr.CreateClaimableBalanceOp> = (context, body) => {
  const { view, source, sponsorships, moment } = context
  const { amount } = body
  const asset = assetNameOf(body.asset)
  if (amount <= 0n || asset === undefined || !hasValidCode(body.asset) || !areClaimantsValid(body.claimants))
    return refused('Malformed')
  const fault = debit(view, source, asset, amount)
  if (fault !== undefined) return refused(DEBIT_FAULTS[fault])
  const sponsor = sponsorships.get(source) ?? source
  if (!holdFor(view, sponsor, body.claimants.length)) return refused('LowReserve')
  const balanceId = balanceIdOf(context)
  const line = findTrustline(view, source, asset)
  view.put({
    kind: 'claimable',
    balanceId,
    claimants: body.claimants.map(({ v0: { destination, predicate } }) =>
      xdr.Claimant.claimantTypeV0(
        new xdr.ClaimantV0({ destination, predicate: madeAbsolute(predicate, moment.closeTime) }),
      ),
    ),
    asset,
    amount,
    clawback: line !== undefined && (line.flags & TRUST_FLAGS.clawback) !== 0,
    sponsor,
  })
  context.tell({ kind: 'movement', from: source, to: balanceId, asset, amount, toMuxedId: null })
  return wrap(xdr.CreateClaimableBalanceResult.createClaimableBalanceSuccess(xdrBalanceIdOf(balanceId)))
}

const claimAnswer = (
  code: 'DoesNotExist' | 'CannotClaim' | 'LineFull' | 'NoTrust' | 'NotAuthorized' | 'Success',
): xdr.OperationResult =>
  xdr.OperationResult.opInner(
    xdr.OperationResultTr.claimClaimableBalance(
      xdr.ClaimClaimableBalanceResult[`claimClaimableBalance${code}` as const](),
    ),
  )

/** Pays a claimable balance to one of its claimants whose predicate is fulfilled. */
export const claimClaimableBalance: ApplyOperation<xdr.ClaimClaimableBalanceOp> = (context, body) => {
  const { view, source, moment, transaction } = context
  const key = claimableKey(Buffer.from(body.balanceId.v0.value).toString('hex'))
  const entry = view.find(key)?.entry
  if (entry?.kind !== 'claimable') return claimAnswer('DoesNotExist')
  const claimant = entry.claimants.find(({ v0 }) => addressOf(v0.destination) === source)
  if (claimant === undefined || !isFulfilled(claimant.v0.predicate, moment.closeTime))
    return claimAnswer('CannotClaim')
  const { asset, amount, balanceId } = entry
  const fault = credit(view, source, asset, amount)
  if (fault !== undefined) return claimAnswer(fault === 'NoDestination' ? 'NoTrust' : fault)
  view.remove(key)
  releaseFor(view, entry.sponsor, entry.claimants.length)
  const toMuxedId = muxedIdOf(undefined, transaction.memo)
  context.tell({ kind: 'movement', from: balanceId, to: source, asset, amount, toMuxedId })
  return claimAnswer('Success')
}
