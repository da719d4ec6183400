import type { xdr } from '@stellar/stellar-sdk/base'
import type { AssetContracts } from './asset-contracts.ts'
import type { AssetFact, ContractFact } from './asset-events.ts'
import type { EntryView } from './entry-view.ts'
import type { Sponsorships } from './reserves.ts'

/** The ledger being closed: its sequence, and its close time in seconds since the epoch. */
export type LedgerMoment = { readonly sequence: number; readonly closeTime: bigint }

/** An operation's view of the ledger; its changes and events are kept only when it succeeds. */
export type OperationContext = {
  readonly view: EntryView
  readonly moment: LedgerMoment
  /** The G address that the operation acts for. */
  readonly source: string
  readonly transaction: { readonly source: string; readonly seqNum: bigint; readonly memo: xdr.Memo }
  /** Index of the operation in its transaction, from 0. */
  readonly position: number
  readonly sponsorships: Sponsorships
  readonly tell: (fact: AssetFact | ContractFact) => void
  readonly contracts: AssetContracts
  /** Returns an unused offer id. */
  readonly nextOfferId: () => bigint
}

/** Applies one kind of operation and returns its result. */
export type ApplyOperation<Body> = (context: OperationContext, body: Body) => xdr.OperationResult
