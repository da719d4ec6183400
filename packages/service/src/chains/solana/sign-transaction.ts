import { PaymentError } from '../payment-error.ts'
import type { SolanaInstruction } from './instructions.ts'
import type { SolanaKeyPair } from './secret-key.ts'

type Unsigned = {
  readonly pair: SolanaKeyPair
  readonly instructions: readonly SolanaInstruction[]
  readonly blockhash: string
  readonly lastValidBlockHeight: bigint
}

const MAX_TRANSACTION_BYTES = 1_232

/**
 * Builds one transaction of the instructions, with the key pair as fee payer and only signer; returns its signature in
 * base58 and its bytes in base64. Rejects if it is too long. The library is loaded on first use.
 */
export const signTransaction = async (
  unsigned: Unsigned,
): Promise<{ readonly signature: string; readonly transaction: string }> => {
  const kit = await import('@solana/kit')
  const signer = await kit.createKeyPairSignerFromBytes(unsigned.pair.bytes)
  const instructions = unsigned.instructions.map(({ programId, keys, data }) => ({
    programAddress: kit.address(programId),
    accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
      address: kit.address(pubkey),
      role: isSigner
        ? isWritable
          ? kit.AccountRole.WRITABLE_SIGNER
          : kit.AccountRole.READONLY_SIGNER
        : isWritable
          ? kit.AccountRole.WRITABLE
          : kit.AccountRole.READONLY,
    })),
    data: Buffer.from(data, 'base64'),
  }))
  const message = kit.pipe(
    kit.createTransactionMessage({ version: 0 }),
    (empty) => kit.setTransactionMessageFeePayer(signer.address, empty),
    (paid) =>
      kit.setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: kit.blockhash(unsigned.blockhash), lastValidBlockHeight: unsigned.lastValidBlockHeight },
        paid,
      ),
    (timed) => kit.appendTransactionMessageInstructions(instructions, timed),
  )
  const signed = await kit.signTransaction([signer.keyPair], kit.compileTransaction(message))
  const transaction = kit.getBase64EncodedWireTransaction(signed)
  if (Buffer.byteLength(transaction, 'base64') > MAX_TRANSACTION_BYTES)
    throw new PaymentError('TOO_LARGE', `a transaction of more than ${MAX_TRANSACTION_BYTES} bytes`)
  return { signature: kit.getSignatureFromTransaction(signed), transaction }
}
