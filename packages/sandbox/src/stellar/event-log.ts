import { StrKey } from '@stellar/stellar-sdk/base'
import type { AppliedTransaction } from './apply-transaction.ts'
import type { ClosedLedger } from './closed-ledger.ts'

/** An event's position: ledger, transaction from 1 (0 for fees before all of them), operation and event from 0. */
export type EventPosition = {
  readonly ledger: number
  readonly transaction: number
  readonly operation: number
  readonly event: number
}

/** An event of a closed ledger; topics and value in base64 XDR. */
export type LoggedEvent = EventPosition & {
  readonly contractId: string
  readonly topics: readonly string[]
  readonly value: string
  readonly transactionId: string
  readonly succeeded: boolean
}

const LEDGER_SHIFT = 32n
const TRANSACTION_SHIFT = 12n
const ORDER_DIGITS = 19
const EVENT_DIGITS = 10
const MAX_LEDGER = 0x7fff_ffff

/** The last position of a ledger. */
export const lastPositionIn = (ledger: number): EventPosition => ({
  ledger,
  transaction: 0xf_ffff,
  operation: 0xfff,
  event: 0xffff_ffff,
})

/** The text of a position, which sorts like the position. Source: SEP-35 and the RPC's cursors. */
export const cursorOf = ({ ledger, transaction, operation, event }: EventPosition): string => {
  const order =
    (BigInt(ledger) << LEDGER_SHIFT) | (BigInt(transaction) << TRANSACTION_SHIFT) | BigInt(operation)
  return `${order.toString().padStart(ORDER_DIGITS, '0')}-${event.toString().padStart(EVENT_DIGITS, '0')}`
}

/** The ledger of a cursor; undefined when the text is not a cursor. */
export const ledgerOfCursor = (cursor: string): number | undefined => {
  const order = /^([0-9]{1,19})-[0-9]{1,10}$/.exec(cursor)?.[1]
  if (order === undefined) return undefined
  const ledger = Number(BigInt(order) >> LEDGER_SHIFT)
  return ledger <= MAX_LEDGER ? ledger : undefined
}

type Raw = AppliedTransaction['feeEvent']

const logged = (event: Raw, position: EventPosition, transaction: AppliedTransaction): LoggedEvent => ({
  ...position,
  contractId: event.contractId === null ? '' : StrKey.encodeContract(event.contractId.value),
  topics: event.body.v0.topics.map((topic) => topic.toXdr('base64')),
  value: event.body.v0.data.toXdr('base64'),
  transactionId: transaction.submission.id,
  succeeded: transaction.succeeded,
})

/** A ledger's events in cursor order: all fees first, then each operation's. */
export const eventsOf = ({ sequence: ledger, transactions }: ClosedLedger): readonly LoggedEvent[] => {
  const fees = transactions.map((transaction, event) =>
    logged(transaction.feeEvent, { ledger, transaction: 0, operation: 0, event }, transaction),
  )
  const others = transactions.flatMap((transaction, index) =>
    transaction.operationEvents.flatMap((events, operation) =>
      events.map((raw, event) =>
        logged(raw, { ledger, transaction: index + 1, operation, event }, transaction),
      ),
    ),
  )
  return [...fees, ...others]
}
