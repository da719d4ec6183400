import {
  type Account,
  BaseError,
  type Chain,
  getAddress,
  type Hex,
  HttpRequestError,
  type PublicClient,
  TimeoutError,
  type TransactionReceipt,
  type Transport,
  type WalletClient,
} from 'viem'
import type { Action, EvmTransaction } from '../action.ts'
import { ExecutionError } from '../execution-error.ts'
import { messageIdOf, namedBy } from '../message-id.ts'
import type { Quote } from '../quote.ts'
import type { StartedTransfer } from '../started-transfer.ts'

/** The two viem clients of one wallet on one chain. */
export type EvmWallet = {
  readonly walletClient: WalletClient<Transport, Chain | undefined, Account>
  readonly publicClient: PublicClient
}

/** What is executed and with which wallet; `now` decides whether the quote still stands. */
export type EvmExecution = EvmWallet & {
  readonly quote: Quote
  readonly now: number
  /** Called when an action was sent and again when it is mined. */
  readonly onAction?: (action: Action, event: 'sent' | 'mined', txHash: string) => void
  /** How long each action may take to be mined; 180 seconds by default. */
  readonly receiptTimeoutMs?: number
}

const DEFAULT_RECEIPT_TIMEOUT_MS = 180_000
/** Margin on the wallet's own gas estimate, in tenths. */
const GAS_MARGIN = { numerator: 12n, denominator: 10n }

type EvmAction = Action & { readonly payload: EvmTransaction }

/**
 * Sends the quote's actions in their order, exactly as returned, each after the one before is mined, and tells how to
 * look the transfer up. Gas is estimated anew. Throws ExecutionError; see its faults for what was sent by then.
 */
export const executeEvm = async (execution: EvmExecution): Promise<StartedTransfer> => {
  const { quote, publicClient, walletClient } = execution
  const actions = checkedActions(execution)
  await checkChain(execution)
  const address = walletClient.account.address
  let nonce = 0
  let last: { readonly action: EvmAction; readonly receipt: TransactionReceipt } | undefined
  for (const action of actions) {
    // A node that lags behind the last receipt must not give out the same nonce again.
    nonce = Math.max(
      nonce,
      await beforeSending(action, publicClient.getTransactionCount({ address, blockTag: 'pending' })),
    )
    last = { action, receipt: await runAction(execution, action, nonce) }
    nonce += 1
  }
  if (last === undefined) throw new ExecutionError('unsupported', `quote ${quote.quoteId} has no actions`)
  const txHash = last.receipt.transactionHash
  const messageId = messageOf(quote, last, address)
  return { txHash, messageId, sourceChain: quote.input.chain }
}

const messageOf = (
  { backend }: Quote,
  { action, receipt }: { readonly action: EvmAction; readonly receipt: TransactionReceipt },
  address: string,
): string | undefined => {
  if (namedBy(backend.type) === 'quote') return undefined
  const messageId = messageIdOf(
    backend.type,
    receipt,
    backend.type === 'gateway' ? address : action.payload.to,
  )
  if (messageId !== undefined) return messageId
  const txHash = receipt.transactionHash
  const message = `transaction ${txHash} succeeded without the gateway event of a ${backend.type} transfer`
  throw new ExecutionError('no_message', message, { actionId: action.id, txHash })
}

/** The quote's actions if this wallet may start them now; nothing is sent before all of them are known to fit. */
const checkedActions = ({ quote, walletClient, now }: EvmExecution): readonly EvmAction[] => {
  if (now >= Date.parse(quote.validity.quoteExpiresAt)) {
    const message = `quote ${quote.quoteId} expired at ${quote.validity.quoteExpiresAt}; ask for a fresh one`
    throw new ExecutionError('expired', message)
  }
  const address = walletClient.account.address
  return quote.actions.map((action) => {
    const { payload, id: actionId } = action
    if (payload.type !== 'evm_transaction')
      throw new ExecutionError('unsupported', `an EVM wallet cannot run ${payload.type}`, { actionId })
    if (payload.from.toLowerCase() !== address.toLowerCase()) {
      const message = `the quote was made for ${payload.from}, the wallet is ${address}`
      throw new ExecutionError('wrong_wallet', message, { actionId })
    }
    return { ...action, payload }
  })
}

const checkChain = async ({ quote, publicClient }: EvmExecution): Promise<void> => {
  const connected = `eip155:${await beforeSending(undefined, publicClient.getChainId())}`
  const foreign = quote.actions.find((action) => action.chain !== connected)
  if (foreign === undefined) return
  const message = `the quote runs on ${foreign.chain}, the RPC address leads to ${connected}`
  throw new ExecutionError('wrong_wallet', message, { actionId: foreign.id })
}

const runAction = async (
  execution: EvmExecution,
  action: EvmAction,
  nonce: number,
): Promise<TransactionReceipt> => {
  const txHash = await send(execution, action, nonce)
  execution.onAction?.(action, 'sent', txHash)
  const receipt = await mined(execution, action, txHash)
  if (receipt.status === 'reverted') {
    const message = `action "${action.id}" reverted in transaction ${receipt.transactionHash}`
    throw new ExecutionError('reverted', message, { actionId: action.id, txHash: receipt.transactionHash })
  }
  execution.onAction?.(action, 'mined', receipt.transactionHash)
  return receipt
}

const send = async (execution: EvmExecution, action: EvmAction, nonce: number): Promise<Hex> => {
  const { walletClient, publicClient } = execution
  const { account } = walletClient
  const { to, data, value } = action.payload
  // CAST: the schema of the payload lets only 0x-hex pass, which its text type forgets.
  const call = { account, to: getAddress(to), data: data as Hex, value: BigInt(value) }
  const estimate = await beforeSending(action, publicClient.estimateGas(call))
  const gas = (estimate * GAS_MARGIN.numerator + GAS_MARGIN.denominator - 1n) / GAS_MARGIN.denominator
  try {
    return await walletClient.sendTransaction({ ...call, gas, nonce, chain: null })
  } catch (error) {
    const where = { actionId: action.id }
    if (!isUnanswered(error))
      throw new ExecutionError('refused', refusal(action, error), where, { cause: error })
    const message = `the RPC broke off while action "${action.id}" was sent; nonce ${nonce} of ${account.address} tells whether it was`
    throw new ExecutionError('uncertain', message, where, { cause: error })
  }
}

const mined = async (execution: EvmExecution, action: EvmAction, hash: Hex): Promise<TransactionReceipt> => {
  const timeout = execution.receiptTimeoutMs ?? DEFAULT_RECEIPT_TIMEOUT_MS
  try {
    return await execution.publicClient.waitForTransactionReceipt({ hash, timeout })
  } catch (error) {
    const message = `transaction ${hash} of action "${action.id}" was not seen mined within ${timeout} ms`
    throw new ExecutionError('uncertain', message, { actionId: action.id, txHash: hash }, { cause: error })
  }
}

/** The answer of a read that goes before sending the action. */
const beforeSending = async <T>(action: Action | undefined, read: Promise<T>): Promise<T> => {
  try {
    return await read
  } catch (error) {
    const where = action === undefined ? {} : { actionId: action.id }
    const fault = isUnanswered(error) ? 'unreachable' : 'refused'
    throw new ExecutionError(fault, refusal(action, error), where, { cause: error })
  }
}

const isUnanswered = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk((cause) => cause instanceof HttpRequestError || cause instanceof TimeoutError) !== null

const refusal = (action: Action | undefined, error: unknown): string => {
  const what = action === undefined ? 'the chain cannot be read' : `action "${action.id}" cannot be sent`
  if (!(error instanceof BaseError))
    return `${what}: ${error instanceof Error ? error.message : String(error)}`
  const said = error.details === undefined || error.details === '' ? '' : ` (${error.details})`
  return `${what}: ${error.shortMessage}${said}`
}
