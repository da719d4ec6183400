import {
  address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import { withDeadline } from '../client/deadline.ts'
import { actionsOf } from '../execute/checked-quote.ts'
import { ExecutionError } from '../execute/execution-error.ts'
import type { Payer } from '../execute/payer.ts'
import { type Guarded, unsafe } from '../guard/guards.ts'
import type { Quote } from '../wire/quote.ts'
import type { SolanaWallet } from './connect-solana.ts'
import { executeSolanaQuote } from './execute-solana-quote.ts'
import { guardSolanaQuote } from './guard-solana-quote.ts'
import { readClusterState, toInstruction } from './sign-payload.ts'

const READ_TIMEOUT_MS = 60_000

/**
 * The payer of swaps that start on Solana. The guards have to name the escrow program of the chain, or Axelar's token service there,
 * because a program acts with the signer's authority.
 * @example
 * const pay = async (client: Client, key: string, swapped: Omit<Swap, 'payer'>) =>
 *   swap({ ...swapped, client, payer: solanaPayer(await connectSolana(key, 'https://api.mainnet-beta.solana.com')) })
 */
export const solanaPayer = (wallet: SolanaWallet): Payer => ({
  address: wallet.signer.address,
  guard: async (guarded) => {
    await guardSolanaQuote(guarded)
    await checkDecimals(wallet, guarded)
  },
  simulate: (quote) => simulate(wallet, quote),
  execute: (execution) => executeSolanaQuote({ ...execution, ...wallet }),
})

const NATIVE = '1'.repeat(32)
const NATIVE_DECIMALS = 9
/** Where the mint's account, base programs alike, has its decimals. Source: SPL Token `Mint`. */
const DECIMALS_AT = 44

/** Compares the decimals that the caller assumed with the mint's. Throws ExecutionError `unsafe` and `unreachable`. */
const checkDecimals = async (
  { rpc }: SolanaWallet,
  { quote: { input }, guards: { inputDecimals } }: Guarded,
): Promise<void> => {
  if (inputDecimals === undefined) return
  const read = input.token === NATIVE ? NATIVE_DECIMALS : await readDecimals(rpc, input.token)
  if (read !== inputDecimals)
    throw unsafe('token_decimals', `${input.token} has ${read} decimals on chain, expected ${inputDecimals}`)
}

const readDecimals = async (rpc: SolanaWallet['rpc'], mint: string): Promise<number | undefined> => {
  const asked = rpc.getAccountInfo(address(mint), { encoding: 'base64', commitment: 'confirmed' })
  const { value } = await withDeadline(
    { timeoutMs: READ_TIMEOUT_MS, signal: undefined },
    async (abortSignal) => asked.send({ abortSignal }),
  ).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ExecutionError('unreachable', `the mint ${mint} cannot be read: ${reason}`, {}, { cause })
  })
  return value === null ? undefined : atob(value.data[0]).charCodeAt(DECIMALS_AT)
}

/** Has the node execute the transaction without signatures. Throws ExecutionError `refused` with the program's last words. */
const simulate = async (wallet: SolanaWallet, quote: Quote): Promise<void> => {
  for (const { id: actionId, payload } of actionsOf(quote, 'solana_instructions')) {
    const { err, logs } = await withDeadline(
      { timeoutMs: READ_TIMEOUT_MS, signal: undefined },
      async (abortSignal) => {
        const { blockhash } = await readClusterState(payload, wallet, abortSignal)
        const message = pipe(
          createTransactionMessage({ version: 0 }),
          (empty) => setTransactionMessageFeePayer(address(wallet.signer.address), empty),
          (paid) => setTransactionMessageLifetimeUsingBlockhash(blockhash, paid),
          (timed) => appendTransactionMessageInstructions(payload.instructions.map(toInstruction), timed),
        )
        const unsigned = getBase64EncodedWireTransaction(compileTransaction(message))
        const asked = wallet.rpc.simulateTransaction(unsigned, {
          encoding: 'base64',
          commitment: 'confirmed',
          sigVerify: false,
        })
        return (await asked.send({ abortSignal })).value
      },
    ).catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause)
      const text = `action "${actionId}" cannot be simulated: ${reason}`
      throw new ExecutionError('unreachable', text, { actionId }, { cause })
    })
    if (err === null) continue
    const said = logs?.findLast((line) => line.startsWith('Program log: ')) ?? ''
    const code = JSON.stringify(err, (_, value) => (typeof value === 'bigint' ? Number(value) : value))
    const text = `action "${actionId}" would fail: ${code} ${said.replace('Program log: ', '')}`.trim()
    throw new ExecutionError('refused', text, { actionId })
  }
}
