import { xdr } from '@stellar/stellar-sdk/base'
import { accountNameOf } from '../address.ts'
import { muxedIdOf } from '../asset-events.ts'
import { NATIVE } from '../asset-name.ts'
import { credit } from '../balances.ts'
import { ACCOUNT_FLAGS, accountKey } from '../entries.ts'
import { findAccount } from '../entry-view.ts'
import type { ApplyOperation } from '../operation-context.ts'
import { RESERVES_OF_ACCOUNT, releaseFor } from '../reserves.ts'
import { firstSequenceOf } from './create-account.ts'

type Failure =
  | 'Malformed'
  | 'NoAccount'
  | 'ImmutableSet'
  | 'HasSubEntries'
  | 'SeqnumTooFar'
  | 'DestFull'
  | 'IsSponsor'

const wrap = (result: xdr.AccountMergeResult): xdr.OperationResult =>
  xdr.OperationResult.opInner(xdr.OperationResultTr.accountMerge(result))

const failure = (code: Failure): xdr.OperationResult =>
  wrap(xdr.AccountMergeResult[`accountMerge${code}` as const]())

/** Pays an account's whole XLM balance to another account and removes it. */
export const accountMerge: ApplyOperation<xdr.MuxedAccount> = (context, body) => {
  const { view, source, moment, transaction, sponsorships } = context
  const { address, muxedId } = accountNameOf(body)
  if (address === source) return failure('Malformed')
  const account = findAccount(view, source)
  if (account === undefined || findAccount(view, address) === undefined) return failure('NoAccount')
  if ((account.flags & ACCOUNT_FLAGS.immutable) !== 0) return failure('ImmutableSet')
  if (account.subentries !== account.signers.length) return failure('HasSubEntries')
  if (account.seqNum >= firstSequenceOf(moment.sequence)) return failure('SeqnumTooFar')
  const sponsorsNow = [...sponsorships].some((pair) => pair.includes(source))
  if (account.sponsoring > 0 || sponsorsNow) return failure('IsSponsor')
  const amount = account.balance
  if (credit(view, address, NATIVE, amount) !== undefined) return failure('DestFull')
  for (const { sponsor } of account.signers) if (sponsor !== undefined) releaseFor(view, sponsor, 1)
  if (account.sponsor !== undefined) releaseFor(view, account.sponsor, RESERVES_OF_ACCOUNT)
  view.remove(accountKey(source))
  const toMuxedId = muxedIdOf(muxedId, transaction.memo)
  context.tell({ kind: 'movement', from: source, to: address, asset: NATIVE, amount, toMuxedId })
  return wrap(xdr.AccountMergeResult.accountMergeSuccess(amount))
}
