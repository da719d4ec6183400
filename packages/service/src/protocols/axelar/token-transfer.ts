import { z } from 'zod'
import { isBareHash, isHash } from '../../core/hex.ts'
import { maybe, word } from './maybe.ts'

const scalar = maybe(z.union([z.string().max(100), z.number()]))

/** A record of `searchTransfers`; every field may be missing while the transfer is in flight. */
export const TransferRecord = z.object({
  status: word,
  simplified_status: word,
  transfer_id: scalar,
  send: maybe(
    z.object({
      txhash: word,
      source_chain: word,
      destination_chain: word,
      denom: word,
      amount: scalar,
      insufficient_fee: maybe(z.boolean()),
      created_at: maybe(z.object({ ms: maybe(z.number()) })),
    }),
  ),
  link: maybe(z.object({ recipient_address: word })),
  unwrap: maybe(z.object({ recipient_address: word })),
  confirm: maybe(z.object({ transfer_id: scalar })),
  vote: maybe(z.object({ success: maybe(z.boolean()), transfer_id: scalar })),
  command: maybe(
    z.object({
      command_id: word,
      transfer_id: scalar,
      executed: maybe(z.boolean()),
      transactionHash: word,
    }),
  ),
})
export type TransferRecord = z.infer<typeof TransferRecord>

/** Axelarscan's view of one `sendToken`: a hint where to look, never proof of a delivery. Hex in lower case. */
export type AxelarTokenTransfer = {
  readonly transferId: bigint | undefined
  readonly status: string
  /** Undefined where the record does not name it: `send.recipient_address` is the contract that the transaction went to. */
  readonly recipientAddress: string | undefined
  /** By Axelar name. */
  readonly sourceChain: string | undefined
  readonly destinationChain: string | undefined
  readonly denom: string | undefined
  /** The amount sent, as decimal text of whole tokens at the precision of a JSON number. */
  readonly amount: string | undefined
  readonly voteFailed: boolean
  /** The destination gateway's command, 32 bytes as hex, and the transaction that executed it. */
  readonly commandId: string | undefined
  readonly commandTxHash: string | undefined
  /** Whether the command was executed; its transaction may be unknown, since Axelarscan also asks the gateway. */
  readonly isExecuted: boolean
}

const lower = (value: string | null | undefined): string | undefined =>
  value === null || value === undefined || value === '' ? undefined : value.toLowerCase()

const textOf = (value: string | number | null | undefined): string | undefined =>
  value === null || value === undefined ? undefined : String(value)

const integerOf = (value: string | number | null | undefined): bigint | undefined => {
  const digits = textOf(value)
  return digits !== undefined && /^\d{1,20}$/.test(digits) ? BigInt(digits) : undefined
}

const txHashOf = (value: string | null | undefined): string | undefined => {
  const hash = lower(value)
  return hash !== undefined && isHash(hash) ? hash : undefined
}

const commandIdOf = (id: string | null | undefined): string | undefined => {
  const digits = lower(id)?.replace(/^0x/, '')
  return digits !== undefined && isBareHash(digits) ? `0x${digits}` : undefined
}

/** A mint's command id is its transfer id as 32 bytes, big-endian. Source: axelar-core. */
const mintCommandId = (transferId: bigint | undefined): string | undefined =>
  transferId === undefined ? undefined : `0x${transferId.toString(16).padStart(64, '0')}`

/** Axelar's number, which stands in whatever step gave it. Source: axelarscan-api. */
const transferIdOf = ({ transfer_id, vote, confirm, command }: TransferRecord): bigint | undefined =>
  integerOf(transfer_id ?? vote?.transfer_id ?? confirm?.transfer_id ?? command?.transfer_id)

/** Converts a record. */
export const toTokenTransfer = (record: TransferRecord): AxelarTokenTransfer => {
  const transferId = transferIdOf(record)
  return {
    transferId,
    status: record.status ?? 'unknown',
    recipientAddress: lower(record.unwrap?.recipient_address ?? record.link?.recipient_address),
    sourceChain: record.send?.source_chain ?? undefined,
    destinationChain: record.send?.destination_chain ?? undefined,
    denom: record.send?.denom ?? undefined,
    amount: textOf(record.send?.amount),
    voteFailed: record.vote?.success === false,
    commandId: commandIdOf(record.command?.command_id) ?? mintCommandId(transferId),
    commandTxHash: txHashOf(record.command?.transactionHash),
    isExecuted: record.command?.executed === true,
  }
}
