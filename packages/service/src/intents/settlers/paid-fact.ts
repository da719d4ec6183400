import type { ChainId } from '@openrfq/sdk'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import { ConfigError } from '../../core/config-error.ts'
import type { Payment } from '../../core/payment.ts'
import type { Fact } from '../../transactions/fact-check.ts'

/**
 * The fact that a final payment on one of the payment chains was made as known. Throws ConfigError for a payment on
 * another chain.
 */
export const createPaidFact =
  (paymentChains: ReadonlyMap<ChainId, Pick<PaymentChain, 'paymentStatements'>>) =>
  (payment: Payment): Fact => {
    const { chainId, txHash, position } = payment
    const chain = paymentChains.get(chainId)
    if (chain === undefined) throw new ConfigError(`chain ${chainId} is no configured payment chain`)
    return {
      chainId,
      text: `payment ${position} of transaction ${txHash} was made`,
      ask: () => chain.paymentStatements(payment),
    }
  }
