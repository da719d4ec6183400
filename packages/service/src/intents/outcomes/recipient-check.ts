import type { ChainId } from '@openrfq/sdk'
import { EVM_NATIVE_TOKEN } from '../../chains/evm/address.ts'
import { transferData } from '../../chains/evm/erc20.ts'
import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import { ConfigError } from '../../core/config-error.ts'
import type { IntentOrder } from '../../core/intent-order.ts'

/** The chains of destinations. */
export type RecipientCheckDeps = {
  readonly evmChains: ReadonlyMap<ChainId, Pick<EvmChain, 'callMany' | 'hasCode'>>
  readonly paymentChains: ReadonlyMap<ChainId, Pick<PaymentChain, 'agreedWhyNotPayable'>>
}

type Payable = Pick<
  IntentOrder,
  'destinationChain' | 'destinationSettler' | 'recipient' | 'outputToken' | 'outputAmount'
>

/** Whether a solver could pay an order's recipient now. Rejects if the destination chain cannot be read. */
export type RecipientCheck = (order: Payable) => Promise<boolean>

/**
 * Creates the check. An account with code counts as not payable in a native asset, because its code may burn the
 * filler's gas or refuse; a token's recipient as not payable if the token refuses a transfer of nothing to it.
 */
export const createRecipientCheck = ({ evmChains, paymentChains }: RecipientCheckDeps): RecipientCheck => {
  const isPayableByToken = async (
    chain: Pick<EvmChain, 'callMany'>,
    { outputToken: to, recipient, destinationSettler: from }: Payable,
  ): Promise<boolean> => {
    const [result] = await chain.callMany([{ from, to, data: transferData(recipient, 0n) }])
    return result !== undefined
  }
  return async (order) => {
    const { destinationChain, recipient, outputToken, outputAmount } = order
    const evm = evmChains.get(destinationChain)
    if (evm !== undefined)
      return outputToken === EVM_NATIVE_TOKEN ? !(await evm.hasCode(recipient)) : isPayableByToken(evm, order)
    const paymentChain = paymentChains.get(destinationChain)
    if (paymentChain === undefined) throw new ConfigError(`chain ${destinationChain} is not configured`)
    return (await paymentChain.agreedWhyNotPayable(recipient, outputToken, outputAmount)) === undefined
  }
}
