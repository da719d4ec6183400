import { rpcErrorCode } from '../../chains/rpc/rpc-error.ts'
import type { OrderId } from '../../core/intent-order.ts'
import { orderIdOf } from '../settlers/settler-contract.ts'
import { transactionWord } from './attestation-signer.ts'
import type { FillClaim } from './payment-fill.ts'

/** The answer to a claim: the attestation, why to ask again later, or why never to. */
export type ClaimAnswer =
  | { readonly kind: 'attested'; readonly transaction: string; readonly signature: string }
  | { readonly kind: 'waiting'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string }

/** Judges claims; rejects if a chain cannot be read. */
export type ClaimJudge = (claim: FillClaim) => Promise<ClaimAnswer>

export const refused = (reason: string) => ({ kind: 'refused', reason }) as const
export const waiting = (reason: string) => ({ kind: 'waiting', reason }) as const

/** A claim with its order's id and the 32 bytes that name its transaction. */
export type NamedClaim = FillClaim & { readonly orderId: OrderId; readonly word: `0x${string}` }

const orNothing = <Value>(read: () => Value): Value | undefined => {
  try {
    return read()
  } catch {
    // No contract accepts the order, or the text names no transaction on its chain.
    return undefined
  }
}

/** Refuses claims of orders and transactions that no contract accepts; a fill that is not final waits. */
export const judgeNamed =
  (judge: (claim: NamedClaim) => Promise<ClaimAnswer>): ClaimJudge =>
  async (claim) => {
    const { order, transaction: txHash } = claim
    const orderId = orNothing(() => orderIdOf(order))
    if (orderId === undefined) return refused('the order is invalid')
    const word = orNothing(() => transactionWord({ chainId: order.destinationChain, txHash }))
    if (word === undefined) return refused(`${txHash} names no transaction`)
    try {
      return await judge({ ...claim, orderId, word })
    } catch (error) {
      if (rpcErrorCode(error) !== 'NODE_BEHIND') throw error
      return waiting('the fill is not final')
    }
  }
