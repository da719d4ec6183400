import { xdr } from '@stellar/stellar-sdk/base'
import { EXAGGERATION } from '../lie.ts'

/** A ledger entry in base64 XDR, with a thousand times the balance if it is an account or a trustline. */
export const richerEntry = (text: string): string => {
  const data = xdr.LedgerEntryData.fromXdr(text, 'base64')
  if (data.type === 'account') {
    const { accountId, seqNum, numSubEntries, inflationDest, flags, homeDomain, thresholds, signers, ext } =
      data.value
    const balance = data.value.balance * EXAGGERATION
    const rest = {
      accountId,
      seqNum,
      numSubEntries,
      inflationDest,
      flags,
      homeDomain,
      thresholds,
      signers,
      ext,
    }
    return xdr.LedgerEntryData.account(new xdr.AccountEntry({ ...rest, balance })).toXdr('base64')
  }
  if (data.type !== 'trustline') return text
  const { accountId, asset, limit, flags, ext } = data.value
  const balance = data.value.balance * EXAGGERATION
  const line = new xdr.TrustLineEntry({ accountId, asset, limit, flags, ext, balance })
  return xdr.LedgerEntryData.trustline(line).toXdr('base64')
}
