import { createPublicClient, createWalletClient, custom, getAddress, type Hex, numberToHex } from 'viem'
import { sleep } from '../client/sleep.ts'
import { actionsOf, checkedQuote } from '../execute/checked-quote.ts'
import { createClock } from '../execute/clock.ts'
import type { Execution, StartedTransfer } from '../execute/execution.ts'
import { ExecutionError, type ExecutionErrorCode } from '../execute/execution-error.ts'
import type { Payer } from '../execute/payer.ts'
import { evmChainNumberOf } from '../wire/chain-id.ts'
import type { Quote } from '../wire/quote.ts'
import type { Eip1193Provider } from './eip1193-provider.ts'
import { type EvmPayerWallet, simulateEvmQuote } from './evm-payer.ts'
import { checkWallet, executeEvmQuote, startedBy } from './execute-evm-quote.ts'
import { guardEvmPayment } from './guard-evm-payment.ts'
import { toSendCalls } from './send-calls.ts'
import { simulateTogether } from './simulate-together.ts'

/**
 * The payer of swaps from a wallet in the browser: asks for its account, switches it to the quote's chain, and sends approval and
 * transfer as one batch (EIP-5792) where the wallet says that it can, else one after the other. Rejects with the
 * wallet's error when the person refuses.
 * @example
 * const payer = async (provider: Eip1193Provider): Promise<Payer> => injectedPayer(provider)
 */
export const injectedPayer = async (provider: Eip1193Provider, address?: string): Promise<Payer> => {
  const account = getAddress(address ?? (await firstAccount(provider)))
  const wallet = walletOf(provider, account)
  return {
    address: account,
    guard: async (guarded) => {
      await switchChain(provider, guarded.quote)
      await guardEvmPayment(wallet, guarded)
    },
    simulate: async (quote) => {
      await switchChain(provider, quote)
      await simulateEvmQuote(wallet, quote)
      await simulateTogether(provider, quote)
    },
    execute: async (execution) => {
      // A person may take longer to answer than the quote is valid.
      const clock = createClock(execution)
      await switchChain(provider, execution.quote)
      const isBatch = await canBatch(provider, wallet, execution.quote)
      const started = isBatch ? await sendBatch(provider, wallet, { ...execution, now: clock() }) : undefined
      return started ?? executeEvmQuote({ ...execution, ...wallet, now: clock() })
    },
  }
}

const POLL_MS = 1_000
const DEFAULT_TIMEOUT_MS = 180_000
/** States of a batch: confirmed, and those from 400 on by their hundreds. Source: EIP-5792. */
const CONFIRMED = 200
const FAILED = 400
const FAILURES: ReadonlyMap<number, readonly [ExecutionErrorCode, string]> = new Map([
  [4, ['refused', 'is not on chain: the wallet gave it up']],
  [5, ['reverted', 'was taken back as a whole by the chain: nothing but gas was spent']],
])
/** The person refused; the wallet lacks the method, or the batch cannot be atomic. Sources: EIP-1193, EIP-5792. */
const REFUSED = 4001
const CANNOT_BATCH: readonly unknown[] = [4200, -32601, 5700, 5710, 5740, 5750, 5760]

const walletOf = (provider: Eip1193Provider, address: `0x${string}`): EvmPayerWallet => {
  // CAST: viem's type of a provider lists every method, and calls it as this one.
  const transport = custom(provider as Parameters<typeof custom>[0])
  return {
    walletClient: createWalletClient({ account: address, transport }),
    publicClient: createPublicClient({ transport, pollingInterval: POLL_MS }),
  }
}

const firstAccount = async (provider: Eip1193Provider): Promise<string> => {
  const accounts = await provider.request({ method: 'eth_requestAccounts' })
  const first: unknown = Array.isArray(accounts) ? accounts[0] : undefined
  if (typeof first === 'string') return first
  throw new ExecutionError('wrong_wallet', 'the wallet shows no account')
}

const chainOf = ({ input }: Quote): Hex => numberToHex(evmChainNumberOf(input.chain))

const switchChain = async (provider: Eip1193Provider, quote: Quote): Promise<void> => {
  const chainId = chainOf(quote)
  if ((await provider.request({ method: 'eth_chainId' })) === chainId) return
  await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
}

/** Whether the wallet says that it executes the quote's actions together or not at all. */
const canBatch = async (
  provider: Eip1193Provider,
  { walletClient }: EvmPayerWallet,
  quote: Quote,
): Promise<boolean> => {
  if (quote.actions.length < 2) return false
  const chainId = chainOf(quote)
  const params = [walletClient.account.address, [chainId]]
  const capabilities = await provider
    .request({ method: 'wallet_getCapabilities', params })
    .catch(() => undefined)
  const { status } = Object(Object(Object(capabilities)[chainId]).atomic)
  return status === 'supported' || status === 'ready'
}

/** Sends the quote's actions as one batch. Undefined, with nothing sent, where the wallet finds that it cannot. */
const sendBatch = async (
  provider: Eip1193Provider,
  wallet: EvmPayerWallet,
  execution: Execution,
): Promise<StartedTransfer | undefined> => {
  const quote = checkedQuote(execution)
  const actions = actionsOf(quote, 'evm_transaction')
  await checkWallet(wallet, actions)
  const actionId = actions.at(-1)?.id ?? ''
  let answer: unknown
  try {
    answer = await provider.request({ method: 'wallet_sendCalls', params: [toSendCalls(quote)] })
  } catch (cause) {
    const { code, message } = Object(cause)
    if (CANNOT_BATCH.includes(code)) return undefined
    const isRefused = code === REFUSED
    const what = isRefused ? 'the wallet refused' : 'the wallet failed while it was sent'
    throw new ExecutionError(
      isRefused ? 'refused' : 'uncertain',
      `the batch of quote ${quote.quoteId}: ${what} (${message})`,
      {},
      { cause },
    )
  }
  // Earlier versions of EIP-5792 answer the id alone.
  const id: unknown = typeof answer === 'string' ? answer : Object(answer).id
  const hash = await batchHash(provider, id, execution)
  for (const action of actions) execution.onAction?.({ action, event: 'sent', txHash: hash })
  const timeout = execution.timeoutMs ?? DEFAULT_TIMEOUT_MS
  // The wallet shows only the logs of its calls, and a message id counts all logs of the transaction.
  const receipt = await wallet.publicClient.waitForTransactionReceipt({
    hash,
    timeout,
    onReplaced: () => undefined,
  })
  for (const action of actions) execution.onAction?.({ action, event: 'included', txHash: hash })
  return startedBy(quote, receipt, actionId)
}

/** The transaction of a batch, once the wallet has confirmed it. Throws ExecutionError `refused`, `reverted` or `uncertain`. */
const batchHash = async (
  provider: Eip1193Provider,
  id: unknown,
  { quote, timeoutMs = DEFAULT_TIMEOUT_MS }: Execution,
): Promise<Hex> => {
  const deadline = performance.now() + timeoutMs
  for (; performance.now() < deadline; await sleep(POLL_MS)) {
    const state = await provider
      .request({ method: 'wallet_getCallsStatus', params: [id] })
      .catch(() => undefined)
    const { status, receipts } = Object(state)
    const txHash: unknown = Array.isArray(receipts) ? Object(receipts.at(-1)).transactionHash : undefined
    if (status >= FAILED) {
      const where = typeof txHash === 'string' ? { txHash } : {}
      const unclear = ['uncertain', `was executed in part, or failed with ${status}`] as const
      const [code, fate] = FAILURES.get(Math.floor(status / 100)) ?? unclear
      throw new ExecutionError(code, `the batch of quote ${quote.quoteId} ${fate}`, where)
    }
    // CAST: a transaction hash begins with 0x.
    if (status === CONFIRMED && typeof txHash === 'string') return txHash as Hex
  }
  const message = `the batch ${String(id)} of quote ${quote.quoteId} was not confirmed within ${timeoutMs} ms`
  throw new ExecutionError('uncertain', message)
}
