import { toIso } from './instant.ts'
import type { OfferedFee } from './offer.ts'
import type { RankedQuote } from './ranked-quote.ts'

/** A quote as the quote endpoint answers it, in the field order of the interface. Absent fields are undefined. */
export const presentQuote = ({ record, offer, selectionReason, usd, integrator }: RankedQuote) => {
  const { fulfillmentDeadline: deadline } = record
  return {
    quoteId: record.quoteId,
    selectionReason,
    backend: {
      type: record.backend,
      name: record.backendName,
      tracking: offer.tracking,
      metadata: offer.metadata,
    },
    estimatedTimeSeconds: record.estimatedTimeSeconds,
    validity: {
      type: 'expires_at',
      quoteExpiresAt: toIso(record.quoteExpiresAt),
      fulfillmentDeadline: deadline === undefined ? undefined : toIso(deadline),
    },
    input: {
      chain: record.fromChain,
      token: record.fromToken,
      amount: record.input.toString(),
      amountUsdApprox: usd.input,
    },
    output: {
      chain: record.toChain,
      token: record.toToken,
      amount: record.output.toString(),
      minimumAmount: record.minimumOutput.toString(),
      amountUsdApprox: usd.output,
    },
    fees: { gas: presentFee(offer.gasFee, usd.gas), user: presentFee(offer.userFee, usd.user), integrator },
    actions: offer.actions,
  }
}

const presentFee = (
  { amount, token, paymentMethod, quoteTreatment }: OfferedFee,
  usd: string | undefined,
) => ({ amount: amount.toString(), amountUsdApprox: usd, token, paymentMethod, quoteTreatment })
