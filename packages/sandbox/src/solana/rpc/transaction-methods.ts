import { z } from 'zod'
import { MAX_BLOCKHASH_AGE } from '../blocks.ts'
import { AccountEncoding, encodeAccount } from '../encoded-account.ts'
import { encodeHoldings, encodeInner, encodeReturned } from '../encoded-transaction.ts'
import { invalidParams, RPC_ERROR_CODES, RpcError } from '../rpc-error.ts'
import type { SimulatedSolana } from '../simulated-solana.ts'
import { type SimulationReport, simulateTransaction } from '../simulation.ts'
import { decodeTransaction, type SignedTransaction } from '../transaction.ts'
import { describeError } from '../transaction-error.ts'
import {
  AddressParam,
  CommitmentParam,
  ContextParam,
  contextBlock,
  inContext,
  type Methods,
  parseParams,
} from './params.ts'
import { bytesOf, WireEncoding } from './wire-bytes.ts'

/** The longest transaction text: 1232 bytes in base58, which is longer than base64. */
const WireText = z.string().max(1700)

const SendConfig = z.object({
  encoding: WireEncoding.nullish(),
  skipPreflight: z.boolean().nullish(),
  preflightCommitment: CommitmentParam.nullish(),
  minContextSlot: z.int().min(0).nullish(),
  maxRetries: z.int().min(0).nullish(),
})

const SimulateConfig = z.object({
  ...ContextParam.shape,
  encoding: WireEncoding.nullish(),
  sigVerify: z.boolean().nullish(),
  replaceRecentBlockhash: z.boolean().nullish(),
  innerInstructions: z.boolean().nullish(),
  accounts: z
    .object({ addresses: z.array(AddressParam).max(100), encoding: AccountEncoding.nullish() })
    .nullish(),
})
type SimulateConfig = z.infer<typeof SimulateConfig>

const encodeReport = ({ execution, accounts, feeLamports, balances, loadedBytes }: SimulationReport) => ({
  err: execution.error,
  fee: feeLamports,
  loadedAccountsDataSize: loadedBytes,
  loadedAddresses: accounts.loaded,
  logs: execution.logs,
  postBalances: balances?.after.lamports ?? null,
  postTokenBalances: balances === null ? null : encodeHoldings(balances.after.tokens),
  preBalances: balances?.before.lamports ?? null,
  preTokenBalances: balances === null ? null : encodeHoldings(balances.before.tokens),
  replacementBlockhash: null,
  returnData: encodeReturned(execution) ?? null,
  unitsConsumed: execution.units,
})

const preflight = (
  cluster: SimulatedSolana,
  transaction: SignedTransaction,
  block: ReturnType<typeof contextBlock>,
): void => {
  const report = simulateTransaction(cluster, transaction, {
    block,
    signatures: 'checked',
    blockhash: 'checked',
  })
  const { error } = report.execution
  if (error === 'SignatureFailure')
    throw new RpcError(RPC_ERROR_CODES.signatureVerification, 'Transaction signature verification failure')
  if (error === 'SanitizeFailure') throw invalidParams(`invalid transaction: ${describeError(error)}`)
  if (error !== null)
    throw new RpcError(
      RPC_ERROR_CODES.preflightFailure,
      `Transaction simulation failed: ${describeError(error)}`,
      { ...encodeReport(report), accounts: null, innerInstructions: null },
    )
}

const sendMethod = (cluster: SimulatedSolana) => (params: readonly unknown[]) => {
  const [text, config] = parseParams(z.tuple([WireText, SendConfig.nullable()]), params, 2)
  const transaction = decodeTransaction(bytesOf(text, config?.encoding ?? 'base58'))
  const block = contextBlock(cluster, {
    commitment: config?.preflightCommitment ?? undefined,
    minContextSlot: config?.minContextSlot ?? undefined,
  })
  if (config?.skipPreflight !== true) preflight(cluster, transaction, block)
  cluster.submit(transaction)
  return transaction.signature
}

const requestedAccounts = ({ readAfter }: SimulationReport, config: SimulateConfig | null) => {
  const wanted = config?.accounts
  if (wanted === undefined || wanted === null) return null
  const format = { encoding: wanted.encoding ?? ('base64' as const) }
  return wanted.addresses.map((address) => encodeAccount(readAfter(address), format, readAfter))
}

const simulateMethod = (cluster: SimulatedSolana) => (params: readonly unknown[]) => {
  const [text, config] = parseParams(z.tuple([WireText, SimulateConfig.nullable()]), params, 2)
  const isReplacing = config?.replaceRecentBlockhash === true
  if (isReplacing && config?.sigVerify === true)
    throw invalidParams('sigVerify may not be used with replaceRecentBlockhash')
  const transaction = decodeTransaction(bytesOf(text, config?.encoding ?? 'base58'))
  const block = contextBlock(cluster, config)
  const report = simulateTransaction(cluster, transaction, {
    block,
    signatures: config?.sigVerify === true ? 'checked' : 'ignored',
    blockhash: isReplacing ? 'ignored' : 'checked',
  })
  if (report.execution.error === 'SignatureFailure')
    throw new RpcError(RPC_ERROR_CODES.signatureVerification, 'Transaction signature verification failure')
  return inContext(block, {
    ...encodeReport(report),
    accounts: requestedAccounts(report, config),
    innerInstructions:
      config?.innerInstructions === true
        ? encodeInner(report.execution.inner, report.accounts, 'json')
        : undefined,
    replacementBlockhash: isReplacing
      ? { blockhash: block.hash, lastValidBlockHeight: block.height + MAX_BLOCKHASH_AGE }
      : null,
  })
}

type TransactionMethodDeps = {
  readonly cluster: SimulatedSolana
  /** Sends lamports from the faucet. Returns the signature without waiting for a block. */
  readonly airdrop: (address: z.infer<typeof AddressParam>, lamports: bigint) => Promise<string>
}

/** Methods that send and simulate transactions. Source: solana.com/docs/rpc/http. */
export const transactionMethods = ({ cluster, airdrop }: TransactionMethodDeps): Methods => ({
  sendTransaction: sendMethod(cluster),
  simulateTransaction: simulateMethod(cluster),
  requestAirdrop: (params) => {
    const schema = z.tuple([AddressParam, z.int().min(1), ContextParam.nullable()])
    const [address, lamports] = parseParams(schema, params, 3)
    return airdrop(address, BigInt(lamports))
  },
})
