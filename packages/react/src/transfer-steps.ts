import { isSettled, isTerminal, type RecordedQuote, type SeenStage, type Status } from '@openrfq/sdk'
import { REASON_TEXTS, STAGE_TEXTS, textOf } from './stage-texts.ts'

/**
 * One stage of a transfer for people; `at` is ISO 8601: the time of the chain, or else when the service saw the stage first; absent where
 * neither is known. `passed` are the stages within it that are over.
 * @example
 * const textOf = ({ title, at }: TransferStep): string => `${title} ${at ?? ''}`
 */
export type TransferStep = {
  readonly id:
    | 'quoted'
    | 'paid'
    | 'crossing'
    | 'delivered'
    | 'refund_decided'
    | 'refund_sent'
    | 'refunded'
    | 'failed'
  readonly title: string
  readonly text?: string | undefined
  readonly at?: string | undefined
  readonly standing: 'done' | 'current' | 'upcoming' | 'failed'
  readonly passed?: readonly { readonly text: string; readonly at: string }[] | undefined
}

/**
 * Names of the two chains, as people know them.
 * @example
 * const ends: TransferEnds = { source: 'Arbitrum', destination: 'Solana' }
 */
export type TransferEnds = { readonly source: string; readonly destination: string }

/**
 * Where a transfer is: a word, its tone, and a sentence.
 * @example
 * const textOf = ({ word, text }: TransferSummary): string => `${word}. ${text}`
 */
export type TransferSummary = {
  readonly word: string
  readonly tone: 'active' | 'good' | 'bad' | 'wait'
  readonly text: string
}

const stageText = ({ details }: Status): string | undefined => textOf(STAGE_TEXTS, details.stage)
const reasonText = ({ details }: Status): string | undefined => textOf(REASON_TEXTS, details.reasonCode)

/**
 * What a status means to the person who waits. It says Done once the delivery is final.
 * @example
 * const wordOf = (status: Status): string =>
 *   transferSummary(status, { source: 'Arbitrum', destination: 'Solana' }).word
 */
export const transferSummary = (status: Status, { source, destination }: TransferEnds): TransferSummary => {
  const { state, details } = status
  switch (state) {
    case 'AWAITING_DEPOSIT':
      return details.expired === true
        ? {
            word: 'Expired',
            tone: 'wait',
            text: 'The quote has expired, and no payment is known. Ask for a new quote.',
          }
        : { word: 'Waiting for payment', tone: 'wait', text: `No payment is seen on ${source} yet.` }
    case 'PENDING':
      return {
        word: details.overdue === true ? 'Late' : 'Under way',
        tone: details.overdue === true ? 'wait' : 'active',
        text: `Paid on ${source}. The delivery on ${destination} follows.`,
      }
    case 'DONE':
      return doneOf(status, destination)
    case 'REFUND_PENDING':
      return {
        word: 'Refund due',
        tone: 'wait',
        text: `${reasonText(status) ?? 'It could not be delivered.'} You get your money back on ${source}.`,
      }
    case 'REFUND_INITIATED':
      return {
        word: 'Refund sent',
        tone: 'wait',
        text: `${reasonText(status) ?? 'It could not be delivered.'} The refund is on its way to you on ${source}.`,
      }
    case 'REFUNDED':
      return {
        word: 'Refunded',
        tone: 'good',
        text: `${reasonText(status) ?? 'It could not be delivered.'} You have your money back on ${source}.`,
      }
    case 'FAILED':
      return { word: 'Failed', tone: 'bad', text: reasonText(status) ?? 'The transfer failed.' }
    case 'NOT_FOUND':
      return {
        word: 'Not found',
        tone: 'bad',
        text: reasonText(status) ?? 'This service does not know the transfer.',
      }
    default:
      return { word: state, tone: 'wait', text: 'This page does not know this state. Load it again.' }
  }
}

/** A delivery is done once it is final; until then the chain can take it back. */
const doneOf = (status: Status, destination: string): TransferSummary => {
  if (isSettled(status))
    return { word: 'Done', tone: 'good', text: `The recipient has the money on ${destination}.` }
  if (status.details.deliveryReverted === true)
    return {
      word: 'Taken back',
      tone: 'wait',
      text: `${destination} took the delivery back. It follows again, or a refund.`,
    }
  return {
    word: 'Arrived',
    tone: 'active',
    text: `The money is on ${destination}, in a block that is not final yet.`,
  }
}

/**
 * The stages of a transfer from the quote to its end, as far as it has come.
 * @example
 * const titlesOf = (quote: RecordedQuote, status: Status): readonly string[] =>
 *   transferSteps(quote, status, { source: 'Arbitrum', destination: 'Solana' }).map(({ title }) => title)
 */
export const transferSteps = (
  quote: RecordedQuote,
  status: Status,
  ends: TransferEnds,
): readonly TransferStep[] => {
  const { state, source } = status
  const quoted: TransferStep = {
    id: 'quoted',
    title: 'Quote given',
    text: `Route: ${quote.backend.name}`,
    at: quote.createdAt,
    standing: 'done',
  }
  const paid: TransferStep = {
    id: 'paid',
    title: `${source === null ? 'Payment' : 'Paid'} on ${ends.source}`,
    at: source?.timestamp,
    standing:
      source !== null ? 'done' : state === 'FAILED' ? 'failed' : isExpired(status) ? 'upcoming' : 'current',
  }
  return [quoted, paid, ...endOf(status, ends)]
}

const isExpired = ({ details }: Status): boolean => details.expired === true

const endOf = (status: Status, ends: TransferEnds): readonly TransferStep[] => {
  if (status.state === 'FAILED')
    return status.source === null
      ? []
      : [
          {
            id: 'failed',
            title: 'Failed',
            text: reasonText(status),
            at: firstSeen(status, 'FAILED'),
            standing: 'failed',
          },
        ]
  return status.state.startsWith('REFUND') ? refundOf(status, ends) : deliveryOf(status, ends)
}

const deliveryOf = (status: Status, { destination }: TransferEnds): readonly TransferStep[] => {
  const isReverted = status.details.deliveryReverted === true
  const isThere = status.state === 'DONE' && !isReverted
  const isMoving = status.state === 'PENDING' || isReverted
  const text = isMoving ? stageText(status) : undefined
  return [
    {
      id: 'crossing',
      title: 'Crossing',
      text,
      passed: passedOf(status, text),
      standing: isThere ? 'done' : isMoving ? 'current' : 'upcoming',
    },
    {
      id: 'delivered',
      title: `Delivered on ${destination}`,
      text: isThere && !isSettled(status) ? 'Waiting until the block is final' : undefined,
      at: isReverted ? undefined : status.destination?.timestamp,
      standing: isThere ? (isSettled(status) ? 'done' : 'current') : 'upcoming',
    },
  ]
}

const seenIn = ({ details }: Status, state: string): readonly SeenStage[] =>
  (details.stages ?? []).filter((seen) => seen.state === state)

/** When the service first saw a state. */
const firstSeen = (status: Status, state: string): string | undefined => seenIn(status, state)[0]?.at

/** That a chain could not be read for a while is no stage of the transfer. */
const UNREADABLE = /_unreadable$/

/** The stages of the crossing by their texts, without the one that is shown as the present one. */
const passedOf = (status: Status, shown: string | undefined): TransferStep['passed'] => {
  const passed = new Map<string, string>()
  for (const { stage = '', at } of seenIn(status, 'PENDING')) {
    const text = UNREADABLE.test(stage) ? undefined : textOf(STAGE_TEXTS, stage)
    if (text !== undefined && text !== shown && !passed.has(text)) passed.set(text, at)
  }
  return passed.size === 0 ? undefined : [...passed].map(([text, at]) => ({ text, at }))
}

const REFUND_STEPS: readonly string[] = ['REFUND_PENDING', 'REFUND_INITIATED', 'REFUNDED']

const refundOf = (status: Status, { source }: TransferEnds): readonly TransferStep[] => {
  const reached = REFUND_STEPS.indexOf(status.state)
  return [
    {
      id: 'refund_decided',
      title: 'Refund decided',
      text: reasonText(status),
      at: firstSeen(status, 'REFUND_PENDING'),
      standing: 'done',
    },
    reached >= 1
      ? {
          id: 'refund_sent',
          title: 'Refund sent',
          at: firstSeen(status, 'REFUND_INITIATED'),
          standing: 'done',
        }
      : { id: 'refund_sent', title: 'The refund is being sent', standing: 'current' },
    {
      id: 'refunded',
      title: `Refunded on ${source}`,
      at: firstSeen(status, 'REFUNDED'),
      standing: isTerminal(status.state) ? 'done' : reached === 1 ? 'current' : 'upcoming',
    },
  ]
}
