import { comparableAddress } from './comparable-address.ts'
import type { QuoteRecord } from './quote-record.ts'
import type { Transfer } from './transfer.ts'

/** The form in which accounts, hashes and message ids are stored and sought: hex in lower case, all others exactly. */
export const transferName = (text: string): string => comparableAddress(text)

const hashesOf = ({ source, destination, refund }: Transfer): readonly string[] =>
  [source?.txHash, source?.messageId, destination?.txHash, refund?.txHash].flatMap((name) => name ?? [])

/** What the next state of a transfer is found by and the known one was not: first its accounts, then its hashes. */
export const newTransferNames = (
  { sender, recipient }: QuoteRecord,
  known: Transfer,
  next: Transfer,
): readonly string[] => {
  const before = new Set(hashesOf(known))
  const parties = known.revision === 0 ? [sender, recipient] : []
  return [...parties, ...hashesOf(next).filter((name) => !before.has(name))].map(transferName)
}
