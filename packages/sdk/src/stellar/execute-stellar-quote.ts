import type { Transaction } from '@stellar/stellar-sdk'
import { type ActionOf, actionsOf, checkedQuote } from '../execute/checked-quote.ts'
import { type Execution, type StartedTransfer, startedTransfer } from '../execute/execution.ts'
import { ExecutionError } from '../execute/execution-error.ts'
import type { Quote } from '../wire/quote.ts'
import { amountText, balanceOperations } from './balance-operations.ts'
import { beforeSending, hashOf, included, type Sending, signed, submit } from './send-transaction.ts'
import type { StellarAssetName } from './stellar-asset.ts'
import { connectNode, loadStellarSdk, type StellarSdk } from './stellar-node.ts'
import { findStellarAsset } from './stellar-token.ts'
import type { StellarWallet } from './stellar-wallet.ts'

/**
 * Who holds a deposit on Stellar until it is delivered.
 * @example
 * const holding: StellarHolding = { holding: 'claimable_balance' }
 */
export type StellarHolding = {
  /**
   * `vault`, the default: a payment into the operator's vault. `claimable_balance`: a balance that only the operator's
   * signers together can take before the quote's `refundAfter`, and the sender alone can take back after it.
   */
  readonly holding?: 'vault' | 'claimable_balance'
}

/**
 * The quote to execute and its wallet.
 * @example
 * const execution = (quote: Quote, wallet: StellarWallet): StellarExecution => ({ ...wallet, quote })
 */
export type StellarExecution = StellarWallet & Execution & StellarHolding

type Deposit = ActionOf<'deposit_address'>

type Running = Sending & {
  readonly execution: StellarExecution
  readonly deposit: Deposit
}

const DEFAULT_TIMEOUT_MS = 180_000
/** The fee bid in stroops for each operation; the ledger usually charges its minimum of a hundred. */
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
  const server = await beforeSending(deposit.id, async () => connectNode(sdk, rpcUrl))
  const { id: actionId } = deposit
  const running: Running = { execution, sdk, server, deposit, deadline, wallet: execution, actionId }
  const transaction = await buildPayment(running, quote)
  const txHash = hashOf(transaction)
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
  const { actionId, payload } = { actionId: deposit.id, payload: deposit.payload }
  const name = await assetOf(running)
  const network = await beforeSending(actionId, () => server.getNetwork())
  if (network.passphrase !== passphrase) {
    const message = `the RPC address leads to the network "${network.passphrase}", expected "${passphrase}"`
    throw new ExecutionError('wrong_wallet', message, { actionId })
  }
  const account = await beforeSending(actionId, () => server.getAccount(address))
  const maxTime = Math.floor(Date.parse(quote.validity.quoteExpiresAt) / 1000)
  const asset = name === undefined ? sdk.Asset.native() : new sdk.Asset(name.code, name.issuer)
  const paid = { destination: payload.address, asset, amount: amountText(payload.amount) }
  const operations =
    execution.holding === 'claimable_balance'
      ? balanceOperations(sdk, quote, { ...paid, maker: address, actionId, now: execution.now ?? Date.now() })
      : [sdk.Operation.payment(paid)]
  const builder = new sdk.TransactionBuilder(account, {
    fee: FEE_BID,
    networkPassphrase: passphrase,
    timebounds: { minTime: 0, maxTime },
  })
  for (const operation of operations) builder.addOperation(operation)
  return signed(running, builder.build())
}
