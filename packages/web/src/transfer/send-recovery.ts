import type { Quote, RecordedQuote, Recovery } from '@openrfq/sdk'
import type { FindNode, Signer } from '../wallets/payer.ts'

const NEVER = '9999-12-31T23:59:59Z'
/** The native asset where an EVM payer looks for it; a payment of none of it. */
const NOTHING = { token: `0x${'0'.repeat(40)}`, amount: '0' }

/** A recovery in the form of a quote that takes nothing but its fees: payers simulate, sign and send its actions as any others. */
const quoteOf = ({ chain, actions }: Recovery, { quoteId }: RecordedQuote): Quote => {
  const fee = {
    amount: '0',
    token: { chain, symbol: '', type: 'native' },
    paymentMethod: 'wallet_native',
    quoteTreatment: 'outside_quote',
  } as const
  return {
    quoteId,
    selectionReason: 'alternative',
    backend: { type: 'intent', name: 'recovery', tracking: { swapId: '' }, metadata: {} },
    estimatedTimeSeconds: 0,
    validity: { type: 'expires_at', quoteExpiresAt: NEVER },
    input: { chain, ...NOTHING },
    output: { chain, ...NOTHING, minimumAmount: '0' },
    fees: { gas: fee, user: fee, integrator: null },
    actions,
  }
}

/**
 * Simulates, signs and sends the actions of a recovery, each in a block before the next. Rejects when one would revert, is
 * declined or reverts.
 */
export const sendRecovery = async (
  recovery: Recovery,
  recorded: RecordedQuote,
  signer: Signer,
  findNode: FindNode,
): Promise<void> => {
  const quote = quoteOf(recovery, recorded)
  const payer = await signer.open(recovery.chain, findNode)
  await payer.simulate(quote)
  await payer.execute({ quote })
}
