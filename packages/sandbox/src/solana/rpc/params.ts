import { type Address, isAddress, isSignature } from '@solana/kit'
import { z } from 'zod'
import type { Block, Commitment } from '../block.ts'
import { invalidParams, RPC_ERROR_CODES, RpcError } from '../rpc-error.ts'
import type { SimulatedSolana } from '../simulated-solana.ts'

/** Answers one method's parameters; throws RpcError. */
type Method = (params: readonly unknown[]) => unknown

/** Methods by name. */
export type Methods = Readonly<Record<string, Method>>

/** An address in base58. */
export const AddressParam = z
  .string()
  .refine((text) => isAddress(text), { error: 'Invalid param: expected a base58 address of 32 bytes' })
  // CAST: the line above checked it.
  .transform((text) => text as Address)

/** A transaction's signature in base58. */
export const SignatureParam = z
  .string()
  .refine((text) => isSignature(text), { error: 'Invalid param: expected a base58 signature of 64 bytes' })

/** The requested commitment. Source: Solana RPC, "Configuring State Commitment". */
export const CommitmentParam = z.enum(['processed', 'confirmed', 'finalized'])

/** The last parameter of most methods: a commitment, by default finalized, and the oldest slot that may answer. */
export const ContextParam = z.object({
  commitment: CommitmentParam.optional(),
  minContextSlot: z.int().min(0).optional(),
})

type ContextFields = {
  readonly commitment?: Commitment | undefined
  readonly minContextSlot?: number | undefined
}

/** Parses a method's parameters; missing optional ones become null. Throws -32602 with the name of the invalid one. */
export const parseParams = <Schema extends z.ZodType>(
  schema: Schema,
  params: readonly unknown[],
  arity: number,
): z.output<Schema> => {
  if (params.length > arity)
    throw invalidParams(`Invalid parameters: expected at most ${arity}, got ${params.length}`)
  const padded = Array.from({ length: arity }, (_, index) => params[index] ?? null)
  const result = schema.safeParse(padded)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw invalidParams(`Invalid params: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'malformed'}`)
}

/** The block at the reader's commitment. Throws -32016 when it is older than the reader accepts. */
export const contextBlock = (cluster: SimulatedSolana, config: ContextFields | null | undefined): Block => {
  const block = cluster.blocks.at(config?.commitment ?? 'finalized')
  if (config?.minContextSlot !== undefined && config.minContextSlot > block.slot)
    throw new RpcError(
      RPC_ERROR_CODES.minContextSlotNotReached,
      'Minimum context slot has not been reached',
      { contextSlot: block.slot },
    )
  return block
}

/** The reported version, in `getVersion` and in every context. */
export const API_VERSION = '3.0.0'

/** A value with the slot at which it was read. */
export const inContext = (block: Block, value: unknown) => ({
  context: { apiVersion: API_VERSION, slot: block.slot },
  value,
})
