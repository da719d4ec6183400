import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  assertIsTransactionWithBlockhashLifetime,
  assertIsTransactionWithinSizeLimit,
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
import type { SolanaInstructions } from '../action.ts'
import type { SolanaWallet } from './connect-solana.ts'

/**
 * Makes one signed transaction of a payload's instructions, exactly as returned, with its lookup tables and the newest
 * blockhash; the wallet pays the fee. Throws kit's errors when the cluster cannot be read or the transaction is too
 * long. Source: interface "solana_instructions".
 */
export const signSolanaPayload = async (
  payload: SolanaInstructions,
  { signer, rpc }: SolanaWallet,
  abortSignal: AbortSignal,
) => {
  const [{ value: blockhash }, tables] = await Promise.all([
    rpc.getLatestBlockhash({ commitment: 'confirmed' }).send({ abortSignal }),
    fetchTables(
      payload.addressLookupTableAddresses.map((table) => address(table)),
      rpc,
      abortSignal,
    ),
  ])
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(signer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(blockhash, paid),
    (timed) => appendTransactionMessageInstructions(payload.instructions.map(toInstruction), timed),
    (whole) => compressTransactionMessageUsingAddressLookupTables(whole, tables),
  )
  const signed = await signTransactionMessageWithSigners(message, { abortSignal })
  assertIsTransactionWithinSizeLimit(signed)
  assertIsTransactionWithBlockhashLifetime(signed)
  return signed
}

const fetchTables = async (tables: readonly Address[], rpc: SolanaWallet['rpc'], abortSignal: AbortSignal) =>
  tables.length === 0 ? {} : fetchAddressesForLookupTables([...tables], rpc, { abortSignal })

const toInstruction = ({
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
