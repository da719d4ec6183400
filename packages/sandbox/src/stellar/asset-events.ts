import { nativeToScVal, StrKey, xdr } from '@stellar/stellar-sdk/base'
import { publicKeyOf } from './address.ts'
import { type AssetName, assetContractOf, issues, NATIVE } from './asset-name.ts'
import { xdrBalanceIdOf } from './entry-xdr.ts'

/** A change of balances; accounts by G address, claimable balances by id in hex. */
export type AssetFact =
  | {
      readonly kind: 'movement'
      readonly from: string
      readonly to: string
      readonly asset: AssetName
      readonly amount: bigint
      /** The muxed id or memo of a payment; null without one. */
      readonly toMuxedId: xdr.ScVal | null
    }
  | {
      readonly kind: 'authorization'
      readonly account: string
      readonly asset: AssetName
      readonly authorized: boolean
    }
  | {
      readonly kind: 'clawback'
      readonly from: string
      readonly asset: AssetName
      readonly amount: bigint
    }
  | { readonly kind: 'fee'; readonly from: string; readonly amount: bigint }

/** An event of a contract that is no asset's. */
export type ContractFact = {
  readonly kind: 'event'
  readonly contract: string
  readonly topics: readonly xdr.ScVal[]
  readonly data: xdr.ScVal
}

const isAccount = (party: string): boolean => party.startsWith('G')

const addressValue = (party: string): xdr.ScVal =>
  xdr.ScVal.scvAddress(
    isAccount(party)
      ? xdr.ScAddress.scAddressTypeAccount(publicKeyOf(party))
      : xdr.ScAddress.scAddressTypeClaimableBalance(xdrBalanceIdOf(party)),
  )

const amountValue = (amount: bigint): xdr.ScVal => nativeToScVal(amount, { type: 'i128' })

/** The event's value: the amount, or a map of amount and muxed id. */
const paidValue = (amount: bigint, toMuxedId: xdr.ScVal | null): xdr.ScVal =>
  toMuxedId === null
    ? amountValue(amount)
    : xdr.ScVal.scvMap([
        new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol('amount'), val: amountValue(amount) }),
        new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol('to_muxed_id'), val: toMuxedId }),
      ])

/** Topics and value of an event. A payment by the issuer is a mint, a payment to it a burn. Source: CAP-67. */
const bodyOf = (fact: AssetFact): { readonly topics: xdr.ScVal[]; readonly data: xdr.ScVal } => {
  const symbol = xdr.ScVal.scvSymbol
  switch (fact.kind) {
    case 'fee':
      return { topics: [symbol('fee'), addressValue(fact.from)], data: amountValue(fact.amount) }
    case 'clawback':
      return {
        topics: [symbol('clawback'), addressValue(fact.from), xdr.ScVal.scvString(fact.asset)],
        data: amountValue(fact.amount),
      }
    case 'authorization':
      return {
        topics: [symbol('set_authorized'), addressValue(fact.account), xdr.ScVal.scvString(fact.asset)],
        data: xdr.ScVal.scvBool(fact.authorized),
      }
    case 'movement': {
      const { from, to, asset, amount, toMuxedId } = fact
      const name = xdr.ScVal.scvString(asset)
      const minted = issues(from, asset)
      const burned = issues(to, asset)
      if (burned && !minted)
        return { topics: [symbol('burn'), addressValue(from), name], data: amountValue(amount) }
      const data = paidValue(amount, toMuxedId)
      return minted && !burned
        ? { topics: [symbol('mint'), addressValue(to), name], data }
        : { topics: [symbol('transfer'), addressValue(from), addressValue(to), name], data }
    }
  }
}

/** Encodes balance changes and contracts' own events as events of the network with the passphrase. Source: CAP-67. */
export const createEventWriter = (
  networkPassphrase: string,
): ((fact: AssetFact | ContractFact) => xdr.ContractEvent) => {
  const contracts = new Map<AssetName, xdr.ContractId>()
  const contractOf = (asset: AssetName): xdr.ContractId => {
    const known = contracts.get(asset)
    if (known !== undefined) return known
    const id = new xdr.ContractId(StrKey.decodeContract(assetContractOf(asset, networkPassphrase)))
    if (contracts.size < 10_000) contracts.set(asset, id)
    return id
  }
  return (fact) =>
    new xdr.ContractEvent({
      ext: xdr.ExtensionPoint.v0(),
      contractId:
        fact.kind === 'event'
          ? new xdr.ContractId(StrKey.decodeContract(fact.contract))
          : contractOf(fact.kind === 'fee' ? NATIVE : fact.asset),
      type: xdr.ContractEventType.contract,
      body: xdr.ContractEventBody.v0(
        new xdr.ContractEventV0(
          fact.kind === 'event' ? { topics: [...fact.topics], data: fact.data } : bodyOf(fact),
        ),
      ),
    })
}

/**
 * The reference of a payment: the id of a muxed destination, else the transaction's memo, else null. Source: CAP-67,
 * "Emit a map as the data field".
 */
export const muxedIdOf = (destinationId: bigint | undefined, memo: xdr.Memo): xdr.ScVal | null => {
  if (destinationId !== undefined) return xdr.ScVal.scvU64(destinationId)
  switch (memo.type) {
    case 'memoNone':
      return null
    case 'memoText':
      return xdr.ScVal.scvString(memo.text)
    case 'memoId':
      return xdr.ScVal.scvU64(memo.id)
    case 'memoHash':
      return xdr.ScVal.scvBytes(memo.hash.value)
    case 'memoReturn':
      return xdr.ScVal.scvBytes(memo.retHash.value)
  }
}
