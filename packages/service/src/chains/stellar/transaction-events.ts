import { askFor } from '../rpc/ask-for.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import { MadeTransaction as Answer, type LedgerEvent, type LedgerWindow } from './rpc-answers.ts'
import type { StellarSdk } from './sdk.ts'

/** A transaction in a ledger, with the events of its operations in the form of getEvents; none if it failed. */
type MadeTransaction = {
  readonly kind: 'made'
  readonly ledger: number
  readonly succeeded: boolean
  /** The ledger's close time. */
  readonly timestampSeconds: number
  readonly envelopeXdr: string
  readonly resultXdr: string
  readonly events: readonly LedgerEvent[]
}

/** A transaction that an endpoint does not know, with the ledgers that it retains. */
type UnknownTransaction = { readonly kind: 'unknown'; readonly window: LedgerWindow }

type Context = { readonly sdk: StellarSdk; readonly passphrase: string }

const LEDGER_SHIFT = 32n
const TRANSACTION_SHIFT = 12n
const ORDER_DIGITS = 19
const EVENT_DIGITS = 10

/** The id of an event: of operation events, both numbers count from 0. Source: SEP-35 and Stellar RPC getEvents. */
const idOf = (order: bigint, operation: number, event: number): string =>
  `${(order | BigInt(operation)).toString().padStart(ORDER_DIGITS, '0')}-${event.toString().padStart(EVENT_DIGITS, '0')}`

/** The hash under which events tell a transaction: that of the fee bump around it, if there is one. */
const toldHashOf = (
  { sdk, passphrase }: Context,
  { envelopeXdr }: { readonly envelopeXdr: string },
  txHash: string,
): string => {
  const { type } = sdk.xdr.TransactionEnvelope.fromXdr(envelopeXdr, 'base64')
  if (type !== 'envelopeTypeTxFeeBump') return txHash
  return Buffer.from(sdk.TransactionBuilder.fromXdr(envelopeXdr, passphrase).hash()).toString('hex')
}

/**
 * Reads a transaction by its hash, or by that of the transaction in its fee bump. Others' transactions in the same ledger
 * cost no calls. Source: Stellar RPC getTransaction.
 */
export const readTransactionEvents = async (
  context: Context,
  ask: RpcAsk,
  txHash: string,
): Promise<MadeTransaction | UnknownTransaction> => {
  const { sdk } = context
  const params = { hash: txHash }
  const found = await askFor(ask, { method: 'getTransaction', params }, Answer)
  if (found.status === 'NOT_FOUND') return { kind: 'unknown', window: found }
  const { ledger, applicationOrder, createdAt, envelopeXdr, resultXdr } = found
  ask.checkTime(createdAt)
  const succeeded = found.status === 'SUCCESS'
  const order = (BigInt(ledger) << LEDGER_SHIFT) | (BigInt(applicationOrder) << TRANSACTION_SHIFT)
  const told = toldHashOf(context, { envelopeXdr }, txHash)
  const eventOf = (text: string, operation: number, event: number): LedgerEvent => {
    const { contractId, body } = sdk.xdr.ContractEvent.fromXdr(text, 'base64')
    return {
      id: idOf(order, operation, event),
      ledger,
      ledgerClosedAt: new Date(createdAt * 1000).toISOString(),
      contractId: contractId === null ? '' : sdk.StrKey.encodeContract(contractId.value),
      txHash: told,
      topic: body.v0.topics.map((topic) => topic.toXdr('base64')),
      value: body.v0.data.toXdr('base64'),
    }
  }
  return {
    kind: 'made',
    ...{ ledger, succeeded, timestampSeconds: createdAt, envelopeXdr, resultXdr },
    events: succeeded
      ? found.events.contractEventsXdr.flatMap((events, operation) =>
          events.map((text, event) => eventOf(text, operation, event)),
        )
      : [],
  }
}

/** As `readTransactionEvents`; throws NODE_BEHIND for an endpoint that does not know the transaction. */
export const expectTransactionEvents = async (
  ...call: Parameters<typeof readTransactionEvents>
): Promise<MadeTransaction> => {
  const found = await readTransactionEvents(...call)
  if (found.kind === 'made') return found
  throw new RpcError('NODE_BEHIND', `node does not know transaction ${call[2]}`)
}
