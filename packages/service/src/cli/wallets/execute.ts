import type { Action, ChainType, Execution, Quote, StartedTransfer } from '@openrfq/sdk'
import { ExecutionError } from '@openrfq/sdk'
import type { EvmWallet } from '@openrfq/sdk/evm'
import type { SolanaWallet } from '@openrfq/sdk/solana'
import type { StellarExecution, StellarWallet } from '@openrfq/sdk/stellar'

/** At most one wallet of each family, each on the source chain of the quotes. */
export type Wallets = {
  readonly evm?: EvmWallet
  readonly solana?: SolanaWallet
  readonly stellar?: StellarWallet
}

/** The quote to execute and the wallets. */
export type ExecuteOptions = Execution & Pick<StellarExecution, 'holding'> & { readonly wallets: Wallets }

type PayloadType = Exclude<Action['payload']['type'], 'unknown'>
type Execute = (execution: ExecuteOptions) => Promise<StartedTransfer>

/**
 * Executes a quote with the wallet that its payloads need, and resolves with how to look the transfer up. A family's
 * library is loaded only when needed. Throws ExecutionError; its code says what had been sent.
 */
export const execute: Execute = async (execution) => {
  const { quoteId, actions } = execution.quote
  const type = actions[0]?.payload.type
  if (type === undefined) throw new ExecutionError('unsupported', `quote ${quoteId} has no actions`)
  if (type === 'unknown')
    throw new ExecutionError(
      'unsupported',
      `quote ${quoteId} has an action of a type this version does not know`,
    )
  return EXECUTE[type](execution)
}

const onEvm: Execute = async ({ wallets, holding: _, ...execution }) => {
  const wallet = given(wallets.evm, 'evm', execution.quote)
  const { executeEvmQuote } = await import('@openrfq/sdk/evm')
  return executeEvmQuote({ ...execution, ...wallet })
}

const onSolana: Execute = async ({ wallets, holding: _, ...execution }) => {
  const wallet = given(wallets.solana, 'solana', execution.quote)
  const { executeSolanaQuote } = await import('@openrfq/sdk/solana')
  return executeSolanaQuote({ ...execution, ...wallet })
}

const onStellar: Execute = async ({ wallets, ...execution }) => {
  const wallet = given(wallets.stellar, 'stellar', execution.quote)
  const { executeStellarQuote } = await import('@openrfq/sdk/stellar')
  return executeStellarQuote({ ...execution, ...wallet })
}

const EXECUTE = {
  evm_transaction: onEvm,
  solana_instructions: onSolana,
  deposit_address: onStellar,
} as const satisfies Record<PayloadType, Execute>

const given = <Wallet>(wallet: Wallet | undefined, family: ChainType, { quoteId, input }: Quote): Wallet => {
  if (wallet !== undefined) return wallet
  const message = `quote ${quoteId} starts on ${input.chain} and needs a wallet of family ${family}; none was given`
  throw new ExecutionError('unsupported', message)
}
