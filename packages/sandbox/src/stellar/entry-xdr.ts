import { xdr } from '@stellar/stellar-sdk/base'
import { addressOf, publicKeyOf } from './address.ts'
import { assetNameOf, xdrAssetOf, xdrTrustLineAssetOf } from './asset-name.ts'
import {
  type AccountEntry,
  accountKey,
  type ClaimableEntry,
  claimableKey,
  dataKey,
  type Entry,
  type OfferEntry,
  offerKey,
  type TrustlineEntry,
  trustlineKey,
} from './entries.ts'
import type { EntryDelta, StoredEntry } from './entry-view.ts'

const sponsorOf = (sponsor: string | undefined): xdr.PublicKey | null =>
  sponsor === undefined ? null : publicKeyOf(sponsor)

const liabilitiesOf = ({ buying, selling }: AccountEntry | TrustlineEntry): xdr.Liabilities =>
  new xdr.Liabilities({ buying, selling })

const hasLiabilities = ({ buying, selling }: AccountEntry | TrustlineEntry): boolean =>
  buying !== 0n || selling !== 0n

const hasSponsorships = ({ sponsored, sponsoring, signers }: AccountEntry): boolean =>
  sponsored !== 0 || sponsoring !== 0 || signers.some(({ sponsor }) => sponsor !== undefined)

/** As few extensions as hold the account: stellar-core adds each when an account first needs it. */
const accountExtension = (account: AccountEntry): xdr.AccountEntryExt => {
  const { seqLedger, seqTime } = account
  const isNumbered = seqLedger !== 0 || seqTime !== 0n
  const isExtended = isNumbered || hasSponsorships(account)
  if (!isExtended && !hasLiabilities(account)) return xdr.AccountEntryExt.v0()
  const numbers = (): xdr.AccountEntryExtensionV2Ext =>
    xdr.AccountEntryExtensionV2Ext.v3(
      new xdr.AccountEntryExtensionV3({ ext: xdr.ExtensionPoint.v0(), seqLedger, seqTime }),
    )
  const sponsorships = (): xdr.AccountEntryExtensionV1Ext =>
    xdr.AccountEntryExtensionV1Ext.v2(
      new xdr.AccountEntryExtensionV2({
        numSponsored: account.sponsored,
        numSponsoring: account.sponsoring,
        signerSponsoringIDs: account.signers.map(({ sponsor }) => sponsorOf(sponsor)),
        ext: isNumbered ? numbers() : xdr.AccountEntryExtensionV2Ext.v0(),
      }),
    )
  return xdr.AccountEntryExt.v1(
    new xdr.AccountEntryExtensionV1({
      liabilities: liabilitiesOf(account),
      ext: isExtended ? sponsorships() : xdr.AccountEntryExtensionV1Ext.v0(),
    }),
  )
}

const trustlineExtension = (line: TrustlineEntry): xdr.TrustLineEntryExt => {
  if (line.poolUses === 0 && !hasLiabilities(line)) return xdr.TrustLineEntryExt.v0()
  const uses = (): xdr.TrustLineEntryV1Ext =>
    xdr.TrustLineEntryV1Ext.v2(
      new xdr.TrustLineEntryExtensionV2({
        liquidityPoolUseCount: line.poolUses,
        ext: xdr.TrustLineEntryExtensionV2Ext.v0(),
      }),
    )
  return xdr.TrustLineEntryExt.v1(
    new xdr.TrustLineEntryV1({
      liabilities: liabilitiesOf(line),
      ext: line.poolUses === 0 ? xdr.TrustLineEntryV1Ext.v0() : uses(),
    }),
  )
}

const xdrAccountOf = (account: AccountEntry): xdr.AccountEntry =>
  new xdr.AccountEntry({
    accountId: publicKeyOf(account.address),
    balance: account.balance,
    seqNum: account.seqNum,
    numSubEntries: account.subentries,
    inflationDest: sponsorOf(account.inflationDestination),
    flags: account.flags,
    homeDomain: account.homeDomain,
    thresholds: Uint8Array.of(
      account.masterWeight,
      account.lowThreshold,
      account.mediumThreshold,
      account.highThreshold,
    ),
    signers: account.signers.map(
      ({ key, weight }) => new xdr.Signer({ key: xdr.SignerKey.fromXdr(key, 'base64'), weight }),
    ),
    ext: accountExtension(account),
  })

const xdrTrustlineOf = (line: TrustlineEntry): xdr.TrustLineEntry =>
  new xdr.TrustLineEntry({
    accountId: publicKeyOf(line.account),
    asset: xdrTrustLineAssetOf(line.asset),
    balance: line.balance,
    limit: line.limit,
    flags: line.flags,
    ext: trustlineExtension(line),
  })

/** The offer in XDR. */
export const xdrOfferOf = (offer: OfferEntry): xdr.OfferEntry =>
  new xdr.OfferEntry({
    sellerId: publicKeyOf(offer.seller),
    offerId: offer.offerId,
    selling: xdrAssetOf(offer.selling),
    buying: xdrAssetOf(offer.buying),
    amount: offer.amount,
    price: new xdr.Price(offer.price),
    flags: 0,
    ext: xdr.OfferEntryExt.v0(),
  })

/** The id of a claimable balance, 32 bytes in hex, in XDR. */
export const xdrBalanceIdOf = (balanceId: string): xdr.ClaimableBalanceId =>
  xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(Buffer.from(balanceId, 'hex'))

const xdrClaimableOf = (balance: ClaimableEntry): xdr.ClaimableBalanceEntry =>
  new xdr.ClaimableBalanceEntry({
    balanceId: xdrBalanceIdOf(balance.balanceId),
    claimants: [...balance.claimants],
    asset: xdrAssetOf(balance.asset),
    amount: balance.amount,
    ext: balance.clawback
      ? xdr.ClaimableBalanceEntryExt.v1(
          new xdr.ClaimableBalanceEntryExtensionV1({
            ext: xdr.ClaimableBalanceEntryExtensionV1Ext.v0(),
            flags: 1,
          }),
        )
      : xdr.ClaimableBalanceEntryExt.v0(),
  })

/** An entry's data in XDR. */
export const entryDataOf = (entry: Entry): xdr.LedgerEntryData => {
  switch (entry.kind) {
    case 'account':
      return xdr.LedgerEntryData.account(xdrAccountOf(entry))
    case 'trustline':
      return xdr.LedgerEntryData.trustline(xdrTrustlineOf(entry))
    case 'offer':
      return xdr.LedgerEntryData.offer(xdrOfferOf(entry))
    case 'claimable':
      return xdr.LedgerEntryData.claimableBalance(xdrClaimableOf(entry))
    case 'data':
      return xdr.LedgerEntryData.data(
        new xdr.DataEntry({
          accountId: publicKeyOf(entry.account),
          dataName: Buffer.from(entry.name, 'hex'),
          dataValue: Buffer.from(entry.value, 'hex'),
          ext: xdr.DataEntryExt.v0(),
        }),
      )
  }
}

/** An entry of the ledger in XDR. */
export const ledgerEntryOf = ({ entry, modifiedIn }: StoredEntry): xdr.LedgerEntry =>
  new xdr.LedgerEntry({
    lastModifiedLedgerSeq: modifiedIn,
    data: entryDataOf(entry),
    ext:
      entry.sponsor === undefined
        ? xdr.LedgerEntryExt.v0()
        : xdr.LedgerEntryExt.v1(
            new xdr.LedgerEntryExtensionV1({
              sponsoringId: publicKeyOf(entry.sponsor),
              ext: xdr.LedgerEntryExtensionV1Ext.v0(),
            }),
          ),
  })

/** The XDR key of an entry. */
export const ledgerKeyOf = (entry: Entry): xdr.LedgerKey => {
  switch (entry.kind) {
    case 'account':
      return xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: publicKeyOf(entry.address) }))
    case 'trustline':
      return xdr.LedgerKey.trustline(
        new xdr.LedgerKeyTrustLine({
          accountId: publicKeyOf(entry.account),
          asset: xdrTrustLineAssetOf(entry.asset),
        }),
      )
    case 'offer':
      return xdr.LedgerKey.offer(
        new xdr.LedgerKeyOffer({ sellerId: publicKeyOf(entry.seller), offerId: entry.offerId }),
      )
    case 'claimable':
      return xdr.LedgerKey.claimableBalance(
        new xdr.LedgerKeyClaimableBalance({ balanceId: xdrBalanceIdOf(entry.balanceId) }),
      )
    case 'data':
      return xdr.LedgerKey.data(
        new xdr.LedgerKeyData({
          accountId: publicKeyOf(entry.account),
          dataName: Buffer.from(entry.name, 'hex'),
        }),
      )
  }
}

/** The internal key for an XDR key; undefined for kinds of entries that the sandbox does not keep. */
export const keyOfLedgerKey = (key: xdr.LedgerKey): string | undefined => {
  switch (key.type) {
    case 'account':
      return accountKey(addressOf(key.account.accountId))
    case 'trustline': {
      const asset = assetNameOf(key.trustLine.asset)
      return asset === undefined ? undefined : trustlineKey(addressOf(key.trustLine.accountId), asset)
    }
    case 'offer':
      return offerKey(addressOf(key.offer.sellerId), key.offer.offerId)
    case 'claimableBalance':
      return claimableKey(Buffer.from(key.claimableBalance.balanceId.v0.value).toString('hex'))
    case 'data':
      return dataKey(addressOf(key.data.accountId), Buffer.from(key.data.dataName.bytes).toString('hex'))
    default:
      return undefined
  }
}

/** A change in the form of transaction meta: the state before, and the state after or the removal. */
export const changesOf = ({ before, after }: EntryDelta): readonly xdr.LedgerEntryChange[] => {
  const state = before === undefined ? [] : [xdr.LedgerEntryChange.ledgerEntryState(ledgerEntryOf(before))]
  if (after !== undefined) {
    const entry = ledgerEntryOf(after)
    return before === undefined
      ? [xdr.LedgerEntryChange.ledgerEntryCreated(entry)]
      : [...state, xdr.LedgerEntryChange.ledgerEntryUpdated(entry)]
  }
  return before === undefined
    ? []
    : [...state, xdr.LedgerEntryChange.ledgerEntryRemoved(ledgerKeyOf(before.entry))]
}
