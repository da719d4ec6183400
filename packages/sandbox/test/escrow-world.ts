import { createHash } from 'node:crypto'
import { escrowErrorOf } from '@openrfq/contracts/solana'
import {
  type AccountMeta,
  type Address,
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import {
  Account,
  Clock,
  FailedTransactionMetadata,
  FeatureSet,
  LiteSvm,
  Rent,
} from 'litesvm/dist/internal.js'
import { addressBytes, toAddress } from '../src/solana/address-bytes.ts'
import { transactionError } from '../src/solana/transaction-error.ts'

/** The address of an account that the tests name. */
export const named = (name: string): Address => toAddress(createHash('sha256').update(name).digest())

export const PROGRAM = named('program')
export const DEPOSITOR = named('depositor')
/** Pays the rent of orders. */
export const SPONSOR = named('sponsor')
export const SOLVER = named('solver')
/** Pays the fees of transactions, and has no other part. */
export const STRANGER = named('stranger')
export const ATTACKER = named('attacker')

/** The clock of a new world, in seconds since 1970. */
export const START = 1_800_000_000

/** An account as a test writes it. */
export type PlainAccount = {
  readonly lamports: bigint
  readonly bytes: Uint8Array
  readonly owner: Address
}

/** The outcome of a transaction: its error, or undefined when it succeeded. */
export type Sent = {
  readonly error: string | undefined
  readonly units: bigint
  /** Bytes on the wire. */
  readonly size: number
}

/** A Solana machine with the escrow program. Signatures are not checked: a role that signs has signed. */
export type EscrowWorld = {
  readonly send: (instructions: readonly Instruction[], feePayer?: Address) => Sent
  /** Seconds since 1970; begins another slot. */
  readonly setTime: (seconds: number) => void
  /** The cluster's rent: lamports for a byte and year, and the years that make an account exempt. */
  readonly setRent: (lamports: bigint, years: number) => void
  /** The account; undefined when there is none. */
  readonly read: (address: Address) => PlainAccount | undefined
  readonly write: (address: Address, account: PlainAccount) => void
  readonly addProgram: (address: Address, bytes: Uint8Array) => void
  readonly lamportsOf: (address: Address) => bigint
  /** Lamports that an account of this size needs. */
  readonly rentOf: (bytes: number) => bigint
}

const SYSTEM_PROGRAM = toAddress(new Uint8Array(32))
const WALLET_LAMPORTS = 100_000_000_000n
const BLOCKHASH = blockhash('11111111111111111111111111111111')

const wireOf = (instructions: readonly Instruction[], feePayer: Address): Uint8Array => {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayer(feePayer, draft),
    (draft) =>
      setTransactionMessageLifetimeUsingBlockhash({ blockhash: BLOCKHASH, lastValidBlockHeight: 0n }, draft),
    (draft) => appendTransactionMessageInstructions(instructions, draft),
  )
  return Uint8Array.from(getTransactionEncoder().encode(compileTransaction(message)))
}

const errorOf = (failed: FailedTransactionMetadata): string => {
  const error = transactionError(failed.err())
  const [, reason] = typeof error === 'object' ? Object.values(error).flat() : []
  if (typeof reason !== 'object' || reason === null || !('Custom' in reason))
    return String(reason ?? JSON.stringify(error))
  return escrowErrorOf(Number(reason.Custom)) ?? `Custom ${String(reason.Custom)}`
}

const setTime = (svm: LiteSvm, seconds: number): void =>
  svm.setClock(new Clock(svm.getClock().slot + 1n, 0n, 0n, 1n, BigInt(seconds)))

/** A machine with the features of today's mainnet. */
const currentMachine = (): LiteSvm => new LiteSvm()

/** A machine with every feature that the network has prepared. */
const futureMachine = (): LiteSvm => {
  const svm = LiteSvm.default()
  svm.setFeatureSet(FeatureSet.allEnabled())
  svm.setBuiltins()
  svm.setPrecompiles()
  svm.setSysvars()
  svm.setDefaultPrograms()
  return svm
}

/** Starts a machine with the program, funded wallets, and the clock at `START`. Without a program it has to be deployed. */
export const createEscrowWorld = (program: Uint8Array | undefined): EscrowWorld => {
  const svm = program === undefined ? futureMachine() : currentMachine()
  svm.withNativeMints()
  svm.setSigverify(false)
  svm.setBlockhashCheck(false)
  svm.setTransactionHistory(0n)
  if (program !== undefined) svm.addProgram(addressBytes(PROGRAM), program)
  setTime(svm, START)
  const write = (address: Address, { lamports, bytes, owner }: PlainAccount): void =>
    svm.setAccount(addressBytes(address), new Account(lamports, bytes, addressBytes(owner), false, 0n))
  const read = (address: Address): PlainAccount | undefined => {
    const found = svm.getAccount(addressBytes(address))
    if (found === null || found.lamports() === 0n) return undefined
    return { lamports: found.lamports(), bytes: found.data(), owner: toAddress(found.owner()) }
  }
  for (const wallet of [DEPOSITOR, SPONSOR, SOLVER, STRANGER, ATTACKER])
    write(wallet, { lamports: WALLET_LAMPORTS, bytes: new Uint8Array(), owner: SYSTEM_PROGRAM })
  return {
    send: (instructions, feePayer = STRANGER) => {
      const wire = wireOf(instructions, feePayer)
      const outcome = svm.sendVersionedTransaction(wire)
      const isFailed = outcome instanceof FailedTransactionMetadata
      const units = (isFailed ? outcome.meta() : outcome).computeUnitsConsumed()
      return { error: isFailed ? errorOf(outcome) : undefined, units, size: wire.length }
    },
    setTime: (seconds) => setTime(svm, seconds),
    setRent: (lamports, years) => svm.setRent(new Rent(lamports, years, 50)),
    read,
    write,
    addProgram: (address, bytes) => svm.addProgram(addressBytes(address), bytes),
    lamportsOf: (address) => read(address)?.lamports ?? 0n,
    rentOf: (bytes) => svm.minimumBalanceForRentExemption(BigInt(bytes)),
  }
}

/** The instruction with other properties of the account at an index. */
export const altered = (
  instruction: Instruction,
  index: number,
  change: Partial<AccountMeta>,
): Instruction => ({
  ...instruction,
  accounts: (instruction.accounts ?? []).map((account, position) =>
    position === index ? { ...account, ...change } : account,
  ),
})
