import type { Address } from '@solana/kit'
import {
  Account,
  type AddressAndAccount,
  Clock,
  FailedTransactionMetadata,
  LiteSvm,
  type TransactionMetadata,
} from 'litesvm/dist/internal.js'
import type { StoredAccount } from './account.ts'
import { addressBytes, toAddress } from './address-bytes.ts'
import type { SignedTransaction } from './transaction.ts'
import { type TransactionError, transactionError } from './transaction-error.ts'

/** An inner instruction, in call order; height 2 was called by a top-level instruction. */
export type InnerInstruction = {
  readonly programIndex: number
  readonly accountIndices: readonly number[]
  readonly bytes: Uint8Array
  readonly stackHeight: number
}

/** The VM's result of one transaction. */
export type Execution = {
  readonly error: TransactionError | null
  readonly logs: readonly string[]
  readonly units: bigint
  /** One list per executed instruction of the transaction. */
  readonly inner: readonly (readonly InnerInstruction[])[]
  readonly returned: { readonly program: Address; readonly bytes: Uint8Array } | null
}

/** The result of a simulation, with the accounts it would change; empty when it failed. */
type Simulation = Execution & { readonly after: ReadonlyMap<Address, StoredAccount> }

/** The Solana VM with the newest accounts. It has no blocks, blockhashes or past transactions. */
export type Vm = {
  readonly read: (address: Address) => StoredAccount | null
  /** Overwrites an account unconditionally; null removes it. */
  readonly write: (address: Address, account: StoredAccount | null) => void
  /** Loads an immutable program. */
  readonly addProgram: (address: Address, bytes: Uint8Array) => void
  readonly ownedBy: (program: Address) => readonly Address[]
  /** Sets the sysvars for time and recent slots; `recent` is newest first. */
  readonly setTime: (
    tip: { readonly slot: number; readonly timeSeconds: number },
    recent: readonly { readonly slot: number; readonly hash: string }[],
  ) => void
  readonly execute: (transaction: SignedTransaction) => Execution
  readonly simulate: (transaction: SignedTransaction, signatures: 'checked' | 'ignored') => Simulation
  /** The rent-exempt minimum of an account of this size, in lamports. */
  readonly rentLamports: (space: number) => bigint
}

const SLOTS_PER_EPOCH = 432_000
const SYSTEM_PROGRAM = new Uint8Array(32)

const fromVm = (account: Account): StoredAccount => ({
  lamports: account.lamports(),
  bytes: account.data(),
  owner: toAddress(account.owner()),
  executable: account.executable(),
})

const describe = (metadata: TransactionMetadata, error: TransactionError | null): Execution => {
  const returned = metadata.returnData()
  return {
    error,
    logs: metadata.logs(),
    units: metadata.computeUnitsConsumed(),
    inner: metadata.innerInstructions().map((calls) =>
      calls.map((call) => {
        const instruction = call.instruction()
        return {
          programIndex: instruction.programIdIndex(),
          accountIndices: [...instruction.accounts()],
          bytes: instruction.data(),
          stackHeight: call.stackHeight(),
        }
      }),
    ),
    returned:
      returned.data().length === 0
        ? null
        : { program: toAddress(returned.programId()), bytes: returned.data() },
  }
}

const toExecution = (outcome: TransactionMetadata | FailedTransactionMetadata): Execution =>
  outcome instanceof FailedTransactionMetadata
    ? describe(outcome.meta(), transactionError(outcome.err()))
    : describe(outcome, null)

const accountsAfter = (accounts: readonly AddressAndAccount[]): ReadonlyMap<Address, StoredAccount> =>
  new Map(accounts.map((entry) => [toAddress(entry.address), fromVm(entry.account())]))

/**
 * Starts litesvm with the standard programs and wrapped SOL's mints; the cluster tracks blockhashes and duplicates. The
 * native binding is imported by its own path, because the wrapper loads a second copy of @solana/kit.
 */
export const createVm = (): Vm => {
  const svm = new LiteSvm()
  svm.withNativeMints()
  svm.setBlockhashCheck(false)
  svm.setTransactionHistory(0n)
  const simulateAs = (transaction: SignedTransaction): Simulation => {
    const bytes = transaction.wireBytes
    const outcome =
      transaction.version === 'legacy'
        ? svm.simulateLegacyTransaction(bytes)
        : svm.simulateVersionedTransaction(bytes)
    return outcome instanceof FailedTransactionMetadata
      ? { ...toExecution(outcome), after: new Map() }
      : { ...toExecution(outcome.meta()), after: accountsAfter(outcome.postAccounts()) }
  }
  return {
    read: (address) => {
      const account = svm.getAccount(addressBytes(address))
      return account === null || account.lamports() === 0n ? null : fromVm(account)
    },
    write: (address, account) =>
      svm.setAccount(
        addressBytes(address),
        account === null
          ? new Account(0n, new Uint8Array(), SYSTEM_PROGRAM, false, 0n)
          : new Account(account.lamports, account.bytes, addressBytes(account.owner), account.executable, 0n),
      ),
    addProgram: (address, bytes) => svm.addProgram(addressBytes(address), bytes),
    ownedBy: (program) =>
      svm.getProgramAccounts(addressBytes(program)).map((entry) => toAddress(entry.address)),
    setTime: ({ slot, timeSeconds }, recent) => {
      const epoch = BigInt(Math.floor(slot / SLOTS_PER_EPOCH))
      svm.setClock(new Clock(BigInt(slot), 0n, epoch, epoch + 1n, BigInt(timeSeconds)))
      svm.setSlotHashes(recent.map((block) => ({ slot: BigInt(block.slot), hash: block.hash })))
    },
    execute: ({ version, wireBytes }) =>
      toExecution(
        version === 'legacy' ? svm.sendLegacyTransaction(wireBytes) : svm.sendVersionedTransaction(wireBytes),
      ),
    simulate: (transaction, signatures) => {
      svm.setSigverify(signatures === 'checked')
      try {
        return simulateAs(transaction)
      } finally {
        svm.setSigverify(true)
      }
    },
    rentLamports: (space) => svm.minimumBalanceForRentExemption(BigInt(space)),
  }
}
