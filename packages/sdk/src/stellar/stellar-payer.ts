import { ExecutionError } from '../execute/execution-error.ts'
import type { Payer } from '../execute/payer.ts'
import type { Quote } from '../wire/quote.ts'
import { executeStellarQuote, type StellarHolding } from './execute-stellar-quote.ts'
import { guardStellarQuote } from './guard-stellar-quote.ts'
import { readStellarBalance } from './stellar-balance.ts'
import { findStellarAsset } from './stellar-token.ts'
import type { StellarWallet } from './stellar-wallet.ts'

/**
 * The payer of swaps that start on Stellar. With `holding: 'claimable_balance'` it makes each deposit as a claimable balance,
 * and refuses quotes that take none.
 * @example
 * const payer = async (secret: string): Promise<Payer> => {
 *   const network = { rpcUrl: 'https://rpc.example', passphrase: 'Test SDF Network ; September 2015', assets: [] }
 *   return stellarPayer(await connectStellar(secret, network))
 * }
 */
export const stellarPayer = (wallet: StellarWallet, holding: StellarHolding = {}): Payer => ({
  address: wallet.address,
  guard: (guarded) => guardStellarQuote(guarded, wallet),
  simulate: (quote) => checkBalance(wallet, quote),
  execute: (execution) => executeStellarQuote({ ...execution, ...wallet, ...holding }),
})

/** A node simulates calls of contracts only; what a payment lacks is the balance. Throws ExecutionError `refused`. */
const checkBalance = async (wallet: StellarWallet, { input }: Quote): Promise<void> => {
  const { rpcUrl, address: owner } = wallet
  const found = await findStellarAsset(wallet, input.token)
  if (found === undefined) {
    const message = `the quote is paid in ${input.token}, which no known asset of "${wallet.passphrase}" is`
    throw new ExecutionError('unsupported', message)
  }
  const held = await readStellarBalance({ rpcUrl, asset: found.asset, owner }).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ExecutionError('unreachable', `the ledger cannot be read: ${reason}`, {}, { cause })
  })
  if (held >= BigInt(input.amount)) return
  const message = `the wallet holds ${held} base units of ${input.token}, the quote takes ${input.amount}`
  throw new ExecutionError('refused', message)
}
