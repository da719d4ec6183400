import { encodeBase58 } from 'openrfq/base58'
import { z } from 'zod'
import type { LandedTransaction, TokenHolding } from './block.ts'
import { uiTokenAmount } from './parsed-account.ts'
import { RPC_ERROR_CODES, RpcError } from './rpc-error.ts'
import type { CompiledInstruction, SignedTransaction, TransactionAccounts } from './transaction.ts'
import type { TransactionError } from './transaction-error.ts'
import type { Execution, InnerInstruction } from './vm.ts'

/** Encodings of a transaction. */
export const TransactionEncoding = z.enum(['json', 'jsonParsed', 'base58', 'base64'])
type TransactionEncoding = z.infer<typeof TransactionEncoding>

/** Programs whose instruction data is text, shown by `jsonParsed` and in the `memo` of `getSignaturesForAddress`. */
const MEMO_PROGRAMS: readonly string[] = [
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH',
]

const TOP_HEIGHT = 1

const isMemo = (program: string | undefined): boolean =>
  program !== undefined && MEMO_PROGRAMS.includes(program)

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')

const encodeInstruction = (instruction: CompiledInstruction, stackHeight: number) => ({
  accounts: instruction.accountIndices,
  data: encodeBase58(instruction.bytes),
  programIdIndex: instruction.programIndex,
  stackHeight,
})

const parseInstruction = (
  instruction: CompiledInstruction,
  stackHeight: number,
  { addresses }: TransactionAccounts,
) => {
  const programId = addresses[instruction.programIndex]
  if (isMemo(programId))
    return { parsed: textOf(instruction.bytes), program: 'spl-memo', programId, stackHeight }
  return {
    accounts: instruction.accountIndices.map((index) => addresses[index]),
    data: encodeBase58(instruction.bytes),
    programId,
    stackHeight,
  }
}

const encodeLookups = ({ lookups }: SignedTransaction) =>
  lookups.map(({ table, writableIndices, readonlyIndices }) => ({
    accountKey: table,
    readonlyIndexes: readonlyIndices,
    writableIndexes: writableIndices,
  }))

const encodeMessage = (transaction: SignedTransaction) => ({
  accountKeys: transaction.staticAccounts,
  addressTableLookups: transaction.version === 'legacy' ? undefined : encodeLookups(transaction),
  header: {
    numReadonlySignedAccounts: transaction.header.numReadonlySignerAccounts,
    numReadonlyUnsignedAccounts: transaction.header.numReadonlyNonSignerAccounts,
    numRequiredSignatures: transaction.header.numSignerAccounts,
  },
  instructions: transaction.instructions.map((instruction) => encodeInstruction(instruction, TOP_HEIGHT)),
  recentBlockhash: transaction.blockhash,
})

const parseMessage = (transaction: SignedTransaction, accounts: TransactionAccounts) => ({
  accountKeys: accounts.addresses.map((pubkey, index) => ({
    pubkey,
    signer: accounts.isSigner(index),
    source: index < transaction.staticAccounts.length ? 'transaction' : 'lookupTable',
    writable: accounts.isWritable(index),
  })),
  addressTableLookups: transaction.version === 'legacy' ? undefined : encodeLookups(transaction),
  instructions: transaction.instructions.map((instruction) =>
    parseInstruction(instruction, TOP_HEIGHT, accounts),
  ),
  recentBlockhash: transaction.blockhash,
})

const encodeBody = (
  { transaction, accounts }: Pick<LandedTransaction, 'transaction' | 'accounts'>,
  encoding: TransactionEncoding,
) => {
  const { wireBytes, signatures } = transaction
  if (encoding === 'base64') return [Buffer.from(wireBytes).toString('base64'), 'base64']
  if (encoding === 'base58') return [encodeBase58(wireBytes), 'base58']
  const message = encoding === 'json' ? encodeMessage(transaction) : parseMessage(transaction, accounts)
  return { message, signatures }
}

/** Inner instructions, grouped by the top-level instruction that called them. */
export const encodeInner = (
  inner: readonly (readonly InnerInstruction[])[],
  accounts: TransactionAccounts,
  encoding: TransactionEncoding,
) =>
  inner.flatMap((calls, index) => {
    const instructions = calls.map((call) =>
      encoding === 'jsonParsed'
        ? parseInstruction(call, call.stackHeight, accounts)
        : encodeInstruction(call, call.stackHeight),
    )
    return instructions.length === 0 ? [] : [{ index, instructions }]
  })

/** Token balances in the form of `preTokenBalances` and `postTokenBalances`. */
export const encodeHoldings = (holdings: readonly TokenHolding[]) =>
  holdings.map(({ accountIndex, mint, owner, program, amount, decimals }) => ({
    accountIndex,
    mint,
    owner,
    programId: program,
    uiTokenAmount: uiTokenAmount(amount, decimals),
  }))

/** A program's return data, or undefined. */
export const encodeReturned = ({ returned }: Execution) =>
  returned === null
    ? undefined
    : { data: [Buffer.from(returned.bytes).toString('base64'), 'base64'], programId: returned.program }

/** The older `status` field beside `err`. */
export const encodeStatus = (error: TransactionError | null) =>
  error === null ? { Ok: null } : { Err: error }

const encodeMeta = (landed: LandedTransaction, encoding: TransactionEncoding) => {
  const { accounts, execution, before, after } = landed
  return {
    computeUnitsConsumed: execution.units,
    err: execution.error,
    fee: landed.feeLamports,
    innerInstructions: encodeInner(execution.inner, accounts, encoding),
    loadedAddresses: encoding === 'jsonParsed' ? undefined : accounts.loaded,
    logMessages: execution.logs,
    postBalances: after.lamports,
    postTokenBalances: encodeHoldings(after.tokens),
    preBalances: before.lamports,
    preTokenBalances: encodeHoldings(before.tokens),
    returnData: encodeReturned(execution),
    rewards: [],
    status: encodeStatus(execution.error),
  }
}

/**
 * A transaction in the form of `getTransaction` and `getBlock`. Throws -32015 for a version the reader does not accept.
 */
export const encodeTransaction = (
  landed: LandedTransaction,
  encoding: TransactionEncoding,
  maxVersion: number | null | undefined,
) => {
  const { version } = landed.transaction
  if (version !== 'legacy' && (maxVersion ?? -1) < version)
    throw new RpcError(
      RPC_ERROR_CODES.unsupportedTransactionVersion,
      `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
    )
  return {
    meta: encodeMeta(landed, encoding),
    transaction: encodeBody(landed, encoding),
    version: typeof maxVersion === 'number' ? version : undefined,
  }
}

/** A transaction's memos in the nodes' format, each prefixed with its byte length; null when there is none. */
export const memoOf = ({ transaction }: Pick<LandedTransaction, 'transaction'>): string | null => {
  const memos = transaction.instructions
    .filter(({ programIndex }) => isMemo(transaction.staticAccounts[programIndex]))
    .map(({ bytes }) => `[${bytes.length}] ${textOf(bytes)}`)
  return memos.length === 0 ? null : memos.join('; ')
}
