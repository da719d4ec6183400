import type { ProgramChain, ProgramEvents } from '../payment-chain.ts'
import { askFor } from '../rpc/ask-for.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { decodeBase58 } from './base58.ts'
import { RecordedTransaction } from './rpc-answers.ts'
import { type TransactionView, viewOf } from './transaction-view.ts'

type Emitter = Parameters<ProgramChain['eventsIn']>[1]

/** What Anchor's event calls begin with: sha256("anchor:event"), reversed. */
const EVENT_TAG = Buffer.from('e445a52e51cb9a1d', 'hex')

const Fetched = RecordedTransaction.nullable()

/**
 * The program's calls of itself, which carry its events. The program rejects a call without the signature of its event
 * authority, and only the program can sign for that; a successful transaction thus contains no forged event. Source: Anchor, `emit_cpi!`.
 */
const eventsOf = (
  { meta }: RecordedTransaction,
  { addresses }: TransactionView,
  { program, authority }: Emitter,
): ProgramEvents['events'] =>
  meta.innerInstructions.flatMap(({ index, instructions }) =>
    instructions.flatMap(({ programIdIndex, accounts, data }, position) => {
      if (addresses[programIdIndex] !== program || addresses[accounts[0] ?? -1] !== authority) return []
      const bytes = Buffer.from(decodeBase58(data) ?? [])
      if (!bytes.subarray(0, EVENT_TAG.length).equals(EVENT_TAG)) return []
      return [{ place: `${index + 1}.${position + 1}`, data: bytes.toString('hex', EVENT_TAG.length) }]
    }),
  )

/** What the signers of a transaction, whose signatures every node has checked, signed for. */
const signedOf = (
  { transaction: { signatures, message } }: RecordedTransaction,
  { addresses }: TransactionView,
): Pick<ProgramEvents, 'signers' | 'instructions'> => ({
  signers: message.accountKeys.slice(0, signatures.length),
  instructions: message.instructions.map(({ programIdIndex, accounts, data }) => ({
    program: addresses[programIdIndex] ?? '',
    accounts: accounts.map((index) => addresses[index] ?? ''),
    data: Buffer.from(decodeBase58(data) ?? []).toString('hex'),
  })),
})

const gainsOf = ({ addresses, holdings }: TransactionView): ProgramEvents['gains'] =>
  [...holdings.values()].flatMap(({ account, mint, ownerAfter, before, after }) =>
    ownerAfter === undefined || after <= before
      ? []
      : [{ account: addresses[account] ?? '', owner: ownerAfter, mint, amount: after - before }],
  )

/** Reads what a program told in a transaction. Source: Solana RPC "getTransaction". */
export const createEventReader =
  ({ pool, deadlineMs }: { readonly pool: RpcPool; readonly deadlineMs: number }): ProgramChain['eventsIn'] =>
  (txHash, emitter) =>
    pool.agree({
      work: async (ask) => {
        const params = [
          txHash,
          { encoding: 'json', commitment: 'finalized', maxSupportedTransactionVersion: 1 },
        ]
        const recorded = await askFor(ask, { method: 'getTransaction', params }, Fetched)
        if (recorded === null || recorded.blockTime === null)
          throw new RpcError('NODE_BEHIND', `node does not know transaction ${txHash}`)
        if (recorded.transaction.signatures[0] !== txHash)
          throw new RpcError('MALFORMED', 'node answers with another transaction')
        ask.checkTime(recorded.blockTime)
        const succeeded = recorded.meta.err === null
        const timestampSeconds = recorded.blockTime
        const view = viewOf(recorded, [])
        const signed = { succeeded, timestampSeconds, ...signedOf(recorded, view) }
        if (!succeeded) return { ...signed, events: [], gains: [] }
        return {
          ...signed,
          events: eventsOf(recorded, view, emitter),
          gains: gainsOf(view),
        }
      },
      deadlineMs,
    })
