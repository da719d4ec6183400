import type { Action, ChainType, Quote, StartedTransfer } from '@openrfq/sdk'
import { ExecutionError } from '@openrfq/sdk'
import type { EvmWallet } from '@openrfq/sdk/evm'
import type { SolanaWallet } from '@openrfq/sdk/solana'
import type { StellarAssets } from '@openrfq/sdk/stellar'
import { findStellarAsset } from '@openrfq/sdk/stellar'
import type { Instant } from '../../core/instant.ts'

/** A Stellar account's secret (S…), the node it pays through, and the network and assets that are known to it. */
type StellarWallet = StellarAssets & { readonly secret: string; readonly rpcUrl: string }

/** The wallets somebody has, at most one of each family, each on the chain that quotes start on. */
export type Wallets = {
  readonly evm?: EvmWallet
  readonly solana?: SolanaWallet
  readonly stellar?: StellarWallet
}

/** What is executed and with which wallets; `now` decides whether the quote still stands. */
export type ExecuteOptions = {
  readonly quote: Quote
  readonly wallets: Wallets
  readonly now: Instant
  /** Called when an action was sent and again when a block or ledger holds it. */
  readonly onAction?: (action: Action, event: 'sent' | 'mined', txHash: string) => void
  /** How long each action may take to be in a block or ledger; two to three minutes by default. */
  readonly timeoutMs?: number
}

type PayloadType = Action['payload']['type']
type Execute = (execution: ExecuteOptions) => Promise<StartedTransfer>

/**
 * Executes a quote with the wallet that its payloads are for, whatever chain it starts on, and tells how to look the
 * transfer up. A family's library is loaded only when it is needed. Throws ExecutionError; see its faults for what was
 * sent by then.
 */
export const execute: Execute = async (execution) => {
  const [first] = execution.quote.actions
  if (first === undefined)
    throw new ExecutionError('unsupported', `quote ${execution.quote.quoteId} has no actions`)
  return EXECUTE[first.payload.type](execution)
}

const onEvm: Execute = async ({ wallets, timeoutMs, ...rest }) => {
  const wallet = given(wallets.evm, 'evm', rest.quote)
  const { executeEvm } = await import('@openrfq/sdk/evm')
  return executeEvm({
    ...rest,
    ...wallet,
    ...(timeoutMs === undefined ? {} : { receiptTimeoutMs: timeoutMs }),
  })
}

const onSolana: Execute = async ({ wallets, timeoutMs, ...rest }) => {
  const wallet = given(wallets.solana, 'solana', rest.quote)
  const { executeSolana } = await import('@openrfq/sdk/solana')
  return executeSolana({
    ...rest,
    ...wallet,
    ...(timeoutMs === undefined ? {} : { confirmTimeoutMs: timeoutMs }),
  })
}

const onStellar: Execute = async ({ wallets, ...rest }) => {
  const { assets, ...wallet } = given(wallets.stellar, 'stellar', rest.quote)
  const { executeStellar } = await import('@openrfq/sdk/stellar')
  const token = depositToken(rest.quote)
  const found = await findStellarAsset({ ...wallet, assets }, token)
  if (found === undefined) {
    const message = `the quote is paid in ${token}, which no known asset of "${wallet.passphrase}" is`
    throw new ExecutionError('unsupported', message)
  }
  return executeStellar({ ...rest, ...wallet, asset: found.asset })
}

const EXECUTE = {
  evm_transaction: onEvm,
  solana_instructions: onSolana,
  deposit_address: onStellar,
} as const satisfies Record<PayloadType, Execute>

const depositToken = ({ actions, input }: Quote): string => {
  const payload = actions[0]?.payload
  return payload?.type === 'deposit_address' ? payload.token : input.token
}

const given = <Wallet>(wallet: Wallet | undefined, family: ChainType, { quoteId, input }: Quote): Wallet => {
  if (wallet !== undefined) return wallet
  const message = `quote ${quoteId} starts on ${input.chain} and needs a wallet of family ${family}; none was given`
  throw new ExecutionError('unsupported', message)
}
