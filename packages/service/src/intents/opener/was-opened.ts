import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import { RpcError } from '../../chains/rpc/rpc-error.ts'
import type { OrderId } from '../../core/intent-order.ts'
import { readStatus, statusCall } from '../settlers/order-status.ts'

/**
 * Whether an order was opened in final blocks of its origin by any sender: everybody who reads a pending opening can send the
 * same call first. Rejects if the chain cannot be read.
 */
export const wasOpened = async (
  evm: Pick<EvmChain, 'head' | 'callAgreed'>,
  settler: string,
  orderId: OrderId,
): Promise<boolean> => {
  const head = evm.head()
  if (head === undefined) throw new RpcError('NO_HEAD', `order ${orderId} cannot be read`)
  const after = { number: head.finalNumber }
  const [result] = await evm.callAgreed([statusCall({ settler }, orderId)], { after })
  const status = readStatus('intent', result)
  if (status === undefined)
    throw new RpcError('NO_AGREEMENT', `${settler} tells no status of order ${orderId}`)
  return status !== 'none'
}
