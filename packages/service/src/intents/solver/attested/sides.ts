import type { ChainId } from '@openrfq/sdk'
import type { EvmChain } from '../../../chains/evm/evm-chain.ts'
import type { PaymentChain } from '../../../chains/payment-chain.ts'
import { isSameAddress } from '../../../core/comparable-address.ts'
import type { IntentOrder, OrderId } from '../../../core/intent-order.ts'
import { orderIdOf } from '../../settlers/settler-contract.ts'
import type { SolverChain, SolverPaymentChain } from '../assets.ts'
import type { EscrowSide } from './escrow-side.ts'

/** A chain on which attested orders begin or end, as the solver sees it. */
export type AttestedSide = {
  readonly chainId: ChainId
  /** The AttestedSettler contract, the escrow program, or the operator's vault. */
  readonly settler: string
  /** The account that the solver pays from and is repaid to. */
  readonly account: string
} & (
  | { readonly kind: 'evm'; readonly evm: EvmChain }
  | {
      readonly kind: 'payment'
      readonly paymentChain: PaymentChain
      /** Holds the deposits; undefined where the operator's vault does. */
      readonly escrow: EscrowSide | undefined
    }
)

/** The chains of attested orders by their ids. */
export type AttestedSides = ReadonlyMap<ChainId, AttestedSide>

/** The chains on which attested orders may begin and end; none without an attester. */
export const attestedSides = (part: {
  readonly chains: ReadonlyMap<ChainId, SolverChain>
  readonly paymentChains: ReadonlyMap<ChainId, SolverPaymentChain>
  readonly account: string
  readonly attester: string | undefined
}): AttestedSides => {
  if (part.attester === undefined || part.paymentChains.size === 0) return new Map()
  const sides = new Map<ChainId, AttestedSide>()
  for (const { chainId, evm, attestedSettler: settler } of part.chains.values())
    if (settler !== undefined)
      sides.set(chainId, { chainId, settler, account: part.account, kind: 'evm', evm })
  for (const { chainId, paymentChain, settler, account, escrow } of part.paymentChains.values())
    sides.set(chainId, { chainId, settler, account, kind: 'payment', paymentChain, escrow })
  return sides
}

/** The escrow program that holds the deposits of orders from a chain. */
export const escrowOn = (sides: AttestedSides, chainId: ChainId): EscrowSide | undefined => {
  const side = sides.get(chainId)
  return side?.kind === 'payment' ? side.escrow : undefined
}

/** Whether a declined order from the chain is refunded by the operator, whom the solver tells. */
export const isRefundedByOperator = (sides: AttestedSides, chainId: ChainId): boolean =>
  sides.get(chainId)?.kind === 'payment' && escrowOn(sides, chainId) === undefined

/** The terms that an order must match. */
type Terms = { readonly sides: AttestedSides; readonly attester: string | undefined }

/** Whether the id is the order's hash; an order that no contract accepts has none. */
const hasId = (orderId: OrderId, order: IntentOrder): boolean => {
  try {
    return orderIdOf(order) === orderId
  } catch {
    return false
  }
}

/** Whether the order is an attested one that would repay this solver; only those are examined. */
export const isAddressed = ({ sides }: Terms, orderId: OrderId, order: IntentOrder): boolean => {
  const origin = sides.get(order.originChain)
  return (
    order.attester !== undefined &&
    origin !== undefined &&
    isSameAddress(order.originSettler, origin.settler) &&
    isSameAddress(order.solver, origin.account) &&
    hasId(orderId, order)
  )
}

/** Whether an order addressed to the solver names the configured settlers, account and attester. */
export const isServed = ({ sides, attester }: Terms, order: IntentOrder): boolean => {
  const [origin, destination] = [sides.get(order.originChain), sides.get(order.destinationChain)]
  return (
    origin !== undefined &&
    destination !== undefined &&
    origin.chainId !== destination.chainId &&
    (origin.kind === 'payment' || destination.kind === 'payment') &&
    isSameAddress(order.destinationSettler, destination.settler) &&
    isSameAddress(order.filler, destination.account) &&
    attester !== undefined &&
    isSameAddress(order.attester ?? '', attester)
  )
}
