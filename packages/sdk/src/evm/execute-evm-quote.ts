import {
  type Account,
  type Address,
  BaseError,
  getAddress,
  type Hex,
  HttpRequestError,
  TimeoutError,
  WaitForTransactionReceiptTimeoutError,
} from 'viem'
import { type ActionOf, actionsOf, checkedQuote } from '../execute/checked-quote.ts'
import { checkUnexpired, createClock } from '../execute/clock.ts'
import { type Execution, type StartedTransfer, startedTransfer } from '../execute/execution.ts'
import { ExecutionError } from '../execute/execution-error.ts'
import { type MessageReceipt, messageIdOf, namedBy } from '../execute/message-id.ts'
import { evmChainIdOf } from '../wire/chain-id.ts'

/** An EVM call in the form wallets take. */
type Call = {
  readonly account: Account | Address
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
}

/** The receipt fields that tell whether an action succeeded. */
type Receipt = MessageReceipt & { readonly status: 'success' | 'reverted'; readonly transactionHash: Hex }

/**
 * The methods used of a wallet's two viem clients: clients of any chain fit, and so do wagmi's.
 * @example
 * const walletOf = (account: Account, transport: Transport): EvmWallet => ({
 *   walletClient: createWalletClient({ account, transport }),
 *   publicClient: createPublicClient({ transport }),
 * })
 */
export type EvmWallet = {
  readonly walletClient: {
    readonly account: Account
    readonly getChainId: () => Promise<number>
    readonly sendTransaction: (
      call: Call & { readonly gas: bigint; readonly nonce: number; readonly chain: null },
    ) => Promise<Hex>
  }
  readonly publicClient: {
    readonly getChainId: () => Promise<number>
    readonly getTransactionCount: (query: {
      readonly address: Address
      readonly blockTag: 'pending'
    }) => Promise<number>
    readonly estimateGas: (call: Call) => Promise<bigint>
    readonly waitForTransactionReceipt: (query: {
      readonly hash: Hex
      readonly timeout: number
      readonly onReplaced: (replacement: { readonly reason: string }) => void
    }) => Promise<Receipt>
  }
}

/**
 * The quote to execute and its wallet.
 * @example
 * const execution = (quote: Quote, wallet: EvmWallet): EvmExecution => ({ ...wallet, quote, timeoutMs: 300_000 })
 */
export type EvmExecution = EvmWallet & Execution

/** An action of a quote that starts on an EVM chain. */
export type EvmAction = ActionOf<'evm_transaction'>

const DEFAULT_TIMEOUT_MS = 180_000
/** Gas limit as a multiple of the wallet's own estimate, in tenths, rounded up. */
const GAS_MARGIN_TENTHS = 12n

/**
 * Sends the quote's actions in order and unchanged, each after the previous one is mined, and resolves with the lookup
 * of the transfer. Gas is estimated again. Sends nothing when the quote is expired, made for another sender, or for a
 * chain that either client is not on. Throws ExecutionError; its code says what had been sent.
 * @example
 * const transport = http('http://127.0.0.1:8545')
 * const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
 * const start = (quote: Quote) =>
 *   executeEvmQuote({
 *     quote,
 *     walletClient: createWalletClient({ account, transport }),
 *     publicClient: createPublicClient({ transport }),
 *     onAction: ({ action, event, txHash }) => console.log(action.label, event, txHash),
 *   })
 */
export const executeEvmQuote = async (execution: EvmExecution): Promise<StartedTransfer> => {
  const clock = createClock(execution)
  const quote = checkedQuote(execution)
  const actions = actionsOf(quote, 'evm_transaction')
  const { publicClient, walletClient } = execution
  const { address } = walletClient.account
  await checkWallet(execution, actions)
  let nonce = 0
  let last: { readonly action: EvmAction; readonly receipt: Receipt } | undefined
  for (const action of actions) {
    // An approval may have taken longer than the quote is valid.
    checkUnexpired(quote, clock(), action.id)
    // While the one before it was mined, the wallet may have been switched.
    if (last !== undefined) await checkChain(execution, [action])
    // A node that lags behind the last receipt must not return the same nonce again.
    const pending = publicClient.getTransactionCount({ address, blockTag: 'pending' })
    nonce = Math.max(nonce, await beforeSending(action, pending))
    last = { action, receipt: await runAction(execution, action, nonce) }
    nonce += 1
  }
  if (last === undefined) throw new ExecutionError('unsupported', `quote ${quote.quoteId} has no actions`)
  return startedBy(quote, last.receipt, last.action.id)
}

/** The transfer that a mined transaction started. Throws ExecutionError `no_message` when its event is missing. */
export const startedBy = (
  quote: ReturnType<typeof checkedQuote>,
  receipt: Receipt,
  actionId: string,
): StartedTransfer => {
  const messageId = messageIdOf(quote, receipt)
  const txHash = receipt.transactionHash
  if (messageId !== undefined || namedBy(quote.backend.type) === 'quote')
    return startedTransfer(quote, txHash, messageId)
  const message = `transaction ${txHash} succeeded without the gateway event of a ${quote.backend.type} transfer`
  throw new ExecutionError('no_message', message, { actionId, txHash })
}

/** Checks sender and chain of all actions before anything is sent. Throws ExecutionError `wrong_wallet`. */
export const checkWallet = async (wallet: EvmWallet, actions: readonly EvmAction[]): Promise<void> => {
  checkSender(actions, wallet.walletClient.account.address)
  await checkChain(wallet, actions)
}

const checkSender = (actions: readonly EvmAction[], address: string): void => {
  const foreign = actions.find(({ payload }) => payload.from.toLowerCase() !== address.toLowerCase())
  if (foreign === undefined) return
  const message = `the quote was made for ${foreign.payload.from}, the wallet is ${address}`
  throw new ExecutionError('wrong_wallet', message, { actionId: foreign.id })
}

const checkChain = async (
  { publicClient, walletClient }: EvmWallet,
  actions: readonly EvmAction[],
): Promise<void> => {
  const ids = await beforeSending(
    undefined,
    Promise.all([publicClient.getChainId(), walletClient.getChainId()]),
  )
  for (const [index, connected] of ids.map(evmChainIdOf).entries()) {
    const foreign = actions.find(({ chain }) => chain !== connected)
    if (foreign === undefined) continue
    const which = index === 0 ? 'the RPC address leads to' : 'the wallet is on'
    const message = `the quote runs on ${foreign.chain}, ${which} ${connected}`
    throw new ExecutionError('wrong_wallet', message, { actionId: foreign.id })
  }
}

/** An action as a call from an account. */
export const callOf = ({ payload: { to, data, value } }: EvmAction, account: Account | Address): Call => ({
  account,
  to: getAddress(to),
  // CAST: the schema of the payload lets only 0x-hex pass, which its text type forgets.
  data: data as Hex,
  value: BigInt(value),
})

const runAction = async (execution: EvmExecution, action: EvmAction, nonce: number): Promise<Receipt> => {
  const sentHash = await send(execution, action, nonce)
  execution.onAction?.({ action, event: 'sent', txHash: sentHash })
  const receipt = await included(execution, action, sentHash)
  const txHash = receipt.transactionHash
  if (receipt.status === 'reverted') {
    const message = `action "${action.id}" reverted in transaction ${txHash}`
    throw new ExecutionError('reverted', message, { actionId: action.id, txHash })
  }
  execution.onAction?.({ action, event: 'included', txHash })
  return receipt
}

const send = async (execution: EvmExecution, action: EvmAction, nonce: number): Promise<Hex> => {
  const { walletClient, publicClient } = execution
  const { account } = walletClient
  const call = callOf(action, account)
  const estimate = await beforeSending(action, publicClient.estimateGas(call))
  const gas = (estimate * GAS_MARGIN_TENTHS + 9n) / 10n
  try {
    return await walletClient.sendTransaction({ ...call, gas, nonce, chain: null })
  } catch (cause) {
    const where = { actionId: action.id }
    if (!isUnanswered(cause)) throw new ExecutionError('refused', refusal(action, cause), where, { cause })
    const what = cause instanceof BaseError ? 'the RPC broke off' : 'the wallet failed'
    const message = `${what} while action "${action.id}" was sent; nonce ${nonce} of ${account.address} tells whether it was`
    throw new ExecutionError('uncertain', message, where, { cause })
  }
}

/** Waits for the receipt of an action's transaction. Throws ExecutionError `uncertain`, and `refused` for one that was replaced. */
export const included = async (
  { publicClient, timeoutMs = DEFAULT_TIMEOUT_MS }: EvmExecution,
  action: EvmAction,
  hash: Hex,
): Promise<Receipt> => {
  const where = { actionId: action.id, txHash: hash }
  let isReplaced = false
  const receipt = await publicClient
    .waitForTransactionReceipt({
      hash,
      timeout: timeoutMs,
      // A wallet that only raises the fee sends the same call again.
      onReplaced: ({ reason }) => {
        isReplaced = reason !== 'repriced'
      },
    })
    .catch((cause: unknown) => {
      const isTooLate = cause instanceof WaitForTransactionReceiptTimeoutError
      const what = isTooLate
        ? `was not seen mined within ${timeoutMs} ms`
        : `cannot be followed: ${textOf(cause)}`
      const message = `transaction ${hash} of action "${action.id}" ${what}`
      throw new ExecutionError('uncertain', message, where, { cause })
    })
  if (!isReplaced) return receipt
  const message = `the wallet replaced transaction ${hash} of action "${action.id}" by ${receipt.transactionHash}`
  throw new ExecutionError('refused', message, where)
}

/** Awaits a read before the action is sent. Throws ExecutionError `unreachable` or `refused`. */
export const beforeSending = async <T>(action: EvmAction | undefined, read: Promise<T>): Promise<T> => {
  try {
    return await read
  } catch (cause) {
    const where = action === undefined ? {} : { actionId: action.id }
    const code = isUnanswered(cause) ? 'unreachable' : 'refused'
    throw new ExecutionError(code, refusal(action, cause), where, { cause })
  }
}

/** Whether the error is not the chain's answer. */
const isUnanswered = (error: unknown): boolean =>
  !(error instanceof BaseError) ||
  error.walk((cause) => cause instanceof HttpRequestError || cause instanceof TimeoutError) !== null

const refusal = (action: EvmAction | undefined, error: unknown): string => {
  const what = action === undefined ? 'the chain cannot be read' : `action "${action.id}" cannot be sent`
  return `${what}: ${textOf(error)}`
}

const textOf = (error: unknown): string => {
  if (!(error instanceof BaseError)) return error instanceof Error ? error.message : String(error)
  const said = error.details === undefined || error.details === '' ? '' : ` (${error.details})`
  return `${error.shortMessage}${said}`
}
