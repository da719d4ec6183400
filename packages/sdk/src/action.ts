import { z } from 'zod'
import { ChainId } from './chain.ts'

const hex = z.string().regex(/^0x([0-9a-fA-F]{2})*$/)
const integer = z.string().regex(/^(0|[1-9][0-9]{0,77})$/)

/** A ready-to-sign EVM transaction; gas fields are suggestions. Source: interface "Payload types". */
export const EvmTransaction = z.object({
  type: z.literal('evm_transaction'),
  from: z.string(),
  to: z.string(),
  data: hex,
  value: integer,
  gasLimit: integer.optional(),
  maxFeePerGas: integer.optional(),
  maxPriorityFeePerGas: integer.optional(),
})
export type EvmTransaction = z.infer<typeof EvmTransaction>

/** Instructions to assemble into one Solana transaction; `data` of each is base64. Source: interface "Payload types". */
export const SolanaInstructions = z.object({
  type: z.literal('solana_instructions'),
  instructions: z.array(
    z.object({
      programId: z.string(),
      keys: z.array(z.object({ pubkey: z.string(), isSigner: z.boolean(), isWritable: z.boolean() })),
      data: z.string(),
    }),
  ),
  addressLookupTableAddresses: z.array(z.string()),
})
export type SolanaInstructions = z.infer<typeof SolanaInstructions>

/** A plain payment of `amount` base units of `token` to `address`. Source: interface "Payload types". */
const DepositAddress = z.object({
  type: z.literal('deposit_address'),
  address: z.string(),
  amount: integer,
  token: z.string(),
})

/** One on-chain step for the user to execute, in order. Source: interface "Action envelope". */
export const Action = z.object({
  id: z.string(),
  label: z.string(),
  type: z.enum(['approval', 'transaction', 'deposit_address']),
  chain: ChainId,
  payload: z.discriminatedUnion('type', [EvmTransaction, SolanaInstructions, DepositAddress]),
})
export type Action = z.infer<typeof Action>
