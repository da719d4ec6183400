import { type ChainId, chainTypeOf } from '@openrfq/sdk'
import { privateKeyToAccount } from 'viem/accounts'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import type { EvmPrivateKey } from '../../core/evm-private-key.ts'
import type { OrderId } from '../../core/intent-order.ts'
import type { Payment } from '../../core/payment.ts'
import type { Fact, FactCheck } from '../../transactions/fact-check.ts'
import { escrowFillDigest } from '../settlers/attestation.ts'
import type { EscrowReader } from '../settlers/escrow-reader.ts'
import {
  type ClaimAnswer,
  type ClaimJudge,
  judgeNamed,
  type NamedClaim,
  refused,
  waiting,
} from './claim-answer.ts'
import { type EvmFills, findEvmFill } from './evm-fill.ts'
import { type FillChains, findPaymentFill } from './payment-fill.ts'

/** The escrow program on a chain, and what reads its orders. */
export type EscrowOrigin = {
  readonly program: string
  readonly chain: Pick<PaymentChain, 'head'>
  readonly reader: Pick<EscrowReader, 'agreed'>
}

type Deps = {
  readonly privateKey: EvmPrivateKey
  readonly origins: ReadonlyMap<ChainId, EscrowOrigin>
  /** The AttestedSettlers of EVM chains. */
  readonly evmFills: ReadonlyMap<ChainId, EvmFills>
  /** The chains on which fills are payments. */
  readonly paymentChains: FillChains
  readonly paidFact: (payment: Payment) => Fact
  readonly factCheck: Pick<FactCheck, 'allows'>
}

/** A final fill and the fact that it rests on, or why there is none. */
type FillFinding =
  | { readonly kind: 'found'; readonly fact: Fact }
  | { readonly kind: 'waiting' | 'refused'; readonly reason: string }

/** The fill of an order in the named transaction. Throws RpcError NODE_BEHIND while a payment is not final. */
export const findFill = async (
  deps: Pick<Deps, 'evmFills' | 'paymentChains' | 'paidFact'>,
  { orderId, order, transaction }: Pick<NamedClaim, 'orderId' | 'order' | 'transaction'>,
): Promise<FillFinding> => {
  if (chainTypeOf(order.destinationChain) !== 'evm') {
    const found = await findPaymentFill(deps.paymentChains, { orderId, order, isOpen: true }, transaction)
    return 'why' in found ? refused(found.why) : { kind: 'found', fact: deps.paidFact(found.payment) }
  }
  const fills = deps.evmFills.get(order.destinationChain)
  // Any other contract could claim fills that it never made.
  if (fills?.settler !== order.destinationSettler)
    return refused(`${order.destinationSettler} is no settler of ${order.destinationChain} known here`)
  const fill = await findEvmFill(fills, orderId, order, transaction)
  if (fill === 'not final') return waiting(`transaction ${transaction} is not final`)
  if (fill === 'none') return refused(`no fill in transaction ${transaction}`)
  return { kind: 'found', fact: fill }
}

/** Why the escrow of an order cannot be released now; undefined if it can. */
const whyNotOpen = async (
  { chain, reader }: EscrowOrigin,
  orderId: OrderId,
): Promise<ClaimAnswer | undefined> => {
  const head = chain.head()
  if (head === undefined) return waiting('the origin cannot be read')
  const state = (await reader.agreed([orderId], head.finalNumber)).get(orderId)
  if (state === undefined) return waiting('the endpoints of the origin do not agree yet')
  if (state.status === 'missing') return waiting('the order is not open in a final block')
  return state.status === 'open' ? undefined : refused(`the order is ${state.status}`)
}

/**
 * Creates the part of an attester that signs releases of the escrow program, and sends nothing. It signs for an order that
 * names its key and is open in a final block, whose fill a quorum of endpoints finds in the named transaction and no endpoint
 * denies. A caller that brings the order proves its terms by their hash, which is the id of the escrow.
 */
export const createEscrowAttester = (deps: Deps): ClaimJudge => {
  const account = privateKeyToAccount(deps.privateKey)
  return judgeNamed(async (claim) => {
    const { order, orderId, word } = claim
    if (order.attester !== account.address) return refused('the order names another attester')
    const origin = deps.origins.get(order.originChain)
    if (origin?.program !== order.originSettler)
      return refused(`${order.originSettler} is no escrow program of ${order.originChain} known here`)
    const why = await whyNotOpen(origin, orderId)
    if (why !== undefined) return why
    const fill = await findFill(deps, claim)
    if (fill.kind !== 'found') return fill
    if (!(await deps.factCheck.allows(`release:${orderId}`, [fill.fact])))
      return waiting('an endpoint denies the fill')
    const signature = await account.sign({ hash: escrowFillDigest(order, orderId, word) })
    return { kind: 'attested', transaction: word, signature }
  })
}
