import {
  isTerminal,
  type TransferDestination,
  type TransferOutput,
  type TransferRefund,
  type TransferSource,
  TransferState,
} from '@openrfq/sdk'
import type { QuoteId } from './quote-id.ts'

/** Every legal move; the last three states are terminal. */
export const LEGAL_MOVES = {
  AWAITING_DEPOSIT: ['PENDING', 'FAILED'],
  PENDING: ['AWAITING_DEPOSIT', 'DONE', 'REFUND_PENDING', 'FAILED'],
  REFUND_PENDING: ['REFUND_INITIATED', 'FAILED'],
  REFUND_INITIATED: ['REFUNDED', 'FAILED'],
  DONE: [],
  REFUNDED: [],
  FAILED: [],
} as const satisfies Record<TransferState, readonly TransferState[]>

export type Details = Readonly<Record<string, unknown>>

/**
 * What a backend read from the chains about a transfer. `refunded` and `failed` are reported from final blocks only, `delivered`
 * from a block that is final or, with `deliveryFinal: false` in the details, as deep as the operator asks; `unreadable` means that a read failed and nothing may be concluded; `mismatched` means that the named
 * message exists and belongs to something else.
 */
export type Observation =
  | { readonly seen: 'nothing'; readonly details: Details }
  | { readonly seen: 'mismatched'; readonly details: Details }
  | { readonly seen: 'unreadable'; readonly details: Details }
  | { readonly seen: 'in_flight'; readonly source: TransferSource; readonly details: Details }
  | {
      readonly seen: 'delivered'
      readonly source: TransferSource
      readonly destination: TransferDestination
      readonly output: TransferOutput
      readonly details: Details
    }
  | { readonly seen: 'refund_decided'; readonly source: TransferSource; readonly details: Details }
  | { readonly seen: 'refund_sent'; readonly source: TransferSource; readonly details: Details }
  | {
      readonly seen: 'refunded'
      readonly source: TransferSource
      readonly refund: TransferRefund
      readonly details: Details
    }
  | { readonly seen: 'failed'; readonly source: TransferSource; readonly details: Details }

/**
 * One execution of a quote in its last known state. `messageId` is empty for backends that find the transfer by its
 * quote alone; `revision` counts saved changes from 1.
 */
export type Transfer = {
  readonly quoteId: QuoteId
  readonly messageId: string
  readonly revision: number
  readonly state: TransferState
  readonly source: TransferSource | null
  readonly destination: TransferDestination | null
  readonly output: TransferOutput | null
  readonly refund: TransferRefund | null
  readonly details: Details
}

/** Whether a DONE transfer's delivery is not final yet, so that it is followed until it is. */
export const isTentative = ({ state, details }: Pick<Transfer, 'state' | 'details'>): boolean =>
  state === 'DONE' && details['deliveryFinal'] === false

/** Details of an observation, with the stages of the transfer so far. */
const keepStages = ({ stages }: Details, observed: Details): Details =>
  stages === undefined ? observed : { ...observed, stages }

/** A DONE transfer whose delivery left its chain. The state stays, because clients acted on it. */
export const revertDelivery = (transfer: Transfer, observed: Details): Transfer => ({
  ...transfer,
  details: { ...keepStages(transfer.details, observed), deliveryFinal: false, deliveryReverted: true },
})

/** A transfer without any observation; its revision is 0 because nothing is stored. */
export const awaitingDeposit = (quoteId: QuoteId, messageId: string): Transfer => ({
  quoteId,
  messageId,
  revision: 0,
  state: 'AWAITING_DEPOSIT',
  source: null,
  destination: null,
  output: null,
  refund: null,
  details: {},
})

type Facts = Pick<Transfer, 'state' | 'source' | 'destination' | 'output' | 'refund'>

const NOTHING = { source: null, destination: null, output: null, refund: null } as const

const factsOf = (observation: Exclude<Observation, { seen: 'mismatched' | 'unreadable' }>): Facts => {
  switch (observation.seen) {
    case 'nothing':
      return { ...NOTHING, state: 'AWAITING_DEPOSIT' }
    case 'in_flight':
      return { ...NOTHING, state: 'PENDING', source: observation.source }
    case 'delivered':
      return {
        state: 'DONE',
        source: observation.source,
        destination: observation.destination,
        output: observation.output,
        refund: null,
      }
    case 'refund_decided':
      return { ...NOTHING, state: 'REFUND_PENDING', source: observation.source }
    case 'refund_sent':
      return { ...NOTHING, state: 'REFUND_INITIATED', source: observation.source }
    case 'refunded':
      return { ...NOTHING, state: 'REFUNDED', source: observation.source, refund: observation.refund }
    case 'failed':
      return { ...NOTHING, state: 'FAILED', source: observation.source }
  }
}

const reachableFrom = (from: TransferState): ReadonlySet<TransferState> => {
  const known = new Set<TransferState>([from])
  for (const state of known) for (const next of LEGAL_MOVES[state]) known.add(next)
  return known
}

/** The states reachable from each state by legal moves; a poller may miss the ones in between. */
const REACHABLE = new Map(TransferState.options.map((state) => [state, reachableFrom(state)]))

const unlessEqual = (next: Transfer, transfer: Transfer): Transfer =>
  JSON.stringify(next) === JSON.stringify(transfer) ? transfer : next

/**
 * What a later observation says of a tentative delivery: where it is now, or that it is final. A delivery that was taken back
 * ends as the transfer then does.
 */
const settleDelivery = (transfer: Transfer, observation: Observation): Transfer => {
  if (!isTentative(transfer)) return transfer
  const wasReverted = transfer.details['deliveryReverted'] === true
  const reverted = wasReverted ? { deliveryReverted: true } : {}
  if (observation.seen === 'delivered') {
    const { destination, output } = observation
    const details = keepStages(transfer.details, { ...observation.details, ...reverted })
    return unlessEqual({ ...transfer, destination, output, details }, transfer)
  }
  const isOver = observation.seen === 'refunded' || observation.seen === 'failed'
  if (!wasReverted || !isOver) return transfer
  return { ...transfer, details: keepStages(transfer.details, { ...observation.details, ...reverted }) }
}

/**
 * The transfer after an observation. Terminal states never change; a tentative delivery becomes final. An observation that no
 * legal move explains, or that says nothing (`mismatched`, `unreadable`), leaves the transfer as it was. Returns the same object if nothing changed;
 * the caller saves a new one under `revision + 1`.
 */
export const advance = (transfer: Transfer, observation: Observation): Transfer => {
  if (isTerminal(transfer.state)) return settleDelivery(transfer, observation)
  if (observation.seen === 'mismatched' || observation.seen === 'unreadable') return transfer
  const facts = factsOf(observation)
  if (REACHABLE.get(transfer.state)?.has(facts.state) !== true) return transfer
  const next: Transfer = { ...transfer, ...facts, details: keepStages(transfer.details, observation.details) }
  return unlessEqual(next, transfer)
}
