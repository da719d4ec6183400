import type { xdr } from '@stellar/stellar-sdk/base'
import { contractIdOf, type StellarAsset } from './asset-contract.ts'
import type { AssetMovement } from './asset-movement.ts'
import { appliedOperations, sourceOf } from './envelope.ts'
import { placeOf } from './event-payments.ts'
import type { StellarSdk } from './sdk.ts'
import { strKeyText } from './str-key.ts'

/** What an operation moves to its destination, and the place of that event among the operation's events, from 0. */
export type OperationMovement = { readonly movement: AssetMovement; readonly event: number }

type Paid = {
  readonly to: string
  readonly muxedId: bigint | undefined
  readonly asset: StellarAsset
  readonly amount: bigint
  readonly event: number
}

type Result = Extract<xdr.OperationResult, { readonly type: 'opInner' }>['tr']

/** Each trade of a path has an event for either side before the payment's own. */
const EVENTS_OF_TRADE = 2

const assetOf = (sdk: StellarSdk, asset: xdr.Asset): StellarAsset => {
  const { code, issuer } = sdk.Asset.fromOperation(asset)
  return issuer === undefined ? 'native' : { code, issuer }
}

const accountText = ({ value }: xdr.AccountId): string => strKeyText('G', value.value)

const muxedIdOf = (account: xdr.MuxedAccount): bigint | undefined =>
  account.type === 'keyTypeEd25519' ? undefined : account.med25519.id

const paidBy = (sdk: StellarSdk, body: xdr.OperationBody, result: Result): Paid | undefined => {
  switch (body.type) {
    case 'payment': {
      const { destination, asset, amount } = body.value
      const muxedId = muxedIdOf(destination)
      return { to: sourceOf(destination), muxedId, asset: assetOf(sdk, asset), amount, event: 0 }
    }
    case 'createAccount': {
      const { destination, startingBalance: amount } = body.value
      return { to: accountText(destination), muxedId: undefined, asset: 'native', amount, event: 0 }
    }
    case 'accountMerge': {
      if (result.type !== 'accountMerge' || result.value.type !== 'accountMergeSuccess') return undefined
      const [to, muxedId] = [sourceOf(body.value), muxedIdOf(body.value)]
      return { to, muxedId, asset: 'native', amount: result.value.sourceAccountBalance, event: 0 }
    }
    case 'pathPaymentStrictReceive': {
      if (result.type !== body.type || result.value.type !== 'pathPaymentStrictReceiveSuccess')
        return undefined
      return paidOnPath(sdk, body.value.destination, result.value.success)
    }
    case 'pathPaymentStrictSend': {
      if (result.type !== body.type || result.value.type !== 'pathPaymentStrictSendSuccess') return undefined
      return paidOnPath(sdk, body.value.destination, result.value.success)
    }
    default:
      return undefined
  }
}

const paidOnPath = (
  sdk: StellarSdk,
  destination: xdr.MuxedAccount,
  { offers, last }: xdr.PathPaymentStrictReceiveResultSuccess | xdr.PathPaymentStrictSendResultSuccess,
): Paid => ({
  to: sourceOf(destination),
  muxedId: muxedIdOf(destination),
  asset: assetOf(sdk, last.asset),
  amount: last.amount,
  event: EVENTS_OF_TRADE * offers.length,
})

/** The reference in the event of a payment, as `memo` if it is not a number. Source: CAP-67 "Multiplexing support". */
const referenceOf = (
  { to, muxedId, asset }: Paid,
  memo: xdr.Memo,
  text: string | undefined,
): Pick<AssetMovement, 'muxedId' | 'memo'> => {
  if (asset !== 'native' && asset.issuer === to) return { muxedId: undefined, memo: undefined }
  if (muxedId !== undefined) return { muxedId, memo: undefined }
  return memo.type === 'memoId' ? { muxedId: memo.id, memo: undefined } : { muxedId: undefined, memo: text }
}

/**
 * What the operation of a successful transaction moves, as its event tells it; undefined for an operation whose event does not follow
 * from envelope and result. Source: CAP-67.
 */
export const movementOfOperation = (
  sdk: StellarSdk,
  passphrase: string,
  transaction: { readonly source: string; readonly memo: xdr.Memo; readonly memoText: string | undefined },
  {
    operation,
    result,
  }: { readonly operation: xdr.Operation; readonly result: xdr.OperationResult | undefined },
): OperationMovement | undefined => {
  if (result?.type !== 'opInner') return undefined
  const paid = paidBy(sdk, operation.body, result.tr)
  if (paid === undefined) return undefined
  const { sourceAccount } = operation
  const from = sourceAccount === null ? transaction.source : sourceOf(sourceAccount)
  const { to, asset, amount, event } = paid
  const reference = referenceOf(paid, transaction.memo, transaction.memoText)
  return { movement: { from, to, token: contractIdOf(asset, passphrase), amount, ...reference }, event }
}

/**
 * The places of the events in a transaction that are payments of its operations. A trade with an account's
 * offer and a contract call cause payment events to that account as well; the transaction's memo does not belong to those.
 */
export const placesOfPayments = (
  sdk: StellarSdk,
  passphrase: string,
  { envelopeXdr, resultXdr }: { readonly envelopeXdr: string; readonly resultXdr: string },
): ReadonlySet<number> => {
  const applied = appliedOperations(sdk, envelopeXdr, resultXdr)
  if (applied === undefined) return new Set()
  const { source, operations, results } = applied
  const transaction = { source, memo: sdk.xdr.Memo.memoNone(), memoText: undefined }
  return new Set(
    operations.flatMap((operation, index) => {
      const found = movementOfOperation(sdk, passphrase, transaction, { operation, result: results[index] })
      return found === undefined ? [] : [placeOf(index, found.event)]
    }),
  )
}
