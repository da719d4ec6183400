import type { ChainId } from '@openrfq/sdk'
import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import type { PaymentChain, SharedAccounts, SigningMarks } from '../../chains/payment-chain.ts'
import type { Instant } from '../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { IntentTerms } from '../../core/network.ts'
import type { Payment } from '../../core/payment.ts'
import type { VaultSigners } from '../../core/vault-signers.ts'
import type { Log } from '../../lib/log.ts'
import type { Store } from '../../store/store.ts'
import type { Fact, FactCheck } from '../../transactions/fact-check.ts'
import type { Objection } from './verdict.ts'

/** A vault that the co-signer signs for, and the chain it is on. */
export type VaultToSign = {
  readonly chain: PaymentChain
  readonly accounts: SharedAccounts
  readonly signingMarks: SigningMarks
  /** How many of the chain's endpoints must agree. */
  readonly quorum: number
  readonly vault: string
  /** The accounts whose sequence numbers its payouts may use beside its own. */
  readonly channels: readonly string[]
  readonly signers: VaultSigners
  readonly secret: string
  readonly treasury: readonly string[]
  /** Whether the vault holds a token of the catalogue. */
  readonly isToken: (token: string) => boolean
}

/** An EVM chain with its settler, in EIP-55. */
export type SettlerToAsk = {
  readonly evm: Pick<EvmChain, 'chainId' | 'head' | 'finalBlock' | 'callAgreed' | 'callStatements'>
  readonly settler: string
}

/** A chain on which fills are payments. */
type PaymentsToAsk = {
  readonly chain: Pick<PaymentChain, 'absenceStatements'>
  readonly quorum: number
}

/** A transaction that is said to have filled an order. */
type ClaimedFill = {
  readonly orderId: OrderId
  readonly order: IntentOrder
  readonly transaction: string
}

/** Parts of the attester's process that the co-signer uses; all of them read through the process's own endpoints. */
export type CosignerDeps = {
  readonly vaults: ReadonlyMap<ChainId, VaultToSign>
  readonly settlers: ReadonlyMap<ChainId, SettlerToAsk>
  readonly payments: ReadonlyMap<ChainId, PaymentsToAsk>
  readonly terms: Pick<IntentTerms, 'solvers' | 'depositGraceSeconds'>
  /** The final fill of an order in a named transaction, by a quorum. */
  readonly findFill: (
    fill: ClaimedFill,
  ) => Promise<{ readonly kind: 'found'; readonly fact: Fact } | Objection>
  readonly paidFact: (payment: Payment) => Fact
  readonly factCheck: Pick<FactCheck, 'allows'>
  readonly store: Pick<
    Store,
    | 'findCosigned'
    | 'saveCosigned'
    | 'listDepositUses'
    | 'useDeposit'
    | 'nameOrder'
    | 'listNamedOrders'
    | 'forgetNamedOrders'
  >
  readonly now: () => Instant
  readonly log: Log
}
