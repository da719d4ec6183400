import { xdr } from '@stellar/stellar-sdk/base'
import { addressOf } from '../address.ts'
import { muxedIdOf } from '../asset-events.ts'
import { NATIVE } from '../asset-name.ts'
import { debit } from '../balances.ts'
import type { AccountEntry } from '../entries.ts'
import { findAccount } from '../entry-view.ts'
import type { ApplyOperation, LedgerMoment } from '../operation-context.ts'
import { BASE_RESERVE, holdFor, RESERVES_OF_ACCOUNT } from '../reserves.ts'

const SEQUENCE_SHIFT = 32n

/** The first sequence number of an account created in the ledger; all lower numbers are unused. */
export const firstSequenceOf = (sequence: number): bigint => BigInt(sequence) << SEQUENCE_SHIFT

/** A new account with the balance in stroops. */
export const newAccount = (address: string, balance: bigint, { sequence }: LedgerMoment): AccountEntry => ({
  kind: 'account',
  address,
  balance,
  seqNum: firstSequenceOf(sequence),
  seqLedger: 0,
  seqTime: 0n,
  subentries: 0,
  flags: 0,
  homeDomain: '',
  inflationDestination: undefined,
  masterWeight: 1,
  lowThreshold: 0,
  mediumThreshold: 0,
  highThreshold: 0,
  signers: [],
  selling: 0n,
  buying: 0n,
  sponsored: 0,
  sponsoring: 0,
  sponsor: undefined,
})

type Failure = 'Malformed' | 'Underfunded' | 'LowReserve' | 'AlreadyExist'

const answer = (code: Failure | 'Success'): xdr.OperationResult =>
  xdr.OperationResult.opInner(
    xdr.OperationResultTr.createAccount(xdr.CreateAccountResult[`createAccount${code}` as const]()),
  )

/** Creates an account; a sponsored one may start with a zero balance. */
export const createAccount: ApplyOperation<xdr.CreateAccountOp> = (context, body) => {
  const { view, source, sponsorships, moment, transaction } = context
  const address = addressOf(body.destination)
  const amount = body.startingBalance
  if (amount < 0n || address === source) return answer('Malformed')
  if (findAccount(view, address) !== undefined) return answer('AlreadyExist')
  const sponsor = sponsorships.get(address)
  const fresh = newAccount(address, amount, moment)
  if (sponsor === undefined) {
    if (amount < BigInt(RESERVES_OF_ACCOUNT) * BASE_RESERVE) return answer('LowReserve')
    view.put(fresh)
  } else {
    if (!holdFor(view, sponsor, RESERVES_OF_ACCOUNT)) return answer('LowReserve')
    view.put({ ...fresh, sponsored: RESERVES_OF_ACCOUNT, sponsor })
  }
  if (debit(view, source, NATIVE, amount) !== undefined) return answer('Underfunded')
  const toMuxedId = muxedIdOf(undefined, transaction.memo)
  context.tell({ kind: 'movement', from: source, to: address, asset: NATIVE, amount, toMuxedId })
  return answer('Success')
}
