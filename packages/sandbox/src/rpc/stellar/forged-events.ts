import { createHash } from 'node:crypto'
import { nativeToScVal, xdr } from '@stellar/stellar-sdk/base'
import { itemsOf, membersOf } from '../rpc-message.ts'

/** How payments are told more than once. */
export type EventForger = {
  /** Made-up events beside the real one. */
  readonly copiesOf: (event: unknown) => readonly object[]
  /** The real transaction behind a made-up one. */
  readonly originalOf: (txHash: unknown) => string | undefined
  /** The real transaction as the made-up one. */
  readonly copyOf: (transaction: object) => object
}

const MOST_KNOWN = 10_000
const MULTIPLE = 2n
/** Transactions of a real ledger are far fewer. */
const FIRST_COPY = 0x4_0000n
const TRANSACTION_SHIFT = 12n

/** The event's id with its transaction in another place of the ledger. */
const movedId = (id: unknown, copy: number): string => {
  const [order = '0', event = '0'] = String(id).split('-')
  const moved = BigInt(order) + ((FIRST_COPY * BigInt(copy + 1)) << TRANSACTION_SHIFT)
  return `${moved.toString().padStart(order.length, '0')}-${event}`
}

const changeEvent = (text: string, changeValue: (value: string) => string): string => {
  const { ext, contractId, type, body } = xdr.ContractEvent.fromXdr(text, 'base64')
  const { topics, data } = body.v0
  const changed = xdr.ScVal.fromXdr(changeValue(data.toXdr('base64')), 'base64')
  const event = new xdr.ContractEventV0({ topics, data: changed })
  return new xdr.ContractEvent({ ext, contractId, type, body: xdr.ContractEventBody.v0(event) }).toXdr(
    'base64',
  )
}

/** Tells every event of an asset again under other transactions. */
export const createEventRepeater = (copies: number, changeValue: (value: string) => string): EventForger => {
  const originals = new Map<string, string>()
  return {
    copiesOf: (event) => {
      const { id, txHash, value } = membersOf(event)
      return Array.from({ length: copies }, (_, copy) => {
        const forged = createHash('sha256').update(`${txHash} ${copy}`).digest('hex')
        if (originals.size < MOST_KNOWN) originals.set(forged, String(txHash))
        return {
          ...membersOf(event),
          id: movedId(id, copy),
          txHash: forged,
          value: changeValue(String(value)),
        }
      })
    },
    originalOf: (txHash) => originals.get(String(txHash)),
    copyOf: (transaction) => {
      const operations = itemsOf(membersOf(membersOf(transaction)['events'])['contractEventsXdr'])
      const changed = operations.map((events) =>
        itemsOf(events).map((event) => changeEvent(String(event), changeValue)),
      )
      return { ...transaction, events: { contractEventsXdr: changed } }
    },
  }
}

const amountIn = (value: xdr.ScVal): bigint | undefined => {
  if (value.type === 'scvI128') return (value.i128.hi << 64n) | value.i128.lo
  if (value.type !== 'scvMap') return undefined
  const entry = value.map?.find(({ key }) => key.type === 'scvSymbol' && key.value === 'amount')
  return entry === undefined ? undefined : amountIn(entry.val)
}

/** The value of an event with twice the amount and no reference: money that belongs to no order. */
export const inflateValue = (text: string): string => {
  const amount = amountIn(xdr.ScVal.fromXdr(text, 'base64'))
  return amount === undefined ? text : nativeToScVal(amount * MULTIPLE, { type: 'i128' }).toXdr('base64')
}
