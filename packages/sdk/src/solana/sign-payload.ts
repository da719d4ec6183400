import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  assertIsTransactionWithBlockhashLifetime,
  assertIsTransactionWithinSizeLimit,
  type BlockhashLifetimeConstraint,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  fetchAddressesForLookupTables,
  getBase64Encoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import type { SolanaInstructions } from '../wire/action.ts'
import type { SolanaWallet } from './connect-solana.ts'

/** The cluster state that a transaction needs. */
export type ClusterState = {
  readonly blockhash: BlockhashLifetimeConstraint
  readonly tables: Awaited<ReturnType<typeof fetchAddressesForLookupTables>>
}

/** Reads the latest blockhash and the payload's lookup tables. Throws kit's errors. */
export const readClusterState = async (
  { addressLookupTableAddresses }: SolanaInstructions,
  { rpc }: Pick<SolanaWallet, 'rpc'>,
  abortSignal: AbortSignal,
): Promise<ClusterState> => {
  const [{ value: blockhash }, tables] = await Promise.all([
    rpc.getLatestBlockhash({ commitment: 'confirmed' }).send({ abortSignal }),
    fetchTables(
      addressLookupTableAddresses.map((table) => address(table)),
      rpc,
      abortSignal,
    ),
  ])
  return { blockhash, tables }
}

/**
 * Builds and signs one transaction from a payload's instructions, unchanged; the wallet pays the fee. Throws kit's
 * errors, also for a transaction that is too long. Source: interface "solana_instructions".
 */
export const signPayload = async (
  payload: SolanaInstructions,
  { signer }: Pick<SolanaWallet, 'signer'>,
  { blockhash, tables }: ClusterState,
) => {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(signer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(blockhash, paid),
    (timed) => appendTransactionMessageInstructions(payload.instructions.map(toInstruction), timed),
    (whole) => compressTransactionMessageUsingAddressLookupTables(whole, tables),
  )
  const signed = await signTransactionMessageWithSigners(message)
  assertIsTransactionWithinSizeLimit(signed)
  assertIsTransactionWithBlockhashLifetime(signed)
  return signed
}

const fetchTables = async (tables: readonly Address[], rpc: SolanaWallet['rpc'], abortSignal: AbortSignal) =>
  tables.length === 0 ? {} : fetchAddressesForLookupTables([...tables], rpc, { abortSignal })

/** An instruction of a payload in the form of kit. */
export const toInstruction = ({
  programId,
  keys,
  data,
}: SolanaInstructions['instructions'][number]): Instruction => ({
  programAddress: address(programId),
  accounts: keys.map((key) => ({ address: address(key.pubkey), role: roleOf(key) })),
  data: getBase64Encoder().encode(data),
})

const roleOf = (key: SolanaInstructions['instructions'][number]['keys'][number]): AccountRole => {
  if (key.isSigner) return key.isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER
  return key.isWritable ? AccountRole.WRITABLE : AccountRole.READONLY
}
