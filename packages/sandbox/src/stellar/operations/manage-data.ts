import { xdr } from '@stellar/stellar-sdk/base'
import { dataKey } from '../entries.ts'
import type { ApplyOperation } from '../operation-context.ts'
import { releaseSubentry, reserveSubentry } from '../reserves.ts'

const answer = (code: 'NameNotFound' | 'LowReserve' | 'InvalidName' | 'Success'): xdr.OperationResult =>
  xdr.OperationResult.opInner(
    xdr.OperationResultTr.manageData(xdr.ManageDataResult[`manageData${code}` as const]()),
  )

/** Creates, updates or (without a value) removes a named value of an account. */
export const manageData: ApplyOperation<xdr.ManageDataOp> = (context, { dataName, dataValue }) => {
  const { view, source, sponsorships } = context
  if (dataName.length === 0) return answer('InvalidName')
  const name = Buffer.from(dataName.bytes).toString('hex')
  const existing = view.find(dataKey(source, name))?.entry
  if (dataValue === null) {
    if (existing === undefined) return answer('NameNotFound')
    view.remove(dataKey(source, name))
    releaseSubentry(view, source, existing.sponsor)
    return answer('Success')
  }
  const value = Buffer.from(dataValue.value).toString('hex')
  if (existing?.kind === 'data') {
    view.put({ ...existing, value })
    return answer('Success')
  }
  const reserved = reserveSubentry(view, sponsorships, source)
  if (reserved === 'LowReserve') return answer('LowReserve')
  if (reserved === 'tooManySubentries') return xdr.OperationResult.opTooManySubentries()
  view.put({ kind: 'data', account: source, name, value, sponsor: reserved.sponsor })
  return answer('Success')
}
