import {
  type Base64EncodedWireTransaction,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  isSolanaError,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  sendAndConfirmTransactionFactory,
  signature,
} from '@solana/kit'
import { withDeadline } from '../client/deadline.ts'
import { type ActionOf, actionsOf, checkedQuote } from '../execute/checked-quote.ts'
import { checkUnexpired, createClock } from '../execute/clock.ts'
import { type Execution, type StartedTransfer, startedTransfer } from '../execute/execution.ts'
import { ExecutionError } from '../execute/execution-error.ts'
import { namedBy } from '../execute/message-id.ts'
import { solanaChainIdOf } from '../wire/chain-id.ts'
import type { SolanaWallet } from './connect-solana.ts'
import { readClusterState, signPayload } from './sign-payload.ts'

/**
 * The quote to execute and its wallet.
 * @example
 * const execution = (quote: Quote, wallet: SolanaWallet): SolanaExecution => ({ ...wallet, quote })
 */
export type SolanaExecution = SolanaWallet & Execution

type SolanaAction = ActionOf<'solana_instructions'>

const READ_TIMEOUT_MS = 60_000
const DEFAULT_TIMEOUT_MS = 120_000
/** Between two sendings of a transaction that is not confirmed. */
const RESEND_MS = 2_000

/**
 * Signs and sends the quote's actions in order and unchanged, each after the previous one is confirmed, and resolves
 * with the lookup of the transfer. Sends nothing when the quote is expired, or made for another signer or cluster.
 * Throws ExecutionError; its code says what had been sent.
 * @example
 * const start = (quote: Quote, wallet: SolanaWallet) =>
 *   executeSolanaQuote({
 *     ...wallet,
 *     quote,
 *     onAction: ({ action, event, txHash }) => console.log(action.label, event, txHash),
 *   })
 */
export const executeSolanaQuote = async (execution: SolanaExecution): Promise<StartedTransfer> => {
  const clock = createClock(execution)
  const quote = checkedQuote(execution)
  const { type } = quote.backend
  if (namedBy(type) !== 'quote' && type !== 'its')
    throw new ExecutionError('unsupported', `cannot execute quotes of backend ${type} here`)
  const actions = actionsOf(quote, 'solana_instructions')
  for (const action of actions) checkSigner(action, execution)
  await checkChain(execution, actions)
  let txHash: string | undefined
  for (const action of actions) txHash = await runAction(execution, action, clock)
  if (txHash === undefined) throw new ExecutionError('unsupported', `quote ${quote.quoteId} has no actions`)
  // The signature names the message; the service finds its place in the transaction once that is final.
  return startedTransfer(quote, txHash, type === 'its' ? txHash : undefined)
}

/** Checks all actions before anything is sent. */
const checkSigner = ({ id: actionId, payload }: SolanaAction, { signer }: SolanaWallet): void => {
  const foreign = payload.instructions
    .flatMap(({ keys }) => keys)
    .find(({ isSigner, pubkey }) => isSigner && pubkey !== signer.address)
  if (foreign === undefined) return
  const message = `the quote was made for ${foreign.pubkey}, the wallet is ${signer.address}`
  throw new ExecutionError('wrong_wallet', message, { actionId })
}

const checkChain = async ({ rpc }: SolanaWallet, actions: readonly SolanaAction[]): Promise<void> => {
  const asked = rpc.getGenesisHash()
  const genesisHash = await beforeSending(
    undefined,
    inTime((abortSignal) => asked.send({ abortSignal })),
  )
  const connected = solanaChainIdOf(genesisHash)
  const foreign = actions.find((action) => action.chain !== connected)
  if (foreign === undefined) return
  const message = `the quote runs on ${foreign.chain}, the RPC address leads to ${connected}`
  throw new ExecutionError('wrong_wallet', message, { actionId: foreign.id })
}

const runAction = async (
  execution: SolanaExecution,
  action: SolanaAction,
  clock: () => number,
): Promise<string> => {
  const { rpc, rpcSubscriptions, onAction, timeoutMs = DEFAULT_TIMEOUT_MS } = execution
  const state = await beforeSending(
    action,
    inTime((abortSignal) => readClusterState(action.payload, execution, abortSignal)),
  )
  const signed = await signPayload(action.payload, execution, state).catch((cause: unknown) => {
    throw new ExecutionError('refused', refusal(action, cause), { actionId: action.id }, { cause })
  })
  // A person may take longer to sign than the quote is valid.
  checkUnexpired(execution.quote, clock(), action.id)
  const txHash = getSignatureFromTransaction(signed)
  const transaction = getBase64EncodedWireTransaction(signed)
  await send(execution, action, transaction, txHash)
  onAction?.({ action, event: 'sent', txHash })
  const resending = setInterval(() => resend(execution, transaction), RESEND_MS)
  try {
    // Resolves when the transaction is confirmed, and rejects once its blockhash has expired.
    await withDeadline({ timeoutMs, signal: undefined }, (abortSignal) =>
      sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions })(signed, {
        commitment: 'confirmed',
        skipPreflight: true,
        abortSignal,
      }),
    )
  } catch (cause) {
    const where = { actionId: action.id, txHash }
    if (await hasFailed(execution, txHash))
      throw new ExecutionError('reverted', `action "${action.id}" failed in transaction ${txHash}`, where, {
        cause,
      })
    const message = `transaction ${txHash} of action "${action.id}" was not seen confirmed: ${textOf(cause)}`
    throw new ExecutionError('uncertain', message, where, { cause })
  } finally {
    clearInterval(resending)
  }
  onAction?.({ action, event: 'included', txHash })
  return txHash
}

/** Sends the same bytes again, which is harmless: leaders drop transactions, and nodes forget those that they passed on. */
const resend = ({ rpc }: SolanaWallet, transaction: Base64EncodedWireTransaction): void => {
  const sending = rpc.sendTransaction(transaction, {
    encoding: 'base64',
    skipPreflight: true,
    maxRetries: 0n,
  })
  inTime((abortSignal) => sending.send({ abortSignal })).catch(() => undefined)
}

const send = async (
  { rpc }: SolanaWallet,
  action: SolanaAction,
  transaction: Base64EncodedWireTransaction,
  txHash: string,
): Promise<void> => {
  const sending = rpc.sendTransaction(transaction, { encoding: 'base64', preflightCommitment: 'confirmed' })
  try {
    await inTime((abortSignal) => sending.send({ abortSignal }))
  } catch (cause) {
    const actionId = action.id
    if (!isUnanswered(cause))
      throw new ExecutionError('refused', refusal(action, cause), { actionId }, { cause })
    const message = `the RPC broke off while action "${actionId}" was sent; transaction ${txHash} tells whether it was`
    throw new ExecutionError('uncertain', message, { actionId, txHash }, { cause })
  }
}

/** Whether the cluster reports that the transaction was included and failed; false when it cannot be read. */
const hasFailed = async ({ rpc }: SolanaWallet, txHash: string): Promise<boolean> => {
  try {
    const asked = rpc.getSignatureStatuses([signature(txHash)], { searchTransactionHistory: true })
    const { value } = await inTime((abortSignal) => asked.send({ abortSignal }))
    return value[0]?.err !== undefined && value[0].err !== null
  } catch {
    return false
  }
}

const inTime = <T>(read: (abortSignal: AbortSignal) => Promise<T>): Promise<T> =>
  withDeadline({ timeoutMs: READ_TIMEOUT_MS, signal: undefined }, read)

/** Awaits a read before the action is sent. */
const beforeSending = async <T>(action: SolanaAction | undefined, read: Promise<T>): Promise<T> => {
  try {
    return await read
  } catch (cause) {
    const where = action === undefined ? {} : { actionId: action.id }
    const code = isUnanswered(cause) ? 'unreachable' : 'refused'
    throw new ExecutionError(code, refusal(action, cause), where, { cause })
  }
}

/** Whether the error is a broken connection, a timeout or an outage rather than the node's answer. */
const isUnanswered = (error: unknown): boolean =>
  !isSolanaError(error) || isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)

const refusal = (action: SolanaAction | undefined, error: unknown): string => {
  const what = action === undefined ? 'the cluster cannot be read' : `action "${action.id}" cannot be sent`
  return `${what}: ${textOf(error)}`
}

const textOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? `${error.message} (${cause.message})` : error.message
}
