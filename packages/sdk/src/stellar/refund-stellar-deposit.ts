import { ExecutionError } from '../execute/execution-error.ts'
import { beforeSending, hashOf, included, signed, submit } from './send-transaction.ts'
import { connectNode, loadStellarSdk, type StellarSdk } from './stellar-node.ts'
import type { StellarWallet } from './stellar-wallet.ts'

/**
 * A deposit that was made as a claimable balance, by its transaction.
 * @example
 * const refund = (txHash: string, wallet: StellarWallet): StellarRefund => ({ ...wallet, txHash })
 */
export type StellarRefund = Omit<StellarWallet, 'assets'> & {
  /** The transaction that made the balance. */
  readonly txHash: string
  readonly timeoutMs?: number
}

const ACTION = 'refund'
const FEE_BID = '100000'
const DEFAULT_TIMEOUT_MS = 180_000
const VALID_SECONDS = 120

const refused = (message: string): ExecutionError =>
  new ExecutionError('refused', message, { actionId: ACTION })

/** The id of the balance that the transaction made. */
const balanceIdOf = (sdk: StellarSdk, envelopeXdr: string, { passphrase, txHash }: StellarRefund): string => {
  const parsed = sdk.TransactionBuilder.fromXDR(envelopeXdr, passphrase)
  const transaction = parsed instanceof sdk.FeeBumpTransaction ? parsed.innerTransaction : parsed
  const index = transaction.operations.findIndex(({ type }) => type === 'createClaimableBalance')
  if (index < 0) throw refused(`transaction ${txHash} made no claimable balance`)
  return transaction.getClaimableBalanceId(index)
}

/**
 * Takes a deposit in a claimable balance back, after the `refundAfter` of its order. It needs no service, no solver and no
 * signature but its maker's. Resolves with the transaction's hash when it is in a ledger. Throws ExecutionError: `reverted`
 * while the balance cannot be taken, and after it was.
 * @example
 * const takeBack = (txHash: string, wallet: StellarWallet) => refundStellarDeposit({ ...wallet, txHash })
 */
export const refundStellarDeposit = async (refund: StellarRefund): Promise<string> => {
  const { rpcUrl, address, passphrase, txHash, timeoutMs = DEFAULT_TIMEOUT_MS } = refund
  const sdk = await loadStellarSdk()
  const server = await beforeSending(ACTION, async () => connectNode(sdk, rpcUrl))
  const deadline = performance.now() + timeoutMs
  const sending = { wallet: refund, sdk, server, actionId: ACTION, deadline }
  const found = await beforeSending(ACTION, () => server.getTransaction(txHash))
  if (found.status !== sdk.rpc.Api.GetTransactionStatus.SUCCESS)
    throw refused(`the node knows no successful transaction ${txHash}`)
  const balanceId = balanceIdOf(sdk, found.envelopeXdr.toXdr('base64'), refund)
  const account = await beforeSending(ACTION, () => server.getAccount(address))
  const transaction = new sdk.TransactionBuilder(account, {
    fee: FEE_BID,
    networkPassphrase: passphrase,
    timebounds: { minTime: 0, maxTime: Number(found.latestLedgerCloseTime) + VALID_SECONDS },
  })
    .addOperation(sdk.Operation.claimClaimableBalance({ balanceId }))
    .build()
  const ready = await signed(sending, transaction)
  await submit(sending, ready)
  await included(sending, ready, hashOf(ready))
  return hashOf(ready)
}
