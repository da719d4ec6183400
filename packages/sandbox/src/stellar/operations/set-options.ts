import { xdr } from '@stellar/stellar-sdk/base'
import { addressOf } from '../address.ts'
import { ACCOUNT_FLAGS, type AccountEntry } from '../entries.ts'
import { findAccount } from '../entry-view.ts'
import type { ApplyOperation, OperationContext } from '../operation-context.ts'
import { releaseSubentry, reserveSubentry } from '../reserves.ts'

type Failure =
  | 'LowReserve'
  | 'TooManySigners'
  | 'BadFlags'
  | 'InvalidInflation'
  | 'CantChange'
  | 'UnknownFlag'
  | 'ThresholdOutOfRange'
  | 'BadSigner'
  | 'AuthRevocableRequired'

const MAX_SIGNERS = 20
const MAX_BYTE = 255
const KNOWN_FLAGS =
  ACCOUNT_FLAGS.required | ACCOUNT_FLAGS.revocable | ACCOUNT_FLAGS.immutable | ACCOUNT_FLAGS.clawback

const answer = (code: Failure | 'Success'): xdr.OperationResult =>
  xdr.OperationResult.opInner(
    xdr.OperationResultTr.setOptions(xdr.SetOptionsResult[`setOptions${code}` as const]()),
  )

const flagFault = (
  account: AccountEntry,
  setFlags: number,
  clearFlags: number,
  flags: number,
): Failure | undefined => {
  if (((setFlags | clearFlags) & ~KNOWN_FLAGS) !== 0) return 'UnknownFlag'
  if ((setFlags & clearFlags) !== 0) return 'BadFlags'
  if (flags !== account.flags && (account.flags & ACCOUNT_FLAGS.immutable) !== 0) return 'CantChange'
  const revocableLacks = (flags & ACCOUNT_FLAGS.revocable) === 0
  return (flags & ACCOUNT_FLAGS.clawback) !== 0 && revocableLacks ? 'AuthRevocableRequired' : undefined
}

const isOwnKey = (account: AccountEntry, key: xdr.SignerKey): boolean =>
  key.type === 'signerKeyTypeEd25519' &&
  addressOf(xdr.PublicKey.publicKeyTypeEd25519(key.ed25519.value)) === account.address

/** Adds, changes or (with weight 0) removes a signer; each takes a base reserve. */
const changeSigner = (
  { view, source, sponsorships }: OperationContext,
  account: AccountEntry,
  { key, weight }: xdr.Signer,
): Failure | 'tooManySubentries' | undefined => {
  if (weight > MAX_BYTE || isOwnKey(account, key)) return 'BadSigner'
  const text = key.toXdr('base64')
  const existing = account.signers.find((signer) => signer.key === text)
  const others = account.signers.filter((signer) => signer.key !== text)
  if (weight === 0) {
    if (existing === undefined) return undefined
    releaseSubentry(view, source, existing.sponsor)
    view.put({ ...(findAccount(view, source) ?? account), signers: others })
    return undefined
  }
  if (existing !== undefined) {
    view.put({ ...account, signers: [...others, { ...existing, weight }].sort(byKey) })
    return undefined
  }
  if (others.length >= MAX_SIGNERS) return 'TooManySigners'
  const reserved = reserveSubentry(view, sponsorships, source)
  if (typeof reserved === 'string') return reserved
  const signers = [...others, { key: text, weight, sponsor: reserved.sponsor }].sort(byKey)
  view.put({ ...(findAccount(view, source) ?? account), signers })
  return undefined
}

const byKey = (one: { readonly key: string }, other: { readonly key: string }): number =>
  one.key < other.key ? -1 : 1

/** Changes flags, thresholds, home domain and signers of an account. */
export const setOptions: ApplyOperation<xdr.SetOptionsOp> = (context, body) => {
  const { view, source } = context
  const account = findAccount(view, source)
  if (account === undefined) return xdr.OperationResult.opNoAccount()
  const weights = [body.masterWeight, body.lowThreshold, body.medThreshold, body.highThreshold]
  if (weights.some((weight) => weight !== null && weight > MAX_BYTE)) return answer('ThresholdOutOfRange')
  const [setFlags, clearFlags] = [body.setFlags ?? 0, body.clearFlags ?? 0]
  const flags = (account.flags & ~clearFlags) | setFlags
  const fault = flagFault(account, setFlags, clearFlags, flags)
  if (fault !== undefined) return answer(fault)
  const winner = body.inflationDest === null ? undefined : addressOf(body.inflationDest)
  if (winner !== undefined && findAccount(view, winner) === undefined) return answer('InvalidInflation')
  const changed: AccountEntry = {
    ...account,
    flags,
    inflationDestination: winner ?? account.inflationDestination,
    masterWeight: body.masterWeight ?? account.masterWeight,
    lowThreshold: body.lowThreshold ?? account.lowThreshold,
    mediumThreshold: body.medThreshold ?? account.mediumThreshold,
    highThreshold: body.highThreshold ?? account.highThreshold,
    homeDomain: body.homeDomain?.toString() ?? account.homeDomain,
  }
  view.put(changed)
  const signerFault = body.signer === null ? undefined : changeSigner(context, changed, body.signer)
  if (signerFault === 'tooManySubentries') return xdr.OperationResult.opTooManySubentries()
  return answer(signerFault ?? 'Success')
}
