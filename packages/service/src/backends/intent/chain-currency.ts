import type { ChainId } from '@openrfq/sdk'
import type { EscrowOrigins } from '../../intents/settlers/escrow-origins.ts'
import type { OrderEventIndex } from '../../intents/settlers/order-event-index.ts'
import type { PaymentIndex } from '../../intents/vault/payment-index.ts'

type Deps = {
  readonly paymentIndex: Pick<PaymentIndex, 'isCurrent' | 'historyFault'>
  readonly orders: Pick<OrderEventIndex, 'isCurrent' | 'historyFault'>
  readonly escrows: Pick<EscrowOrigins, 'isCurrent'>
}

/** Why a vault takes no deposits now; undefined if it does. */
type VaultFault = () => string | undefined

/** Which chains intents are quoted on: those that are read to their heads and whose vault can pay. */
export const createChainCurrency = ({ paymentIndex, orders, escrows }: Deps) => {
  const vaultFaults = new Map<ChainId, VaultFault>()
  return {
    isCurrent: (chainId: ChainId): boolean =>
      vaultFaults.get(chainId)?.() === undefined &&
      (paymentIndex.isCurrent(chainId) || orders.isCurrent(chainId)) &&
      escrows.isCurrent(chainId) !== false,
    historyFault: (chainId: ChainId) => paymentIndex.historyFault(chainId) ?? orders.historyFault(chainId),
    watchVault: (chainId: ChainId, fault: VaultFault): void => {
      vaultFaults.set(chainId, fault)
    },
  }
}

export type ChainCurrency = ReturnType<typeof createChainCurrency>
