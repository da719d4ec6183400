import { setTimeout as sleep } from 'node:timers/promises'
import type { rpc, Transaction } from '@stellar/stellar-sdk'
import type { Action } from '../action.ts'
import { ExecutionError } from '../execution-error.ts'
import { formatUnits } from '../format-units.ts'
import type { Quote } from '../quote.ts'
import type { StartedTransfer } from '../started-transfer.ts'
import { STELLAR_DECIMALS, type StellarAssetName } from './stellar-asset.ts'
import { connectStellar, keypairOf, type StellarSdk } from './stellar-node.ts'

/** What is executed, with which account, through which node; `now` decides whether the quote still stands. */
export type StellarExecution = {
  readonly quote: Quote
  /** The account's secret (S…). */
  readonly secret: string
  readonly rpcUrl: string
  /** Of the network that the quote starts on; signatures are bound to it. */
  readonly passphrase: string
  /** What the quote's input token is called on the network; checked against the token's address. */
  readonly asset: StellarAssetName
  readonly now: number
  /** Called when the payment was sent and again when it is in a ledger. */
  readonly onAction?: (action: Action, event: 'sent' | 'mined', txHash: string) => void
  /** How long the payment may take to be in a ledger; 180 seconds by default. */
  readonly timeoutMs?: number
}

type Deposit = Action & { readonly payload: Extract<Action['payload'], { type: 'deposit_address' }> }

type Running = {
  readonly execution: StellarExecution
  readonly sdk: StellarSdk
  readonly server: rpc.Server
  readonly deposit: Deposit
  readonly deadline: number
}

const DEFAULT_TIMEOUT_MS = 180_000
const POLLING_MS = 500
const LOOKS_PER_SENDING = 4
/** A bid in stroops; a payment is charged what the ledger takes least, mostly a hundred. */
const FEE_BID = '100000'

/**
 * Pays a quote's deposit: exactly the amount and token to the address, valid no longer than the quote, and tells how to
 * look the transfer up. Throws ExecutionError; see its faults for what was sent by then.
 */
export const executeStellar = async (execution: StellarExecution): Promise<StartedTransfer> => {
  const deposit = checkedDeposit(execution)
  const { sdk, server } = await connectStellar(execution.rpcUrl)
  const deadline = performance.now() + (execution.timeoutMs ?? DEFAULT_TIMEOUT_MS)
  const running: Running = { execution, sdk, server, deposit, deadline }
  const transaction = await buildPayment(running)
  const txHash = Buffer.from(transaction.hash()).toString('hex')
  await submit(running, transaction)
  execution.onAction?.(deposit, 'sent', txHash)
  await included(running, transaction, txHash)
  execution.onAction?.(deposit, 'mined', txHash)
  return { txHash, messageId: undefined, sourceChain: execution.quote.input.chain }
}

/** The quote's only action if it may be started now. */
const checkedDeposit = ({ quote, now }: StellarExecution): Deposit => {
  if (now >= Date.parse(quote.validity.quoteExpiresAt)) {
    const message = `quote ${quote.quoteId} expired at ${quote.validity.quoteExpiresAt}; ask for a fresh one`
    throw new ExecutionError('expired', message)
  }
  const [action, ...others] = quote.actions
  if (action === undefined || others.length > 0)
    throw new ExecutionError('unsupported', `quote ${quote.quoteId} is not one deposit`)
  const { payload, id: actionId } = action
  if (payload.type !== 'deposit_address')
    throw new ExecutionError('unsupported', `a Stellar account cannot run ${payload.type}`, { actionId })
  return { ...action, payload }
}

const buildPayment = async (running: Running): Promise<Transaction> => {
  const { execution, sdk, server, deposit } = running
  const { passphrase, asset: name, quote, secret } = execution
  const { id: actionId, payload } = deposit
  const asset = name === undefined ? sdk.Asset.native() : new sdk.Asset(name.code, name.issuer)
  const token = asset.contractId(passphrase)
  if (token !== payload.token)
    throw new ExecutionError(
      'unsupported',
      `the quote is paid in ${payload.token}, the asset named is ${token}`,
      {
        actionId,
      },
    )
  const keypair = keypairOf(sdk, secret)
  const network = await beforeSending(deposit, server.getNetwork())
  if (network.passphrase !== passphrase) {
    const message = `the RPC address leads to the network "${network.passphrase}", expected "${passphrase}"`
    throw new ExecutionError('wrong_wallet', message, { actionId })
  }
  const account = await beforeSending(deposit, server.getAccount(keypair.publicKey()))
  const maxTime = Math.floor(Date.parse(quote.validity.quoteExpiresAt) / 1000)
  const transaction = new sdk.TransactionBuilder(account, {
    fee: FEE_BID,
    networkPassphrase: passphrase,
    timebounds: { minTime: 0, maxTime },
  })
    .addOperation(
      sdk.Operation.payment({
        destination: payload.address,
        asset,
        amount: formatUnits(BigInt(payload.amount), STELLAR_DECIMALS),
      }),
    )
    .build()
  transaction.sign(keypair)
  return transaction
}

/** Hands the payment over. When the RPC breaks off, only the ledger can tell whether it arrived. */
const submit = async (running: Running, transaction: Transaction): Promise<void> => {
  const { server, deposit, deadline } = running
  const actionId = deposit.id
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

/** Waits until the payment is in a ledger, or no ledger can take it any more; sends it again while it is in none. */
const included = async (running: Running, transaction: Transaction, txHash: string): Promise<void> => {
  const { sdk, server, deposit, deadline } = running
  const where = { actionId: deposit.id, txHash }
  const { SUCCESS, FAILED } = sdk.rpc.Api.GetTransactionStatus
  const maxTime = Number(transaction.timeBounds?.maxTime ?? Number.POSITIVE_INFINITY)
  let wasTooLate = false
  for (let look = 1; performance.now() < deadline; look += 1) {
    // A node that does not answer once may answer the next time.
    const found = await server.getTransaction(txHash).catch(() => undefined)
    if (found?.status === SUCCESS) return
    if (found?.status === FAILED) {
      const message = `action "${deposit.id}" failed in ${txHash}: ${failureOf(found)}`
      throw new ExecutionError('reverted', message, where)
    }
    const isTooLate = found !== undefined && Number(found.latestLedgerCloseTime) > maxTime
    // A node looks for a transaction before it looks how far it has come, so one look proves nothing.
    if (isTooLate && wasTooLate) {
      const message = `action "${deposit.id}" was in no ledger before the quote expired, and cannot be any more`
      throw new ExecutionError('refused', message, where)
    }
    wasTooLate = isTooLate
    await sleep(POLLING_MS)
    if (look % LOOKS_PER_SENDING === 0) await server.sendTransaction(transaction).catch(() => undefined)
  }
  const message = `transaction ${txHash} of action "${deposit.id}" was not seen in a ledger`
  throw new ExecutionError('uncertain', message, where)
}

const failureOf = ({ resultXdr: { result } }: rpc.Api.GetFailedTransactionResponse): string => {
  if (result.type !== 'txFailed') return result.type
  return result.value
    .map((operation) => (operation.type === 'opInner' ? operation.tr.value.type : operation.type))
    .join(', ')
}

/** The answer of a read that goes before sending the action. */
const beforeSending = async <T>(action: Action, read: Promise<T>): Promise<T> => {
  try {
    return await read
  } catch (cause) {
    const refused = cause instanceof Error && /not found/i.test(cause.message)
    const reason = cause instanceof Error ? cause.message : 'the node refused'
    const message = `action "${action.id}" cannot be sent: ${reason}`
    throw new ExecutionError(refused ? 'refused' : 'unreachable', message, { actionId: action.id }, { cause })
  }
}
