import type * as contract from '@openrfq/sandbox/test/intent-order.ts'
import { type Hex, hexToString } from 'viem'
import { baseUnits } from '../src/core/amount.ts'
import type { IntentOrder } from '../src/core/intent-order.ts'

/** Tests only: an order of a settler in the service's form, from the contract's. */
export const orderOfContract = (settler: Hex, order: contract.IntentOrder): IntentOrder => {
  const { originChainId, destinationChainId, destinationChain, exclusiveUntil, integrator, ...rest } = order
  const { integratorFee, ...common } = rest
  return {
    ...common,
    originChain: `eip155:${originChainId}`,
    originSettler: settler,
    destinationChain: `eip155:${destinationChainId}`,
    destinationSettler: settler,
    inputAmount: baseUnits(order.inputAmount),
    outputAmount: baseUnits(order.outputAmount),
    proven: {
      destinationName: hexToString(destinationChain, { size: 32 }),
      exclusiveUntil,
      integrator,
      integratorFee: baseUnits(integratorFee),
    },
  }
}
