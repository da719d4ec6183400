import { z } from 'zod'
import { HexBytes } from '../../core/hex.ts'
import { expectResult } from '../rpc/expect-result.ts'
import type { RpcAnswer } from '../rpc/json-rpc.ts'

/** An unsigned integer of at most 256 bits in JSON-RPC form. Source: Ethereum JSON-RPC "Hex encoding". */
export const Quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform(BigInt)

/** Bytes as hex, in lower case. */
export const Bytes = HexBytes.transform((text) => text.toLowerCase())
const Hash = Bytes.refine((text) => text.length === 66, 'expected 32 bytes')
const Address = Bytes.refine((text) => text.length === 42, 'expected 20 bytes')

/** Seconds since the Unix epoch. */
const Timestamp = Quantity.transform(Number).refine(Number.isSafeInteger, 'expected seconds')

/** A block header; `baseFeePerGas` in wei is missing on chains without EIP-1559. */
export const RpcBlock = z.object({
  number: Quantity,
  hash: Hash,
  parentHash: Hash,
  timestamp: Timestamp,
  baseFeePerGas: Quantity.nullish(),
  logsBloom: Bytes.refine((text) => text.length === 514, 'expected 256 bytes').nullish(),
})
export type RpcBlock = z.infer<typeof RpcBlock>

const LogEntry = z.object({
  address: Address,
  topics: z.array(Hash).max(4),
  data: Bytes,
  logIndex: Quantity,
})

/** A log returned by a query. */
export const RpcFoundLog = LogEntry.extend({
  transactionHash: Hash,
  blockNumber: Quantity,
  removed: z.literal(false).nullish(),
})
export type RpcFoundLog = z.infer<typeof RpcFoundLog>

/** A log returned by a query, with its block. */
export const RpcBlockLog = RpcFoundLog.extend({ blockHash: Hash })
export type RpcBlockLog = z.infer<typeof RpcBlockLog>

/** A receipt; its logs must be in ascending order, because their indexes are part of message ids. */
export const RpcReceipt = z.object({
  transactionHash: Hash,
  blockNumber: Quantity,
  blockHash: Hash,
  status: z.enum(['0x0', '0x1']),
  logs: z
    .array(LogEntry)
    .refine(
      (logs) =>
        logs.every(
          (entry, position) => position === 0 || entry.logIndex > (logs[position - 1]?.logIndex ?? 0n),
        ),
      'expected logs in ascending order',
    ),
})
export type RpcReceipt = z.infer<typeof RpcReceipt>

/** A mined or waiting transaction; `blockHash` is null while it waits. */
export const RpcTransaction = z.object({
  hash: Hash,
  blockHash: Hash.nullable(),
  from: Address,
  to: Address.nullable(),
  input: Bytes,
  value: Quantity,
})
export type RpcTransaction = z.infer<typeof RpcTransaction>

const REVERTED =
  /revert|invalid opcode|invalid jump|bad instruction|stack (under|over)flow|out of gas|vm execution/i

/** Whether a call reverted: only code 3 and the messages of known nodes say so, so that a refusal is never mistaken for it. */
export const isRevert = (answer: RpcAnswer | undefined): boolean =>
  answer?.ok === false && (answer.code === 3 || REVERTED.test(answer.message))

/** The bytes returned by a contract as lower-case hex, undefined for a revert. Throws if the node could not run the call. */
export const expectCallResult = (answer: RpcAnswer | undefined): string | undefined => {
  if (isRevert(answer)) return undefined
  return expectResult(answer, Bytes)
}
