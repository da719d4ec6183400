import { z } from 'zod'
import { digits } from '../../core/decimal-text.ts'

/** A 64-bit unsigned integer in the form nodes write it; exact if read by `parseExactJson`. */
export const U64 = z.union([z.int().min(0), z.bigint().min(0n)]).transform(BigInt)

/** Seconds since the Unix epoch. */
export const BlockTime = z.int()

const Context = z.object({ slot: U64 })

/** A value with the slot it is as of. */
const inContext = <Schema extends z.ZodType>(value: Schema) => z.object({ context: Context, value })

/** A block without its transactions. */
export const ConfirmedBlock = z.object({
  blockhash: z.string().min(1),
  blockHeight: U64,
  blockTime: BlockTime,
})

/** Whether a blockhash is still valid. */
export const IsBlockhashValid = inContext(z.boolean())

/** The chain's position: the slot, and the number of blocks up to it. */
export const EpochInfo = z.object({ absoluteSlot: U64, blockHeight: U64 })

/** Prioritization fees per compute unit in recent slots, in micro-lamports. */
export const PrioritizationFees = z.array(z.object({ prioritizationFee: U64 }))
export type PrioritizationFees = z.infer<typeof PrioritizationFees>

/** An account with its bytes in base64; null if it does not exist. */
const Account = z
  .object({
    lamports: U64,
    owner: z.string(),
    executable: z.boolean(),
    data: z.tuple([z.string(), z.literal('base64')]).transform(([text]) => Buffer.from(text, 'base64')),
  })
  .nullable()
export type Account = z.infer<typeof Account>

/** Accounts in the order requested. */
export const Accounts = inContext(z.array(Account))

/** The status of transactions; null for one that the node has not seen. */
export const SignatureStatuses = inContext(
  z.array(
    z
      .object({
        slot: U64,
        err: z.unknown(),
        confirmationStatus: z.enum(['processed', 'confirmed', 'finalized']).nullish(),
      })
      .nullable(),
  ),
)

export type SignatureStatuses = z.infer<typeof SignatureStatuses>

/** A page of an account's history, newest first. */
export const SignaturePage = z.array(
  z.object({ signature: z.string(), slot: U64, err: z.unknown(), blockTime: BlockTime.nullish() }),
)
export type SignaturePage = z.infer<typeof SignaturePage>

const Instruction = z.object({
  programIdIndex: z.int().min(0),
  accounts: z.array(z.int().min(0)),
  data: z.string(),
})

const TokenBalance = z.object({
  accountIndex: z.int().min(0),
  mint: z.string(),
  owner: z.string().nullish(),
  programId: z.string().nullish(),
  uiTokenAmount: z.object({ amount: digits(20) }),
})

/**
 * A recorded transaction in encoding `json`. Rejects a node without inner instructions or token balances: payments
 * could be missing.
 */
export const RecordedTransaction = z.object({
  slot: U64,
  blockTime: BlockTime.nullable(),
  transaction: z.object({
    signatures: z.array(z.string()).min(1),
    message: z.object({ accountKeys: z.array(z.string()).min(1), instructions: z.array(Instruction) }),
  }),
  meta: z.object({
    err: z.unknown(),
    fee: U64,
    preBalances: z.array(U64),
    postBalances: z.array(U64),
    innerInstructions: z.array(z.object({ index: z.int().min(0), instructions: z.array(Instruction) })),
    preTokenBalances: z.array(TokenBalance),
    postTokenBalances: z.array(TokenBalance),
    loadedAddresses: z
      .object({ writable: z.array(z.string()), readonly: z.array(z.string()) })
      .default({ writable: [], readonly: [] }),
  }),
})
export type RecordedTransaction = z.infer<typeof RecordedTransaction>
