import type { rpc, Transaction } from '@stellar/stellar-sdk'
import { sleep } from '../client/sleep.ts'
import { ExecutionError } from '../execute/execution-error.ts'
import type { StellarSdk } from './stellar-node.ts'
import type { StellarWallet } from './stellar-wallet.ts'

/** What sends the transaction of an action; `deadline` is a time of `performance`, in milliseconds. */
export type Sending = {
  readonly wallet: Pick<StellarWallet, 'signTransaction' | 'passphrase' | 'address'>
  readonly sdk: StellarSdk
  readonly server: rpc.Server
  readonly actionId: string
  readonly deadline: number
}

const POLLING_MS = 500
const LOOKS_PER_SENDING = 4

/** The hash of a transaction in hex. */
export const hashOf = (transaction: Transaction): string =>
  Array.from(transaction.hash(), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** The transaction with the wallet's signature. Throws when the wallet signed another transaction. */
export const signed = async (
  { wallet, sdk, actionId }: Sending,
  transaction: Transaction,
): Promise<Transaction> => {
  const { signTransaction, passphrase: networkPassphrase, address } = wallet
  const refused = (reason: string, cause?: unknown): ExecutionError => {
    const message = `action "${actionId}" cannot be signed: ${reason}`
    return new ExecutionError('refused', message, { actionId }, { cause })
  }
  // A wallet is somebody else's code: it may throw at once, and answer anything.
  const ask = async () => {
    const { signedTxXdr, error } = await signTransaction(transaction.toXDR(), { networkPassphrase, address })
    if (error !== undefined) throw new Error(error.message)
    return sdk.TransactionBuilder.fromXDR(signedTxXdr, networkPassphrase)
  }
  const answer = await ask().catch((cause: unknown) => {
    throw refused(cause instanceof Error ? cause.message : String(cause), cause)
  })
  if (!(answer instanceof sdk.Transaction) || hashOf(answer) !== hashOf(transaction))
    throw refused('the wallet signed another transaction')
  return answer
}

/** Submits a transaction. When the connection breaks, only the ledger can tell whether it arrived. */
export const submit = async (running: Sending, transaction: Transaction): Promise<void> => {
  const { server, actionId, deadline } = running
  while (performance.now() < deadline) {
    const answer = await server.sendTransaction(transaction).catch(() => undefined)
    if (answer === undefined || answer.status === 'PENDING' || answer.status === 'DUPLICATE') return
    if (answer.status === 'ERROR') {
      const reason = answer.errorResult?.result.type ?? 'no reason given'
      throw new ExecutionError('refused', `action "${actionId}" cannot be sent: ${reason}`, { actionId })
    }
    await sleep(POLLING_MS)
  }
  throw new ExecutionError('refused', `the network took no transactions for action "${actionId}"`, {
    actionId,
  })
}

/** Waits until a ledger includes the transaction or none can any more; repeats the submission meanwhile. */
export const included = async (running: Sending, transaction: Transaction, txHash: string): Promise<void> => {
  const { sdk, server, actionId, deadline } = running
  const where = { actionId, txHash }
  const { SUCCESS, FAILED } = sdk.rpc.Api.GetTransactionStatus
  const maxTime = Number(transaction.timeBounds?.maxTime ?? Number.POSITIVE_INFINITY)
  let wasTooLate = false
  for (let look = 1; performance.now() < deadline; look += 1) {
    // A failed read is repeated.
    const found = await server.getTransaction(txHash).catch(() => undefined)
    if (found?.status === SUCCESS) return
    if (found?.status === FAILED) {
      const message = `action "${actionId}" failed in ${txHash}: ${failureOf(found)}`
      throw new ExecutionError('reverted', message, where)
    }
    const isTooLate = found !== undefined && Number(found.latestLedgerCloseTime) > maxTime
    // The node reads the transaction before the ledger's height, so a single read proves nothing.
    if (isTooLate && wasTooLate) {
      const message = `action "${actionId}" was in no ledger before the quote expired, and cannot be any more`
      throw new ExecutionError('refused', message, where)
    }
    wasTooLate = isTooLate
    await sleep(POLLING_MS)
    if (look % LOOKS_PER_SENDING === 0) await server.sendTransaction(transaction).catch(() => undefined)
  }
  const message = `transaction ${txHash} of action "${actionId}" was not seen in a ledger`
  throw new ExecutionError('uncertain', message, where)
}

const failureOf = ({ resultXdr: { result } }: rpc.Api.GetFailedTransactionResponse): string => {
  if (result.type !== 'txFailed') return result.type
  return result.value
    .map((operation) => (operation.type === 'opInner' ? operation.tr.value.type : operation.type))
    .join(', ')
}

/** Awaits a read before the action is sent. Throws ExecutionError. */
export const beforeSending = async <T>(actionId: string, read: () => Promise<T>): Promise<T> => {
  try {
    return await read()
  } catch (cause) {
    const isRefused = cause instanceof Error && /not found/i.test(cause.message)
    const reason = cause instanceof Error ? cause.message : 'the node refused'
    const message = `action "${actionId}" cannot be sent: ${reason}`
    const code = isRefused ? 'refused' : 'unreachable'
    throw new ExecutionError(code, message, { actionId }, { cause })
  }
}
