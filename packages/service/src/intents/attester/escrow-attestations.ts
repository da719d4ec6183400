import { type ChainId, chainTypeOf } from '@openrfq/sdk'
import { privateKeyToAccount } from 'viem/accounts'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import { rpcErrorCode } from '../../chains/rpc/rpc-error.ts'
import { accountBehind } from '../../chains/stellar/muxed-account.ts'
import type { EvmPrivateKey } from '../../core/evm-private-key.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { Payment } from '../../core/payment.ts'
import type { Fact, FactCheck } from '../../transactions/fact-check.ts'
import { escrowFillDigest } from '../settlers/attestation.ts'
import type { EscrowReader } from '../settlers/escrow-reader.ts'
import { orderIdOf } from '../settlers/settler-contract.ts'
import { transactionWord } from './attestation-signer.ts'
import { type EvmFills, findEvmFill } from './evm-fill.ts'
import { whyNoFill } from './fill-check.ts'

/** A solver's statement that a transaction on the destination filled an order of the escrow program. */
export type FillClaim = {
  readonly order: IntentOrder
  /** The transaction's hash as its chain writes it. */
  readonly transaction: string
}

/** The answer to a claim: the attestation, why to ask again later, or why never to. */
export type ClaimAnswer =
  | { readonly kind: 'attested'; readonly transaction: string; readonly signature: string }
  | { readonly kind: 'waiting'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string }

/** Judges claims; rejects if a chain cannot be read. */
export type EscrowAttester = (claim: FillClaim) => Promise<ClaimAnswer>

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
  readonly paymentChains: ReadonlyMap<ChainId, Pick<PaymentChain, 'paymentsIn'>>
  readonly paidFact: (payment: Payment) => Fact
  readonly factCheck: Pick<FactCheck, 'allows'>
}

/** A final fill and the fact that it rests on, or why there is none. */
type FillFinding =
  | { readonly kind: 'found'; readonly fact: Fact }
  | { readonly kind: 'waiting' | 'refused'; readonly reason: string }

const refused = (reason: string) => ({ kind: 'refused', reason }) as const
const waiting = (reason: string) => ({ kind: 'waiting', reason }) as const

const idOf = (order: IntentOrder): OrderId | undefined => {
  try {
    return orderIdOf(order)
  } catch {
    // No contract accepts the order.
    return undefined
  }
}

/** Looks for the fill in the named transaction of a payment chain. */
const findPayment = async (
  { paymentChains, paidFact }: Deps,
  orderId: OrderId,
  { order, transaction: txHash }: FillClaim,
): Promise<FillFinding> => {
  const chain = paymentChains.get(order.destinationChain)
  if (chain === undefined) return refused(`${order.destinationChain} is not read`)
  const to = accountBehind(order.recipient)?.account ?? order.recipient
  const payments = await chain.paymentsIn({ txHash, from: order.filler, to })
  const judged = payments.map((payment) => ({
    payment,
    why: whyNoFill({ orderId, order, isOpen: true }, payment),
  }))
  const fill = judged.find(({ why }) => why === undefined)
  return fill === undefined
    ? refused(`no fill in transaction ${txHash}: ${judged[0]?.why ?? 'no payment of the filler'}`)
    : { kind: 'found', fact: paidFact(fill.payment) }
}

const findFill = async (deps: Deps, orderId: OrderId, claim: FillClaim): Promise<FillFinding> => {
  const { order, transaction } = claim
  if (chainTypeOf(order.destinationChain) !== 'evm') return findPayment(deps, orderId, claim)
  const fills = deps.evmFills.get(order.destinationChain)
  // Any other contract could claim fills that it never made.
  if (fills?.settler !== order.destinationSettler)
    return refused(`${order.destinationSettler} is no settler of ${order.destinationChain} known here`)
  const fill = await findEvmFill(fills, orderId, transaction)
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

/** The 32 bytes that name a transaction; undefined for text that names none on its chain. */
const wordOf = ({ order, transaction }: FillClaim): `0x${string}` | undefined => {
  try {
    return transactionWord({ chainId: order.destinationChain, txHash: transaction })
  } catch {
    return undefined
  }
}

/**
 * Creates the part of an attester that signs releases of the escrow program, and sends nothing. It signs for an order that
 * names its key and is open in a final block, whose fill a quorum of endpoints finds in the named transaction and no endpoint
 * denies. Whoever brings the order proves its terms by their hash, which is the id of the escrow.
 */
export const createEscrowAttester = (deps: Deps): EscrowAttester => {
  const account = privateKeyToAccount(deps.privateKey)
  const judge = async (claim: FillClaim): Promise<ClaimAnswer> => {
    const { order } = claim
    if (order.attester !== account.address) return refused('the order names another attester')
    const origin = deps.origins.get(order.originChain)
    if (origin?.program !== order.originSettler)
      return refused(`${order.originSettler} is no escrow program of ${order.originChain} known here`)
    const [orderId, transaction] = [idOf(order), wordOf(claim)]
    if (orderId === undefined) return refused('the order is invalid')
    if (transaction === undefined) return refused(`${claim.transaction} names no transaction`)
    const why = await whyNotOpen(origin, orderId)
    if (why !== undefined) return why
    const fill = await findFill(deps, orderId, claim)
    if (fill.kind !== 'found') return fill
    if (!(await deps.factCheck.allows(`release:${orderId}`, [fill.fact])))
      return waiting('an endpoint denies the fill')
    const signature = await account.sign({ hash: escrowFillDigest(orderId, transaction) })
    return { kind: 'attested', transaction, signature }
  }
  return async (claim) => {
    try {
      return await judge(claim)
    } catch (error) {
      if (rpcErrorCode(error) !== 'NODE_BEHIND') throw error
      return waiting('the fill is not final')
    }
  }
}
