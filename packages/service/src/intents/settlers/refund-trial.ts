import { EVM_NATIVE_TOKEN } from '../../chains/evm/address.ts'
import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import { refundCall } from './settler-contract.ts'

/** Gas limit of a refund, which pays the depositor. */
export const REFUND_GAS = 600_000n
/** Of native value for an account with code, which may burn all that it gets. */
const CODE_REFUND_GAS = 150_000n

/**
 * The gas limit to sign an order's refund with; undefined while it would revert at the newest blocks of a quorum of endpoints,
 * as for a depositor that takes no native value. Without `from` the caller does not matter. Rejects if the chain cannot be read.
 */
export const refundGas = async (
  evm: Pick<EvmChain, 'callAgreed' | 'hasCode'>,
  order: IntentOrder,
  from?: string,
): Promise<bigint | undefined> => {
  const mayBurn = order.inputToken === EVM_NATIVE_TOKEN && (await evm.hasCode(order.depositor))
  const gas = mayBurn ? CODE_REFUND_GAS : REFUND_GAS
  const { data } = refundCall(order)
  const call = { to: order.originSettler, data, gas, mayRevert: true, ...(from && { from }) } as const
  const [result] = await evm.callAgreed([call], {})
  return result === undefined ? undefined : gas
}
