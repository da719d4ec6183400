import {
  AccountRole,
  type Address,
  address,
  getAddressEncoder,
  getProgramDerivedAddress,
  getU64Encoder,
  type Instruction,
} from '@solana/kit'
import { getAddMemoInstruction } from '@solana-program/memo'
import { getTransferSolInstruction } from '@solana-program/system'
import { getTransferCheckedInstruction } from '@solana-program/token'
import { associatedTokenOf } from '../src/chains/solana/associated-token.ts'
import { openTokenAccount } from '../src/chains/solana/instructions.ts'
import { PROGRAMS, programOf, type SolanaMint } from '../src/chains/solana/programs.ts'
import type { ClusterWallet } from './solana-cluster.ts'

const LOOKUP_TABLES = address('AddressLookupTab1e1111111111111111111111111')
const CREATE_TABLE = 0
const EXTEND_TABLE = 2

/** The associated token account of an owner. */
export const ataOf = (owner: string, mint: SolanaMint): Address =>
  address(associatedTokenOf(owner, mint.address, programOf(mint)))

/** A payment in lamports. */
export const sol = (from: ClusterWallet, to: string, amount: bigint): Instruction =>
  getTransferSolInstruction({ source: from.signer, destination: address(to), amount })

/** A token payment between associated accounts. */
export const tokens = (from: ClusterWallet, to: string, mint: SolanaMint, amount: bigint): Instruction =>
  getTransferCheckedInstruction(
    {
      source: ataOf(from.address, mint),
      mint: address(mint.address),
      destination: ataOf(to, mint),
      authority: from.signer,
      amount,
      decimals: mint.decimals,
    },
    { programAddress: address(programOf(mint)) },
  )

/** A memo without signers. */
export const memo = (text: string, program: string = PROGRAMS.memo): Instruction =>
  getAddMemoInstruction({ memo: text }, { programAddress: address(program) })

/** Creates an associated account unless it exists. */
export const opening = (feePayer: ClusterWallet, owner: string, mint: SolanaMint): Instruction => {
  const { programId, keys, data } = openTokenAccount(feePayer.address, owner, mint)
  return {
    programAddress: address(programId),
    accounts: keys.map(({ pubkey, isWritable }) =>
      pubkey === feePayer.address
        ? { address: feePayer.signer.address, role: AccountRole.WRITABLE_SIGNER, signer: feePayer.signer }
        : { address: address(pubkey), role: isWritable ? AccountRole.WRITABLE : AccountRole.READONLY },
    ),
    data: Buffer.from(data, 'base64'),
  }
}

/**
 * A lookup table of the entries, usable from the next slot, and the instructions that create it. Encoded by hand,
 * because no client of the program supports the library's version.
 */
export const lookupTable = async (
  authority: ClusterWallet,
  recentSlot: bigint,
  entries: readonly Address[],
): Promise<{ readonly table: Address; readonly instructions: readonly Instruction[] }> => {
  const signer = { address: authority.signer.address, signer: authority.signer }
  const [table, bump] = await getProgramDerivedAddress({
    programAddress: LOOKUP_TABLES,
    seeds: [getAddressEncoder().encode(signer.address), getU64Encoder().encode(recentSlot)],
  })
  const accounts = [
    { address: table, role: AccountRole.WRITABLE },
    { ...signer, role: AccountRole.READONLY_SIGNER },
    { ...signer, role: AccountRole.WRITABLE_SIGNER },
    { address: address(PROGRAMS.system), role: AccountRole.READONLY },
  ]
  const u64 = (value: bigint) => [...getU64Encoder().encode(value)]
  const keys = entries.flatMap((entry) => [...getAddressEncoder().encode(entry)])
  return {
    table,
    instructions: [
      [CREATE_TABLE, 0, 0, 0, ...u64(recentSlot), bump],
      [EXTEND_TABLE, 0, 0, 0, ...u64(BigInt(entries.length)), ...keys],
    ].map((bytes) => ({ programAddress: LOOKUP_TABLES, accounts, data: Uint8Array.from(bytes) })),
  }
}
