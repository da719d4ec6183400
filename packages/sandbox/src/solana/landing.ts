import type { Address } from '@solana/kit'
import type { ReadAccount, StoredAccount } from './account.ts'
import type { Balances, Block, LandedTransaction, TokenHolding } from './block.ts'
import type { Blocks } from './blocks.ts'
import { MAX_BLOCKHASH_AGE } from './blocks.ts'
import { feeOf } from './fee.ts'
import type { History } from './history.ts'
import { readMint, readTokenAccount } from './token-account.ts'
import { resolveAccounts, type SignedTransaction } from './transaction.ts'
import { costsFeeOnly } from './transaction-error.ts'
import type { Execution, Vm } from './vm.ts'

type LandingDeps = { readonly vm: Vm; readonly blocks: Blocks; readonly history: History }

/** Whether a block of this height may still include a transaction with the blockhash. */
export const isBlockhashValidAt = (blocks: Blocks, blockhash: string, height: number): boolean => {
  const block = blocks.withHash(blockhash)
  return block !== undefined && block.height <= height && height - block.height <= MAX_BLOCKHASH_AGE
}

/** The lamports and token balances of accounts, in their order; `readMintAccount` finds mints among all accounts. */
export const balancesOf = (
  addresses: readonly Address[],
  accounts: readonly (StoredAccount | null)[],
  readMintAccount: ReadAccount,
): Balances => ({
  lamports: accounts.map((account) => account?.lamports ?? 0n),
  tokens: addresses.flatMap((_, accountIndex): readonly TokenHolding[] => {
    const account = accounts[accountIndex] ?? null
    const fields = readTokenAccount(account)
    if (account === null || fields === null) return []
    const { mint, owner, amount } = fields
    const decimals = readMint(readMintAccount(mint))?.decimals ?? 0
    return [{ accountIndex, mint, owner, program: account.owner, amount, decimals }]
  }),
})

const chargeFee = (vm: Vm, payer: Address, feeLamports: bigint): boolean => {
  const account = vm.read(payer)
  if (account === null || account.lamports < feeLamports) return false
  vm.write(payer, { ...account, lamports: account.lamports - feeLamports })
  return true
}

/** Whether a block includes the transaction: it succeeded, or failed and paid its fee. */
const isRecorded = (
  vm: Vm,
  payer: Address,
  payerBefore: StoredAccount | null,
  execution: Execution,
  feeLamports: bigint,
): boolean => {
  if (execution.error === null) return true
  if (costsFeeOnly(execution.error)) return chargeFee(vm, payer, feeLamports)
  return (vm.read(payer)?.lamports ?? 0n) !== (payerBefore?.lamports ?? 0n)
}

/**
 * Executes a transaction in the block under construction and adds it to block and history. Null when the leader drops
 * it: its blockhash is unknown or expired, it is a duplicate, its signature is bad, or its payer cannot pay.
 */
export const landTransaction = (
  { vm, blocks, history }: LandingDeps,
  transaction: SignedTransaction,
  block: Block,
): LandedTransaction | null => {
  if (!isBlockhashValidAt(blocks, transaction.blockhash, block.height)) return null
  if (history.knows(transaction)) return null
  const accounts = resolveAccounts(transaction, vm.read)
  const { addresses } = accounts
  const [payer] = addresses
  if (payer === undefined) return null
  const stateBefore = addresses.map(vm.read)
  const before = balancesOf(addresses, stateBefore, vm.read)
  const feeLamports = feeOf(transaction)
  const execution = vm.execute(transaction)
  if (!isRecorded(vm, payer, stateBefore[0] ?? null, execution, feeLamports)) return null
  addresses.forEach((address, index) => {
    if (accounts.isWritable(index) && !block.before.has(address))
      block.before.set(address, stateBefore[index] ?? null)
  })
  const after = balancesOf(addresses, addresses.map(vm.read), vm.read)
  const landed = { transaction, accounts, execution, feeLamports, before, after, block }
  block.transactions.push(landed)
  history.add(landed)
  return landed
}
