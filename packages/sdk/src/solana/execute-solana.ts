import {
  type Base64EncodedWireTransaction,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  isSolanaError,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  sendAndConfirmTransactionFactory,
  signature,
} from '@solana/kit'
import type { Action, SolanaInstructions } from '../action.ts'
import { ExecutionError } from '../execution-error.ts'
import { namedBy } from '../message-id.ts'
import type { Quote } from '../quote.ts'
import type { StartedTransfer } from '../started-transfer.ts'
import type { SolanaWallet } from './connect-solana.ts'
import { signSolanaPayload } from './solana-message.ts'

/** What is executed and with which wallet; `now` decides whether the quote still stands. */
export type SolanaExecution = SolanaWallet & {
  readonly quote: Quote
  readonly now: number
  /** Called when an action was sent and again when it is confirmed. */
  readonly onAction?: (action: Action, event: 'sent' | 'mined', txHash: string) => void
  /** How long each action may take to be confirmed; 120 seconds by default. */
  readonly confirmTimeoutMs?: number
}

type SolanaAction = Action & { readonly payload: SolanaInstructions }

const READ_TIMEOUT_MS = 10_000
const DEFAULT_CONFIRM_TIMEOUT_MS = 120_000
/** The first characters of the genesis hash name the cluster. Source: CAIP-2, namespace `solana`. */
const REFERENCE_CHARACTERS = 32

/**
 * Signs and sends the quote's actions in their order, exactly as returned, each after the one before is confirmed, and
 * tells how to look the transfer up. Throws ExecutionError; see its faults for what was sent by then.
 */
export const executeSolana = async (execution: SolanaExecution): Promise<StartedTransfer> => {
  const { quote } = execution
  const actions = checkedActions(execution)
  await checkChain(execution)
  let txHash: string | undefined
  for (const action of actions) txHash = await runAction(execution, action)
  if (txHash === undefined) throw new ExecutionError('unsupported', `quote ${quote.quoteId} has no actions`)
  return { txHash, messageId: undefined, sourceChain: quote.input.chain }
}

/** The quote's actions if this wallet may start them now; nothing is sent before all of them are known to fit. */
const checkedActions = ({ quote, signer, now }: SolanaExecution): readonly SolanaAction[] => {
  if (now >= Date.parse(quote.validity.quoteExpiresAt)) {
    const message = `quote ${quote.quoteId} expired at ${quote.validity.quoteExpiresAt}; ask for a fresh one`
    throw new ExecutionError('expired', message)
  }
  if (namedBy(quote.backend.type) !== 'quote')
    throw new ExecutionError('unsupported', `cannot execute quotes of backend ${quote.backend.type} here`)
  return quote.actions.map((action) => {
    const { payload, id: actionId } = action
    if (payload.type !== 'solana_instructions')
      throw new ExecutionError('unsupported', `a Solana wallet cannot run ${payload.type}`, { actionId })
    const foreign = payload.instructions
      .flatMap(({ keys }) => keys)
      .find(({ isSigner, pubkey }) => isSigner && pubkey !== signer.address)
    if (foreign !== undefined) {
      const message = `the quote was made for ${foreign.pubkey}, the wallet is ${signer.address}`
      throw new ExecutionError('wrong_wallet', message, { actionId })
    }
    return { ...action, payload }
  })
}

const checkChain = async ({ quote, rpc }: SolanaExecution): Promise<void> => {
  const abortSignal = AbortSignal.timeout(READ_TIMEOUT_MS)
  const genesisHash = await beforeSending(undefined, rpc.getGenesisHash().send({ abortSignal }))
  const connected = `solana:${genesisHash.slice(0, REFERENCE_CHARACTERS)}`
  const foreign = quote.actions.find((action) => action.chain !== connected)
  if (foreign === undefined) return
  const message = `the quote runs on ${foreign.chain}, the RPC address leads to ${connected}`
  throw new ExecutionError('wrong_wallet', message, { actionId: foreign.id })
}

const runAction = async (execution: SolanaExecution, action: SolanaAction): Promise<string> => {
  const { rpc, rpcSubscriptions, onAction, confirmTimeoutMs = DEFAULT_CONFIRM_TIMEOUT_MS } = execution
  const signing = signSolanaPayload(action.payload, execution, AbortSignal.timeout(READ_TIMEOUT_MS))
  const signed = await beforeSending(action, signing)
  const txHash = getSignatureFromTransaction(signed)
  await send(execution, action, getBase64EncodedWireTransaction(signed), txHash)
  onAction?.(action, 'sent', txHash)
  try {
    // Sends it once more, which does no harm, and saves a transaction that the first node lost.
    await sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions })(signed, {
      commitment: 'confirmed',
      skipPreflight: true,
      abortSignal: AbortSignal.timeout(confirmTimeoutMs),
    })
  } catch (cause) {
    const where = { actionId: action.id, txHash }
    if (await hasFailed(execution, txHash))
      throw new ExecutionError('reverted', `action "${action.id}" failed in transaction ${txHash}`, where, {
        cause,
      })
    const message = `transaction ${txHash} of action "${action.id}" was not seen confirmed: ${textOf(cause)}`
    throw new ExecutionError('uncertain', message, where, { cause })
  }
  onAction?.(action, 'mined', txHash)
  return txHash
}

const send = async (
  { rpc }: SolanaExecution,
  action: Action,
  transaction: Base64EncodedWireTransaction,
  txHash: string,
): Promise<void> => {
  const abortSignal = AbortSignal.timeout(READ_TIMEOUT_MS)
  try {
    await rpc
      .sendTransaction(transaction, { encoding: 'base64', preflightCommitment: 'confirmed' })
      .send({ abortSignal })
  } catch (cause) {
    const actionId = action.id
    if (!isUnanswered(cause))
      throw new ExecutionError('refused', refusal(action, cause), { actionId }, { cause })
    const message = `the RPC broke off while action "${actionId}" was sent; transaction ${txHash} tells whether it was`
    throw new ExecutionError('uncertain', message, { actionId, txHash }, { cause })
  }
}

/** Whether the cluster says that the transaction was included and failed; not when it cannot be read. */
const hasFailed = async ({ rpc }: SolanaExecution, txHash: string): Promise<boolean> => {
  try {
    const { value } = await rpc
      .getSignatureStatuses([signature(txHash)], { searchTransactionHistory: true })
      .send({ abortSignal: AbortSignal.timeout(READ_TIMEOUT_MS) })
    return value[0]?.err !== undefined && value[0].err !== null
  } catch {
    return false
  }
}

/** The answer of a read that goes before sending the action. */
const beforeSending = async <T>(action: Action | undefined, read: Promise<T>): Promise<T> => {
  try {
    return await read
  } catch (cause) {
    const where = action === undefined ? {} : { actionId: action.id }
    const fault = isUnanswered(cause) ? 'unreachable' : 'refused'
    throw new ExecutionError(fault, refusal(action, cause), where, { cause })
  }
}

/** Everything but an answer of the node and a fault of the transaction itself: broken connections, timeouts, outages. */
const isUnanswered = (error: unknown): boolean =>
  !isSolanaError(error) || isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)

const refusal = (action: Action | undefined, error: unknown): string => {
  const what = action === undefined ? 'the cluster cannot be read' : `action "${action.id}" cannot be sent`
  return `${what}: ${textOf(error)}`
}

const textOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? `${error.message} (${cause.message})` : error.message
}
