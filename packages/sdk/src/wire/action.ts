import * as z from 'zod/mini'
import { Amount } from './amount.ts'
import { ChainId } from './chain.ts'
import { orUnlisted, unknownVariant } from './open.ts'

/**
 * A ready-to-sign EVM transaction; gas fields are suggestions. Source: interface "Payload types".
 * @example
 * const valueOf = ({ value }: EvmTransaction): bigint => BigInt(value)
 */
export const EvmTransaction = z.object({
  type: z.literal('evm_transaction'),
  from: z.string(),
  to: z.string(),
  data: z.string().check(z.regex(/^0x([0-9a-fA-F]{2})*$/)),
  value: Amount,
  gasLimit: z.optional(Amount),
  maxFeePerGas: z.optional(Amount),
  maxPriorityFeePerGas: z.optional(Amount),
})
export type EvmTransaction = z.infer<typeof EvmTransaction>

/**
 * Instructions to assemble into one Solana transaction, all of them: a deposit whose memo is left out is returned. `data` of each is
 * base64. Source: interface "Payload types".
 * @example
 * const programsOf = ({ instructions }: SolanaInstructions): readonly string[] =>
 *   instructions.map(({ programId }) => programId)
 */
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

/**
 * A plain payment of `amount` base units of `token` to `address`, exactly as written: a muxed address (M…) names the quote, and what is
 * paid to the account behind it (G…) is returned. Source: interface "Payload types".
 * @example
 * const textOf = ({ amount, token, address }: DepositAddress): string => `pay ${amount} of ${token} to ${address}`
 */
export const DepositAddress = z.object({
  type: z.literal('deposit_address'),
  address: z.string(),
  amount: Amount,
  token: z.string(),
})
export type DepositAddress = z.infer<typeof DepositAddress>

const PAYLOADS = [EvmTransaction, SolanaInstructions, DepositAddress] as const
const PAYLOAD_TYPES = ['evm_transaction', 'solana_instructions', 'deposit_address']

const UnknownPayload = unknownVariant(PAYLOAD_TYPES, z.looseObject({ type: z.string() }))

/**
 * What an action may be. Source: interface "Action envelope".
 * @example
 * const needsAllowance = (types: readonly ActionType[]): boolean => types.includes('approval')
 */
export const ActionType = z.enum(['approval', 'transaction', 'deposit_address'])
export type ActionType = z.infer<typeof ActionType>

/**
 * One on-chain step for the user to execute, in order. A payload of a type that this version does not know is `unknown` and
 * cannot be executed. Source: interface "Action envelope".
 * @example
 * const stepOf = ({ label, chain, payload }: Action): string =>
 *   payload.type === 'unknown' ? `${label}: update the SDK to run ${payload.wireType}` : `${label} on ${chain}`
 */
export const Action = z.object({
  id: z.string(),
  label: z.string(),
  type: orUnlisted(ActionType),
  chain: ChainId,
  payload: z.union([z.discriminatedUnion('type', PAYLOADS), UnknownPayload]),
})
export type Action = z.infer<typeof Action>
