import { z } from 'zod'

/** An unsigned integer of 64 bits as nodes write it; exact when it was read by `parseExactJson`. */
export const U64 = z.union([z.int().min(0), z.bigint().min(0n)]).transform(BigInt)

/** Seconds since the Unix epoch. */
export const BlockTime = z.int()

const Context = z.object({ slot: U64 })

/** An answer with the slot that it holds as of. */
const inContext = <Schema extends z.ZodType>(value: Schema) => z.object({ context: Context, value })

/** The newest blockhash, and the last block height that takes it. */
export const LatestBlockhash = inContext(
  z.object({ blockhash: z.string().min(1), lastValidBlockHeight: U64 }),
)

/** How far the chain is: the slot, and the number of blocks up to it. */
export const EpochInfo = z.object({ absoluteSlot: U64, blockHeight: U64 })

/** What was bid for each compute unit in recent slots, in micro-lamports. */
export const PrioritizationFees = z.array(z.object({ prioritizationFee: U64 }))
export type PrioritizationFees = z.infer<typeof PrioritizationFees>

/** An account as it stands, its bytes in base64; null when it holds nothing. */
const Account = z
  .object({
    lamports: U64,
    owner: z.string(),
    executable: z.boolean(),
    data: z.tuple([z.string(), z.literal('base64')]).transform(([text]) => Buffer.from(text, 'base64')),
  })
  .nullable()
export type Account = z.infer<typeof Account>

/** Some accounts, in the order they were asked for. */
export const Accounts = inContext(z.array(Account))

/** Where transactions stand; null for one that the node has not seen. */
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

/** A page of an account's history, newest first. */
export const SignaturePage = z.array(z.object({ signature: z.string(), slot: U64, err: z.unknown() }))
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
  uiTokenAmount: z.object({ amount: z.string().regex(/^[0-9]{1,20}$/) }),
})

/**
 * A recorded transaction in encoding `json`. A node that keeps no inner instructions or no token balances is refused:
 * payments could be missing.
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
