import { xdr } from '@stellar/stellar-sdk/base'
import { addressOf } from '../address.ts'
import type { ApplyOperation } from '../operation-context.ts'

const beginAnswer = (code: 'Malformed' | 'AlreadySponsored' | 'Recursive' | 'Success'): xdr.OperationResult =>
  xdr.OperationResult.opInner(
    xdr.OperationResultTr.beginSponsoringFutureReserves(
      xdr.BeginSponsoringFutureReservesResult[`beginSponsoringFutureReserves${code}` as const](),
    ),
  )

/** From this operation on, the source sponsors the reserves of the sponsored account's new entries. Source: CAP-33. */
export const beginSponsoring: ApplyOperation<xdr.BeginSponsoringFutureReservesOp> = (
  { source, sponsorships },
  body,
) => {
  const sponsored = addressOf(body.sponsoredId)
  if (sponsored === source) return beginAnswer('Malformed')
  if (sponsorships.has(sponsored)) return beginAnswer('AlreadySponsored')
  if (sponsorships.has(source) || [...sponsorships.values()].includes(sponsored))
    return beginAnswer('Recursive')
  sponsorships.set(sponsored, source)
  return beginAnswer('Success')
}

const endAnswer = (code: 'NotSponsored' | 'Success'): xdr.OperationResult =>
  xdr.OperationResult.opInner(
    xdr.OperationResultTr.endSponsoringFutureReserves(
      xdr.EndSponsoringFutureReservesResult[`endSponsoringFutureReserves${code}` as const](),
    ),
  )

/** Ends the sponsorship of the source; the sponsored account must sign it. Source: CAP-33. */
export const endSponsoring: ApplyOperation<null> = ({ source, sponsorships }) =>
  endAnswer(sponsorships.delete(source) ? 'Success' : 'NotSponsored')
