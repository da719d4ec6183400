import { bytes32Word, uintAt } from '../../chains/evm/abi-words.ts'
import type { EvmCall } from '../../chains/evm/evm-chain.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'

/** The two contracts through which orders are opened and filled: IntentSettler and AttestedSettler. */
export const SETTLER_KINDS = ['intent', 'attested'] as const
export type SettlerKind = (typeof SETTLER_KINDS)[number]

/** A settler contract on an EVM chain. */
export type SettlerContract = { readonly kind: SettlerKind; readonly settler: string }

/** The kind of settler that an order is opened and filled through on EVM chains. */
export const settlerKindOf = ({ attester }: Pick<IntentOrder, 'attester'>): SettlerKind =>
  attester === undefined ? 'intent' : 'attested'

/** An order's status in a settler; `proven`, of an IntentSettler only: the fill is proven and not repaid yet. */
export type OrderStatus = 'none' | 'open' | 'proven' | 'released' | 'refunded' | 'filled'

/** How the settlers answer a status: `record` of an IntentSettler, `statusOf` of an AttestedSettler. */
const READS = {
  intent: { selector: '0xb5c645bd', names: ['none', 'open', 'refunded', 'filled', 'proven', 'released'] },
  attested: { selector: '0xc7df14e2', names: ['none', 'open', 'released', 'refunded', 'filled'] },
} as const satisfies Record<SettlerKind, { selector: string; names: readonly OrderStatus[] }>

/** The call that reads an order's status in a settler. */
export const statusCall = ({ kind, settler }: SettlerContract, orderId: OrderId): EvmCall => ({
  to: settler,
  data: READS[kind].selector + bytes32Word(orderId),
})

/** The status in a call's result; undefined for a revert or any other result. */
export const readStatus = (kind: SettlerKind, result: string | undefined): OrderStatus | undefined =>
  READS[kind].names[Number(uintAt(result ?? '0x', 0) ?? -1n)]
