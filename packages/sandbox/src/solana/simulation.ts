import type { Address } from '@solana/kit'
import type { StoredAccount } from './account.ts'
import type { Balances, Block } from './block.ts'
import { feeOf } from './fee.ts'
import { balancesOf, isBlockhashValidAt } from './landing.ts'
import type { SimulatedSolana } from './simulated-solana.ts'
import { resolveAccounts, type SignedTransaction, type TransactionAccounts } from './transaction.ts'
import type { TransactionError } from './transaction-error.ts'
import type { Execution } from './vm.ts'

/** The effects of a simulated transaction; `after` and `balances` are present when it was executed. */
export type SimulationReport = {
  readonly execution: Execution
  readonly accounts: TransactionAccounts
  readonly feeLamports: bigint
  readonly balances: { readonly before: Balances; readonly after: Balances } | null
  /** Total loaded account size in bytes. Source: SIMD-0186. */
  readonly loadedBytes: number
  readonly readAfter: (address: Address) => StoredAccount | null
}

type SimulationRules = {
  readonly block: Block
  readonly signatures: 'checked' | 'ignored'
  readonly blockhash: 'checked' | 'ignored'
}

const ACCOUNT_OVERHEAD_BYTES = 64

const notExecuted = (error: TransactionError): Execution => ({
  error,
  logs: [],
  units: 0n,
  inner: [],
  returned: null,
})

const refusal = (
  { blocks, history }: SimulatedSolana,
  transaction: SignedTransaction,
  { block, blockhash }: SimulationRules,
): TransactionError | null => {
  if (blockhash === 'checked' && !isBlockhashValidAt(blocks, transaction.blockhash, block.height))
    return 'BlockhashNotFound'
  const landed = history.find(transaction.signature)
  return landed !== undefined && landed.block.height <= block.height ? 'AlreadyProcessed' : null
}

/** Simulates a transaction on the newest accounts; blockhash and duplicates are checked at the block. */
export const simulateTransaction = (
  cluster: SimulatedSolana,
  transaction: SignedTransaction,
  rules: SimulationRules,
): SimulationReport => {
  const { vm } = cluster
  const accounts = resolveAccounts(transaction, vm.read)
  const feeLamports = feeOf(transaction)
  const loadedBytes = accounts.addresses
    .map(vm.read)
    .reduce((sum, account) => sum + (account === null ? 0 : account.bytes.length + ACCOUNT_OVERHEAD_BYTES), 0)
  const common = { accounts, feeLamports, loadedBytes }
  const refused = refusal(cluster, transaction, rules)
  if (refused !== null)
    return { ...common, execution: notExecuted(refused), balances: null, readAfter: vm.read }
  cluster.synchronise()
  const { after, ...execution } = vm.simulate(transaction, rules.signatures)
  const readAfter = (address: Address): StoredAccount | null => {
    const account = after.get(address)
    if (account === undefined) return vm.read(address)
    return account.lamports === 0n ? null : account
  }
  const balancesBy = (read: typeof readAfter): Balances =>
    balancesOf(accounts.addresses, accounts.addresses.map(read), read)
  const balances =
    execution.error === null ? { before: balancesBy(vm.read), after: balancesBy(readAfter) } : null
  return { ...common, execution, balances, readAfter }
}
