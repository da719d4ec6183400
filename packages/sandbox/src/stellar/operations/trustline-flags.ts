import { xdr } from '@stellar/stellar-sdk/base'
import { addressOf } from '../address.ts'
import { type AssetName, assetNameOf, hasValidCode, issues } from '../asset-name.ts'
import { ACCOUNT_FLAGS, TRUST_FLAGS, type TrustlineEntry } from '../entries.ts'
import { allOffers, findAccount, findTrustline } from '../entry-view.ts'
import { deleteOffer } from '../offer-entry.ts'
import type { ApplyOperation, OperationContext } from '../operation-context.ts'

type Failure = 'Malformed' | 'NoTrustLine' | 'CantRevoke'

const KNOWN = TRUST_FLAGS.authorized | TRUST_FLAGS.maintain | TRUST_FLAGS.clawback
const AUTHORITY = TRUST_FLAGS.authorized | TRUST_FLAGS.maintain

/** Whether the new flags allow the holder less than the old ones. */
const revokes = (before: number, after: number): boolean =>
  ((before & TRUST_FLAGS.authorized) !== 0 && (after & TRUST_FLAGS.authorized) === 0) ||
  ((before & AUTHORITY) !== 0 && (after & AUTHORITY) === 0)

const write = (context: OperationContext, line: TrustlineEntry, flags: number): Failure | undefined => {
  const { view, source } = context
  const issuer = findAccount(view, source)
  const revocable = ((issuer?.flags ?? 0) & ACCOUNT_FLAGS.revocable) !== 0
  if (revokes(line.flags, flags) && !revocable) return 'CantRevoke'
  if ((flags & AUTHORITY) === 0)
    for (const offer of allOffers(view)) {
      const touches = offer.selling === line.asset || offer.buying === line.asset
      if (offer.seller === line.account && touches) deleteOffer(view, offer)
    }
  const now = findTrustline(view, line.account, line.asset) ?? line
  view.put({ ...now, flags })
  const authorized = (flags & TRUST_FLAGS.authorized) !== 0
  if (((line.flags ^ flags) & TRUST_FLAGS.authorized) !== 0)
    context.tell({ kind: 'authorization', account: line.account, asset: line.asset, authorized })
  return undefined
}

const setAnswer = (code: Failure | 'InvalidState' | 'Success'): xdr.OperationResult =>
  xdr.OperationResult.opInner(
    xdr.OperationResultTr.setTrustLineFlags(
      xdr.SetTrustLineFlagsResult[`setTrustLineFlags${code}` as const](),
    ),
  )

/** Sets and clears flags of a holder's trustline; called by its issuer. */
export const setTrustLineFlags: ApplyOperation<xdr.SetTrustLineFlagsOp> = (context, body) => {
  const { view, source } = context
  const { setFlags, clearFlags } = body
  const asset = assetNameOf(body.asset)
  const holder = addressOf(body.trustor)
  const unknown = ((setFlags | clearFlags) & ~KNOWN) !== 0 || (setFlags & TRUST_FLAGS.clawback) !== 0
  const mine = asset !== undefined && issues(source, asset) && hasValidCode(body.asset)
  if (!mine || holder === source || unknown || (setFlags & clearFlags) !== 0) return setAnswer('Malformed')
  const line = findTrustline(view, holder, asset)
  if (line === undefined) return setAnswer('NoTrustLine')
  const flags = (line.flags & ~clearFlags) | setFlags
  if ((flags & AUTHORITY) === AUTHORITY) return setAnswer('InvalidState')
  return setAnswer(write(context, line, flags) ?? 'Success')
}

const allowAnswer = (code: Failure | 'Success'): xdr.OperationResult =>
  xdr.OperationResult.opInner(
    xdr.OperationResultTr.allowTrust(xdr.AllowTrustResult[`allowTrust${code}` as const]()),
  )

const codeIn = (code: xdr.AssetCode): string =>
  Buffer.from((code.type === 'assetTypeCreditAlphanum4' ? code.assetCode4 : code.assetCode12).value)
    .toString('latin1')
    .replace(/\0+$/, '')

/** Authorizes or revokes a holder's trustline; the older form of `setTrustLineFlags`. */
export const allowTrust: ApplyOperation<xdr.AllowTrustOp> = (context, body) => {
  const { view, source } = context
  const holder = addressOf(body.trustor)
  const asset: AssetName = `${codeIn(body.asset)}:${source}`
  if (holder === source || (body.authorize & ~AUTHORITY) !== 0 || body.authorize === AUTHORITY)
    return allowAnswer('Malformed')
  const line = findTrustline(view, holder, asset)
  if (line === undefined) return allowAnswer('NoTrustLine')
  return allowAnswer(write(context, line, (line.flags & ~AUTHORITY) | body.authorize) ?? 'Success')
}

const clawbackAnswer = (
  code: 'Malformed' | 'NotClawbackEnabled' | 'NoTrust' | 'Underfunded' | 'Success',
): xdr.OperationResult =>
  xdr.OperationResult.opInner(
    xdr.OperationResultTr.clawback(xdr.ClawbackResult[`clawback${code}` as const]()),
  )

/** Claws back an asset from a holder; called by its issuer. */
export const clawback: ApplyOperation<xdr.ClawbackOp> = (context, body) => {
  const { view, source } = context
  const { amount } = body
  const asset = assetNameOf(body.asset)
  const from = addressOf(
    xdr.PublicKey.publicKeyTypeEd25519(
      body.from.type === 'keyTypeEd25519' ? body.from.ed25519.value : body.from.med25519.ed25519.value,
    ),
  )
  if (asset === undefined || amount <= 0n || !issues(source, asset) || from === source)
    return clawbackAnswer('Malformed')
  const line = findTrustline(view, from, asset)
  if (line === undefined) return clawbackAnswer('NoTrust')
  if ((line.flags & TRUST_FLAGS.clawback) === 0) return clawbackAnswer('NotClawbackEnabled')
  if (line.balance - line.selling < amount) return clawbackAnswer('Underfunded')
  view.put({ ...line, balance: line.balance - amount })
  context.tell({ kind: 'clawback', from, asset, amount })
  return clawbackAnswer('Success')
}
