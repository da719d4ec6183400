import type { ProgramChain, ProgramEvents } from '../../chains/payment-chain.ts'
import { decodeBase58 } from '../../chains/solana/base58.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import { requireBinding } from '../../core/require-binding.ts'
import type { Observation } from '../../core/transfer.ts'
import type { Log } from '../../lib/log.ts'
import type { GmpMessage } from '../../protocols/axelar/gmp-message.ts'
import { eventAuthorityOf, receivedEvent } from '../../protocols/axelar/its-solana.ts'
import { type DeliveryHint, verifyTransaction } from '../delivery.ts'

const SIGNATURE_BYTES = 64

/**
 * What the recipient's associated account gained in the transaction in which the token service completed exactly the quote's
 * transfer by the message, in base units; undefined if it is another transaction, or the account is not the recipient's.
 */
const receivedBy =
  (quote: QuoteRecord, messageId: string) =>
  ({ events, gains }: ProgramEvents): bigint | undefined => {
    const account = requireBinding(quote, 'destinationTokenAccount')
    const { sender, recipient, output: amount } = quote
    const expected = receivedEvent({
      ...{ messageId, sender, recipient, account, amount },
      messageChain: requireBinding(quote, 'hubChain'),
      sourceChain: requireBinding(quote, 'sourceAxelarChain'),
      tokenId: requireBinding(quote, 'tokenId'),
    })
    if (!events.some(({ data }) => data === expected)) return undefined
    const gain = gains.find((one) => one.account === account && one.mint === quote.toToken)
    return gain?.owner === recipient && gain.amount >= amount ? amount : undefined
  }

/** Verifies a delivery by the event of the token service and the recipient's gain, as a quorum of endpoints tell them. */
export const verifyOnSolana = (
  { programs, log }: { readonly programs: ProgramChain; readonly log: Log },
  hint: DeliveryHint,
  { messageId }: GmpMessage,
): Promise<Observation> => {
  const { quote, txHash } = hint
  const program = requireBinding(quote, 'destinationIts')
  const authority = eventAuthorityOf(program)
  return verifyTransaction(log, hint, {
    read: async () =>
      decodeBase58(txHash)?.length === SIGNATURE_BYTES
        ? // Only finalized transactions are read.
          { ...(await programs.eventsIn(txHash, { program, authority })), final: true }
        : undefined,
    counting: async (found) => found,
    received: receivedBy(quote, messageId),
  })
}
