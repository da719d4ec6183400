import type { QuoteRecord } from '../core/quote-record.ts'
import type { Observation } from '../core/transfer.ts'
import type { Lookup } from './backend.ts'
import { type ExpectedMessage, readSource, type SourceDeps, type SourceMessage } from './source-message.ts'

/** A quote's transfer: the message that its transaction must emit, and how to follow it. */
type Tracked = {
  readonly quote: QuoteRecord
  readonly lookup: Lookup
  readonly expected: ExpectedMessage
  readonly follow: (message: SourceMessage) => Promise<Observation>
}

/**
 * Observes a transfer that a message starts. Axelar's indexer is only a hint where to look: the source message and the
 * delivery are read from the chains. While the indexer cannot be read, a message already seen stays in flight.
 */
export const trackMessage = async (
  deps: SourceDeps,
  { quote, lookup, expected, follow }: Tracked,
): Promise<Observation> => {
  const reading = await readSource(deps, { quote, lookup, expected })
  if (reading.found === undefined) return reading.observation
  try {
    return await follow(reading.found)
  } catch (error) {
    deps.log('warn', 'axelarscan_message_read_failed', { quoteId: quote.quoteId, error })
    const { source } = reading.found
    return { seen: 'in_flight', source, details: { stage: 'relay_unreadable', stale: true } }
  }
}
