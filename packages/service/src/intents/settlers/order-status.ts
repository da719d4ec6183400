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

/** `record` of either settler: a kind and an account. */
const RECORD = '0xb5c645bd'
const KINDS = {
  intent: ['none', 'open', 'refunded', 'filled', 'proven', 'released'],
  attested: ['none', 'open', 'refunded', 'released'],
} as const satisfies Record<SettlerKind, readonly OrderStatus[]>

/** The call that reads an order's status in a settler. */
export const statusCall = ({ settler }: Pick<SettlerContract, 'settler'>, orderId: OrderId): EvmCall => ({
  to: settler,
  data: RECORD + bytes32Word(orderId),
})

/**
 * The status in a call's result; undefined for a revert or any other result. An AttestedSettler has no kind for a fill:
 * the account that is to be repaid says it.
 */
export const readStatus = (kind: SettlerKind, result: string | undefined): OrderStatus | undefined => {
  const found = uintAt(result ?? '0x', 0)
  const repayTo = kind === 'attested' ? uintAt(result ?? '0x', 1) : 0n
  if (found === undefined || repayTo === undefined) return undefined
  return repayTo === 0n ? KINDS[kind][Number(found)] : 'filled'
}
