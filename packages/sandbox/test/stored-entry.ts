import type { xdr } from '@stellar/stellar-sdk/base'
import { addressOf } from '../src/stellar/address.ts'
import { type AssetName, assetNameOf } from '../src/stellar/asset-name.ts'
import type { AccountEntry, Entry, OfferEntry, TrustlineEntry } from '../src/stellar/entries.ts'
import type { StoredEntry } from '../src/stellar/entry-view.ts'

const nameOf = (asset: xdr.Asset | xdr.TrustLineAsset): AssetName => {
  const name = assetNameOf(asset)
  if (name === undefined) throw new Error('pool shares are not modelled')
  return name
}

const liabilitiesOf = ({ ext }: xdr.AccountEntry | xdr.TrustLineEntry) =>
  ext.type === 'v1' ? ext.v1.liabilities : { buying: 0n, selling: 0n }

const accountOf = (entry: xdr.AccountEntry, sponsor: string | undefined): AccountEntry => {
  const second = entry.ext.type === 'v1' ? entry.ext.v1.ext : undefined
  const sponsorships = second?.type === 'v2' ? second.v2 : undefined
  const third = sponsorships?.ext
  const [masterWeight = 1, lowThreshold = 0, mediumThreshold = 0, highThreshold = 0] = entry.thresholds.value
  return {
    kind: 'account',
    address: addressOf(entry.accountId),
    balance: entry.balance,
    seqNum: entry.seqNum,
    seqLedger: third?.type === 'v3' ? third.v3.seqLedger : 0,
    seqTime: third?.type === 'v3' ? third.v3.seqTime : 0n,
    subentries: entry.numSubEntries,
    flags: entry.flags,
    homeDomain: Buffer.from(entry.homeDomain.bytes).toString(),
    inflationDestination: entry.inflationDest === null ? undefined : addressOf(entry.inflationDest),
    masterWeight,
    lowThreshold,
    mediumThreshold,
    highThreshold,
    signers: entry.signers.map(({ key, weight }, index) => {
      const by = sponsorships?.signerSponsoringIDs[index]
      return {
        key: key.toXdr('base64'),
        weight,
        sponsor: by === undefined || by === null ? undefined : addressOf(by),
      }
    }),
    ...{ selling: liabilitiesOf(entry).selling, buying: liabilitiesOf(entry).buying },
    sponsored: sponsorships?.numSponsored ?? 0,
    sponsoring: sponsorships?.numSponsoring ?? 0,
    sponsor,
  }
}

const trustlineOf = (entry: xdr.TrustLineEntry, sponsor: string | undefined): TrustlineEntry => ({
  kind: 'trustline',
  account: addressOf(entry.accountId),
  asset: nameOf(entry.asset),
  balance: entry.balance,
  limit: entry.limit,
  flags: entry.flags,
  ...{ selling: liabilitiesOf(entry).selling, buying: liabilitiesOf(entry).buying },
  poolUses:
    entry.ext.type === 'v1' && entry.ext.v1.ext.type === 'v2' ? entry.ext.v1.ext.v2.liquidityPoolUseCount : 0,
  sponsor,
})

const offerOf = (entry: xdr.OfferEntry, sponsor: string | undefined): OfferEntry => ({
  kind: 'offer',
  seller: addressOf(entry.sellerId),
  offerId: entry.offerId,
  selling: nameOf(entry.selling),
  buying: nameOf(entry.buying),
  amount: entry.amount,
  price: { n: entry.price.n, d: entry.price.d },
  sponsor,
})

const dataOf = (data: xdr.LedgerEntryData, sponsor: string | undefined): Entry => {
  if (data.type === 'account') return accountOf(data.value, sponsor)
  if (data.type === 'trustline') return trustlineOf(data.value, sponsor)
  if (data.type === 'offer') return offerOf(data.value, sponsor)
  throw new Error(`entries of type ${data.type} are not replayed`)
}

/** Tests only: an account, trustline or offer of a real network as the sandbox keeps it; throws for other entries. */
export const storedEntryOf = ({ data, ext, lastModifiedLedgerSeq }: xdr.LedgerEntry): StoredEntry => {
  const by = ext.type === 'v1' ? ext.v1.sponsoringId : null
  return {
    entry: dataOf(data, by === null ? undefined : addressOf(by)),
    modifiedIn: lastModifiedLedgerSeq,
  }
}
