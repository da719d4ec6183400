import { type Account, type Address, encodeFunctionData, erc20Abi, getAddress, type Hex } from 'viem'
import { actionsOf } from '../execute/checked-quote.ts'
import type { Execution, StartedTransfer } from '../execute/execution.ts'
import { ExecutionError } from '../execute/execution-error.ts'
import type { Payer } from '../execute/payer.ts'
import type { Quote } from '../wire/quote.ts'
import { valueScaleOf } from '../wire/value-scale.ts'
import { beforeSending, callOf, type EvmWallet, executeEvmQuote } from './execute-evm-quote.ts'
import { guardEvmPayment } from './guard-evm-payment.ts'
import { EVM_NATIVE, isTakenAsErc20 } from './native-input.ts'

/**
 * A wallet's two viem clients for `swap`, which also reads balances: those of `connectEvm`, wagmi and viem fit.
 * @example
 * const walletOf = (account: Account, transport: Transport): EvmPayerWallet => ({
 *   walletClient: createWalletClient({ account, transport }),
 *   publicClient: createPublicClient({ transport }),
 * })
 */
export type EvmPayerWallet = EvmWallet & {
  readonly publicClient: {
    readonly getBalance: (query: { readonly address: Address }) => Promise<bigint>
    readonly call: (query: {
      readonly account: Account | Address
      readonly to: Address
      readonly data: Hex
    }) => Promise<{ readonly data?: Hex | undefined }>
  }
}

/**
 * The payer of swaps that start on an EVM chain. It simulates each transaction before it is signed.
 * @example
 * const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
 * const payer = evmPayer(connectEvm(key, 'http://127.0.0.1:8545'))
 */
export const evmPayer = (wallet: EvmPayerWallet): Payer => ({
  address: wallet.walletClient.account.address,
  guard: (guarded) => guardEvmPayment(wallet, guarded),
  simulate: (quote) => simulateEvmQuote(wallet, quote),
  execute: (execution: Execution): Promise<StartedTransfer> => executeEvmQuote({ ...execution, ...wallet }),
})

/**
 * Asks the chain whether the wallet holds what the quote takes, and whether its first action would succeed; a later one is
 * simulated before it is signed. Throws ExecutionError `refused` with the reason.
 */
export const simulateEvmQuote = async (
  { publicClient, walletClient }: EvmPayerWallet,
  quote: Quote,
): Promise<void> => {
  const { account } = walletClient
  const actions = actionsOf(quote, 'evm_transaction')
  const [first] = actions
  if (first === undefined) return
  const value = actions.reduce((sum, { payload }) => sum + BigInt(payload.value), 0n)
  const held = await beforeSending(first, publicClient.getBalance({ address: account.address }))
  const needed =
    value + (isTakenAsErc20(quote) ? BigInt(quote.input.amount) * valueScaleOf(quote.input.chain) : 0n)
  if (held < needed) throw lacking('wei', { held, needed })
  await checkHeldToken({ publicClient, walletClient }, quote)
  await beforeSending(first, publicClient.estimateGas(callOf(first, account)))
}

/** Checks that the wallet holds a token that the quote takes. Throws ExecutionError `refused`. */
export const checkHeldToken = async (
  { publicClient, walletClient: { account } }: EvmPayerWallet,
  { input }: Quote,
): Promise<void> => {
  if (input.token === EVM_NATIVE) return
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account.address] })
  const read = publicClient.call({ account, to: getAddress(input.token), data })
  const { data: answer = '0x' } = await beforeSending(undefined, read)
  const held = answer === '0x' ? 0n : BigInt(answer)
  const needed = BigInt(input.amount)
  if (held < needed) throw lacking(`base units of ${input.token}`, { held, needed })
}

const lacking = (
  what: string,
  { held, needed }: { readonly held: bigint; readonly needed: bigint },
): ExecutionError =>
  new ExecutionError('refused', `the wallet holds ${held} ${what}, the quote takes ${needed}`)
