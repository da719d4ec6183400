import type { rpc, Transaction } from '@stellar/stellar-sdk'
import { sleep } from '../client/sleep.ts'
import { type ActionOf, actionsOf, checkedQuote } from '../execute/checked-quote.ts'
import { type Execution, type StartedTransfer, startedTransfer } from '../execute/execution.ts'
import { ExecutionError } from '../execute/execution-error.ts'
import { formatUnits } from '../format-units.ts'
import type { Quote } from '../wire/quote.ts'
import { STELLAR_DECIMALS, type StellarAssetName, type StellarAssets } from './stellar-asset.ts'
import { connectNode, loadStellarSdk, type StellarSdk } from './stellar-node.ts'
import { findStellarAsset } from './stellar-token.ts'

/**
 * A Stellar wallet: its account (G…), its signing function, its RPC URL, the network's passphrase, and the assets that
 * quotes may ask for, because a token's address is a hash that reveals neither code nor issuer. `signTransaction` is
 * that of SEP-43 wallets.
 * @example
 * // With `signTransaction` of @stellar/freighter-api or of any other SEP-43 wallet:
 * const walletOf = (address: string, signTransaction: StellarWallet['signTransaction']): StellarWallet => ({
 *   address,
 *   signTransaction,
 *   rpcUrl: 'https://rpc.example',
 *   passphrase: 'Public Global Stellar Network ; September 2015',
 *   assets: [{ code: 'USDC', issuer: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN' }],
 * })
 */
export type StellarWallet = StellarAssets & {
  readonly address: string
  readonly signTransaction: (
    xdr: string,
    options: { readonly networkPassphrase: string; readonly address: string },
  ) => Promise<{ readonly signedTxXdr: string; readonly error?: { readonly message: string } }>
  readonly rpcUrl: string
}

/**
 * The quote to execute and its wallet.
 * @example
 * const execution = (quote: Quote, wallet: StellarWallet): StellarExecution => ({ ...wallet, quote })
 */
export type StellarExecution = StellarWallet & Execution

type Deposit = ActionOf<'deposit_address'>

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
/** The fee bid in stroops; the ledger usually charges its minimum of a hundred. */
const FEE_BID = '100000'

/**
 * Pays a quote's deposit: the exact amount and token to the address, valid no longer than the quote. Resolves with the
 * lookup of the transfer. Sends nothing when the quote is expired, or made for another sender or network. Throws
 * ExecutionError; its code says what had been sent.
 * @example
 * const start = (quote: Quote, wallet: StellarWallet) =>
 *   executeStellarQuote({
 *     ...wallet,
 *     quote,
 *     onAction: ({ action, event, txHash }) => console.log(action.label, event, txHash),
 *   })
 */
export const executeStellarQuote = async (execution: StellarExecution): Promise<StartedTransfer> => {
  const { rpcUrl, onAction, timeoutMs = DEFAULT_TIMEOUT_MS } = execution
  const quote = checkedQuote(execution)
  const [deposit, ...others] = actionsOf(quote, 'deposit_address')
  if (deposit === undefined || others.length > 0)
    throw new ExecutionError('unsupported', `quote ${quote.quoteId} is not one deposit`)
  checkDeposit(quote, deposit)
  const sdk = await loadStellarSdk()
  checkSender(sdk, execution, deposit)
  const deadline = performance.now() + timeoutMs
  const server = await beforeSending(deposit, async () => connectNode(sdk, rpcUrl))
  const running: Running = { execution, sdk, server, deposit, deadline }
  const transaction = await buildPayment(running, quote)
  const txHash = hexOf(transaction.hash())
  await submit(running, transaction)
  onAction?.({ action: deposit, event: 'sent', txHash })
  await included(running, transaction, txHash)
  onAction?.({ action: deposit, event: 'included', txHash })
  return startedTransfer(quote, txHash, undefined)
}

/** Checks that the deposit equals the quote's input. */
const checkDeposit = ({ quoteId, input }: Quote, { id: actionId, chain, payload }: Deposit): void => {
  const { amount, token } = payload
  if (chain === input.chain && token === input.token && amount === input.amount) return
  const message = `quote ${quoteId} asks to pay ${amount} of ${token} on ${chain}, its input is ${input.amount} of ${input.token} on ${input.chain}`
  throw new ExecutionError('unsupported', message, { actionId })
}

/** Checks the wallet's account; a deposit does not name the quote's sender, but refunds go there. */
const checkSender = (
  { StrKey }: StellarSdk,
  { quote, address }: StellarExecution,
  { id: actionId }: Deposit,
): void => {
  const wrong = (message: string): ExecutionError => new ExecutionError('wrong_wallet', message, { actionId })
  if (!StrKey.isValidEd25519PublicKey(address))
    throw wrong(`the wallet's address is ${address}, expected an account (G…)`)
  const sender = refundAddressOf(quote)
  if (sender !== undefined && sender !== address)
    throw wrong(`the quote was made for ${sender}, the wallet is ${address}`)
}

const refundAddressOf = ({ backend }: Quote): string | undefined =>
  backend.type === 'unknown' ? undefined : (backend.metadata.refund?.address ?? undefined)

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

const assetOf = async ({ execution, deposit }: Running): Promise<StellarAssetName> => {
  const { token } = deposit.payload
  const found = await findStellarAsset(execution, token)
  if (found !== undefined) return found.asset
  const message = `the quote is paid in ${token}, which no known asset of "${execution.passphrase}" is`
  throw new ExecutionError('unsupported', message, { actionId: deposit.id })
}

const buildPayment = async (running: Running, quote: Quote): Promise<Transaction> => {
  const { execution, sdk, server, deposit } = running
  const { passphrase, address } = execution
  const { id: actionId, payload } = deposit
  const name = await assetOf(running)
  const network = await beforeSending(deposit, () => server.getNetwork())
  if (network.passphrase !== passphrase) {
    const message = `the RPC address leads to the network "${network.passphrase}", expected "${passphrase}"`
    throw new ExecutionError('wrong_wallet', message, { actionId })
  }
  const account = await beforeSending(deposit, () => server.getAccount(address))
  const maxTime = Math.floor(Date.parse(quote.validity.quoteExpiresAt) / 1000)
  const payment = sdk.Operation.payment({
    destination: payload.address,
    asset: name === undefined ? sdk.Asset.native() : new sdk.Asset(name.code, name.issuer),
    amount: formatUnits(BigInt(payload.amount), STELLAR_DECIMALS),
  })
  const transaction = new sdk.TransactionBuilder(account, {
    fee: FEE_BID,
    networkPassphrase: passphrase,
    timebounds: { minTime: 0, maxTime },
  })
    .addOperation(payment)
    .build()
  return signed(running, transaction)
}

/** The payment with the wallet's signature. Throws when the wallet signed another transaction. */
const signed = async (
  { execution, sdk, deposit }: Running,
  transaction: Transaction,
): Promise<Transaction> => {
  const { signTransaction, passphrase: networkPassphrase, address } = execution
  const refused = (reason: string, cause?: unknown): ExecutionError => {
    const message = `action "${deposit.id}" cannot be signed: ${reason}`
    return new ExecutionError('refused', message, { actionId: deposit.id }, { cause })
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
  if (!(answer instanceof sdk.Transaction) || hexOf(answer.hash()) !== hexOf(transaction.hash()))
    throw refused('the wallet signed another transaction')
  return answer
}

/** Submits the payment. When the connection breaks, only the ledger can tell whether it arrived. */
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

/** Waits until a ledger includes the payment or none can any more; repeats the submission meanwhile. */
const included = async (running: Running, transaction: Transaction, txHash: string): Promise<void> => {
  const { sdk, server, deposit, deadline } = running
  const where = { actionId: deposit.id, txHash }
  const { SUCCESS, FAILED } = sdk.rpc.Api.GetTransactionStatus
  const maxTime = Number(transaction.timeBounds?.maxTime ?? Number.POSITIVE_INFINITY)
  let wasTooLate = false
  for (let look = 1; performance.now() < deadline; look += 1) {
    // A failed read is repeated.
    const found = await server.getTransaction(txHash).catch(() => undefined)
    if (found?.status === SUCCESS) return
    if (found?.status === FAILED) {
      const message = `action "${deposit.id}" failed in ${txHash}: ${failureOf(found)}`
      throw new ExecutionError('reverted', message, where)
    }
    const isTooLate = found !== undefined && Number(found.latestLedgerCloseTime) > maxTime
    // The node reads the transaction before the ledger's height, so a single read proves nothing.
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

/** Awaits a read before the action is sent. */
const beforeSending = async <T>(action: Deposit, read: () => Promise<T>): Promise<T> => {
  try {
    return await read()
  } catch (cause) {
    const isRefused = cause instanceof Error && /not found/i.test(cause.message)
    const reason = cause instanceof Error ? cause.message : 'the node refused'
    const message = `action "${action.id}" cannot be sent: ${reason}`
    const code = isRefused ? 'refused' : 'unreachable'
    throw new ExecutionError(code, message, { actionId: action.id }, { cause })
  }
}
