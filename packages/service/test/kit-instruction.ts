import { AccountRole, address, getBase64Encoder, type Instruction } from '@solana/kit'
import type { SolanaInstruction } from '../src/chains/solana/instructions.ts'

/** Converts an instruction of the interface as a client does. */
export const toKit = ({ programId, keys, data }: SolanaInstruction): Instruction => ({
  programAddress: address(programId),
  accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
    address: address(pubkey),
    role:
      (isSigner ? AccountRole.READONLY_SIGNER : AccountRole.READONLY) |
      (isWritable ? AccountRole.WRITABLE : AccountRole.READONLY),
  })),
  data: getBase64Encoder().encode(data),
})

/** An instruction in a form that `deepEqual` compares. */
export const plain = ({ programAddress, accounts = [], data = new Uint8Array() }: Instruction) => ({
  programAddress,
  accounts: accounts.map((account) => ({ address: account.address, role: account.role })),
  data: Buffer.from(data).toString('hex'),
})
