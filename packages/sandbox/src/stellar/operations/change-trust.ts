import { xdr } from '@stellar/stellar-sdk/base'
import { assetNameOf, hasValidCode, issuedAsset } from '../asset-name.ts'
import {
  ACCOUNT_FLAGS,
  type AccountEntry,
  TRUST_FLAGS,
  type TrustlineEntry,
  trustlineKey,
} from '../entries.ts'
import { findAccount, findTrustline } from '../entry-view.ts'
import type { ApplyOperation, OperationContext } from '../operation-context.ts'
import { releaseSubentry, reserveSubentry } from '../reserves.ts'

type Failure = 'Malformed' | 'NoIssuer' | 'InvalidLimit' | 'LowReserve' | 'CannotDelete'

const answer = (code: Failure | 'Success'): xdr.OperationResult =>
  xdr.OperationResult.opInner(
    xdr.OperationResultTr.changeTrust(xdr.ChangeTrustResult[`changeTrust${code}` as const]()),
  )

/** Flags of a new trustline, derived from the issuer's account flags. */
const trustFlagsFrom = (issuer: AccountEntry): number =>
  ((issuer.flags & ACCOUNT_FLAGS.required) === 0 ? TRUST_FLAGS.authorized : 0) |
  ((issuer.flags & ACCOUNT_FLAGS.clawback) === 0 ? 0 : TRUST_FLAGS.clawback)

const change = (
  { view, source }: OperationContext,
  line: TrustlineEntry,
  issuer: AccountEntry | undefined,
  limit: bigint,
): xdr.OperationResult => {
  if (limit < line.balance + line.buying) return answer('InvalidLimit')
  if (limit > 0n) {
    if (issuer === undefined) return answer('NoIssuer')
    view.put({ ...line, limit })
    return answer('Success')
  }
  if (line.selling > 0n) return answer('CannotDelete')
  view.remove(trustlineKey(source, line.asset))
  releaseSubentry(view, source, line.sponsor)
  return answer('Success')
}

/** Opens a trustline, changes its limit, or closes it with limit 0. */
export const changeTrust: ApplyOperation<xdr.ChangeTrustOp> = (context, { line, limit }) => {
  const { view, source, sponsorships } = context
  const asset = assetNameOf(line)
  if (asset === undefined) return xdr.OperationResult.opNotSupported()
  const issued = issuedAsset(asset)
  if (issued === undefined || !hasValidCode(line) || limit < 0n || issued.issuer === source)
    return answer('Malformed')
  const issuer = findAccount(view, issued.issuer)
  const existing = findTrustline(view, source, asset)
  if (existing !== undefined) return change(context, existing, issuer, limit)
  if (limit === 0n) return answer('InvalidLimit')
  if (issuer === undefined) return answer('NoIssuer')
  const reserved = reserveSubentry(view, sponsorships, source)
  if (reserved === 'LowReserve') return answer('LowReserve')
  if (reserved === 'tooManySubentries') return xdr.OperationResult.opTooManySubentries()
  view.put({
    kind: 'trustline',
    account: source,
    asset,
    balance: 0n,
    limit,
    flags: trustFlagsFrom(issuer),
    selling: 0n,
    buying: 0n,
    poolUses: 0,
    sponsor: reserved.sponsor,
  })
  return answer('Success')
}
