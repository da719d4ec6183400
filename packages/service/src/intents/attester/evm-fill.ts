import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { Fact } from '../../transactions/fact-check.ts'
import { repayTo } from '../settlers/attestation.ts'
import { readStatus, statusCall } from '../settlers/order-status.ts'
import { readSettlerEvent, SETTLER_TOPICS } from '../settlers/settler-events.ts'

/** An EVM chain with its AttestedSettler, in EIP-55. */
export type EvmFills = {
  readonly evm: Pick<EvmChain, 'chainId' | 'agreedReceipt' | 'finalBlock' | 'finalLogs' | 'callStatements'>
  readonly settler: string
}

/**
 * The fact that the settler filled an order in the named transaction for its solver's repayment, in a final block that a
 * quorum of endpoints gives alike; `none` if the transaction did not. Rejects if the chain cannot be read.
 */
export const findEvmFill = async (
  { evm, settler }: EvmFills,
  orderId: OrderId,
  order: Pick<IntentOrder, 'originChain' | 'solver'>,
  txHash: string,
): Promise<Fact | 'not final' | 'none'> => {
  // One endpoint that hides the receipt delays nothing.
  const place = await evm.agreedReceipt(txHash)
  if (place?.final !== true) return 'not final'
  const root = await evm.finalBlock(place.blockNumber - 1n)
  const filter = { addresses: [settler.toLowerCase()], topics0: [SETTLER_TOPICS.attestedFilled] }
  const found = await evm.finalLogs(root, place.blockNumber, filter)
  if (found === undefined) return 'not final'
  const isFilled = found.logs.some((log) => {
    const event = readSettlerEvent(log)
    if (log.txHash !== txHash || event?.kind !== 'attestedFilled') return false
    return event.orderId === orderId && event.repayTo === repayTo(order)
  })
  if (!isFilled) return 'none'
  const text = `order ${orderId} was filled in transaction ${txHash}`
  return {
    chainId: evm.chainId,
    text,
    ask: () =>
      evm.callStatements({
        about: text,
        call: statusCall({ settler }, orderId),
        confirms: (result) => readStatus('attested', result) === 'filled',
        after: found.last,
      }),
  }
}
