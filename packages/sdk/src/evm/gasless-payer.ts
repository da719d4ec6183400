import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { Client } from '../client/create-client.ts'
import { RfqError } from '../client/rfq-error.ts'
import { actionsOf, checkedQuote } from '../execute/checked-quote.ts'
import type { Execution, StartedTransfer } from '../execute/execution.ts'
import { ExecutionError } from '../execute/execution-error.ts'
import type { Payer } from '../execute/payer.ts'
import { type Opening, type OpeningAnswer, OpeningMethod } from '../wire/opening.ts'
import type { Quote } from '../wire/quote.ts'
import { checkHeldToken, type EvmPayerWallet } from './evm-payer.ts'
import { beforeSending, checkWallet, type EvmAction, included, startedBy } from './execute-evm-quote.ts'
import { guardEvmPayment } from './guard-evm-payment.ts'
import { type OrderToOpen, openingData, orderToOpen, PERMIT2, type SignedData } from './opening-data.ts'

/**
 * A wallet's two viem clients that also signs typed data: those of `connectEvm`, wagmi and viem fit.
 * @example
 * const walletOf = (privateKey: string): GaslessWallet => connectEvm(privateKey, 'http://127.0.0.1:8545')
 */
export type GaslessWallet = EvmPayerWallet & {
  readonly walletClient: {
    // biome-ignore lint/suspicious/noExplicitAny: viem derives the types of its parameters from the typed data's own.
    readonly signTypedData: (data: any) => Promise<Hex>
  }
}

/**
 * The payer of swaps whose orders the operator opens: it signs, and pays no gas. It takes `intent` quotes with `openings` alone,
 * by the first method for which the sender has given what it needs (`permit2` and `allowance` need an allowance). What is
 * signed is made from the guarded calldata of the quote, not from the typed data that the service sends.
 * @example
 * const payer = (client: Client): Payer =>
 *   gaslessPayer(connectEvm('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80', 'http://127.0.0.1:8545'), client)
 */
export const gaslessPayer = (wallet: GaslessWallet, client: Pick<Client, 'openOrder'>): Payer => ({
  address: wallet.walletClient.account.address,
  guard: async (guarded) => {
    await guardEvmPayment(wallet, guarded)
    const { order, openings } = readOpenings(guarded.quote)
    for (const { method, opening } of openings) openingData(method, order, opening, 0n)
  },
  simulate: async (quote) => {
    await checkHeldToken(wallet, quote)
    await chooseOpening(wallet, quote)
  },
  execute: (execution) => openByOperator(wallet, client, execution),
})

const READS = parseAbi([
  'function allowance(address owner, address spender) view returns (uint256)',
  'function nonces(address owner) view returns (uint256)',
  'function record(bytes32 orderId) view returns (uint8 kind, address account)',
])
const WORD_END = 66

type Choice = {
  readonly action: EvmAction
  readonly order: OrderToOpen
  readonly openings: readonly { readonly method: OpeningMethod; readonly opening: Opening }[]
}

/** The order of a quote, and the methods by which the operator opens it. Throws ExecutionError `unsupported` without any. */
const readOpenings = (quote: Quote): Choice => {
  const { backend, quoteId } = quote
  const offered = backend.type === 'intent' ? (backend.metadata.openings ?? []) : []
  const openings = offered.flatMap((opening) => {
    const method = OpeningMethod.safeParse(opening.method)
    return method.success ? [{ method: method.data, opening }] : []
  })
  const action = openings.length === 0 ? undefined : actionsOf(quote, 'evm_transaction').at(-1)
  if (action === undefined)
    throw new ExecutionError(
      'unsupported',
      `the service does not open the order of quote ${quoteId} for its sender`,
    )
  return { action, openings, order: orderToOpen(quote, action) }
}

const readNumber = async (
  { publicClient, walletClient: { account } }: GaslessWallet,
  token: Address,
  data: Hex,
): Promise<bigint> => {
  const { data: word = '0x' } = await beforeSending(
    undefined,
    publicClient.call({ account, to: token, data }),
  )
  return word === '0x' ? 0n : BigInt(word.slice(0, WORD_END))
}

/** The contract that a method needs an allowance for; undefined for a method whose signature is the allowance. */
const spenderOf = (method: OpeningMethod, { settler }: OrderToOpen): Address | undefined =>
  method === 'permit2' ? PERMIT2 : method === 'allowance' ? settler : undefined

/** The first method that works. Throws ExecutionError `refused` when each needs an allowance that is not given. */
const chooseOpening = async (wallet: GaslessWallet, quote: Quote) => {
  const { action, order, openings } = readOpenings(quote)
  for (const { method, opening } of openings) {
    const spender = spenderOf(method, order)
    if (spender === undefined) return { action, order, method, opening }
    const args = [order.sender, spender] as const
    const data = encodeFunctionData({ abi: READS, functionName: 'allowance', args })
    if ((await readNumber(wallet, order.token, data)) >= order.amount)
      return { action, order, method, opening }
  }
  const methods = openings.map(({ method }) => method).join(', ')
  const message = `the sender has no allowance over ${order.amount} of ${order.token}, as ${methods} needs`
  throw new ExecutionError('refused', message, { actionId: action.id })
}

const openByOperator = async (
  wallet: GaslessWallet,
  client: Pick<Client, 'openOrder'>,
  execution: Execution,
): Promise<StartedTransfer> => {
  const quote = checkedQuote(execution)
  const { action, order, method, opening } = await chooseOpening(wallet, quote)
  await checkWallet(wallet, [action])
  const nonce = encodeFunctionData({ abi: READS, functionName: 'nonces', args: [order.sender] })
  const permitNonce = method === 'erc2612' ? await readNumber(wallet, order.token, nonce) : 0n
  const signatures: Hex[] = []
  for (const data of openingData(method, order, opening, permitNonce))
    signatures.push(await sign(wallet, action, data))
  const { quoteId } = quote
  const answer = await beforeOpening(action, order, client.openOrder({ quoteId, method, signatures }))
  const hash = openedBy(action, answer)
  execution.onAction?.({ action, event: 'sent', txHash: hash })
  const receipt = await included({ ...execution, ...wallet }, action, hash)
  const { transactionHash: txHash } = receipt
  if (receipt.status === 'reverted' && !(await wasOpened(wallet, order, action))) {
    const message = `the opening of quote ${quoteId} reverted in transaction ${txHash}: the sender has paid nothing. Until ${deadlineOf(order)} anybody who has seen the signatures may still open the order; the status of the quote tells`
    throw new ExecutionError('reverted', message, { actionId: action.id, txHash })
  }
  execution.onAction?.({ action, event: 'included', txHash })
  return startedBy(quote, receipt, action.id)
}

const deadlineOf = ({ openDeadline }: OrderToOpen): string =>
  new Date(Number(openDeadline) * 1000).toISOString()

/**
 * Whether the order is open although the operator's transaction reverted: a stranger may have sent the same call first. Throws
 * ExecutionError `uncertain` if the chain does not say.
 */
const wasOpened = async (
  wallet: GaslessWallet,
  order: OrderToOpen,
  { id: actionId }: EvmAction,
): Promise<boolean> => {
  const data = encodeFunctionData({ abi: READS, functionName: 'record', args: [order.orderId] })
  try {
    return (await readNumber(wallet, order.settler, data)) !== 0n
  } catch (cause) {
    const message = `the opening reverted, and whether another one opened the order is not known; the status of the quote tells`
    throw new ExecutionError('uncertain', message, { actionId }, { cause })
  }
}

const sign = async ({ walletClient }: GaslessWallet, action: EvmAction, data: SignedData): Promise<Hex> => {
  const { account } = walletClient
  try {
    return await walletClient.signTypedData({ account, ...data })
  } catch (cause) {
    const message = `the wallet did not sign ${data.primaryType} of action "${action.id}": ${Object(cause).message}`
    throw new ExecutionError('refused', message, { actionId: action.id }, { cause })
  }
}

/** Awaits the service, which has the signatures from here on. Throws ExecutionError `refused` or `uncertain`. */
const beforeOpening = async (
  { id: actionId }: EvmAction,
  order: OrderToOpen,
  answer: Promise<OpeningAnswer>,
): Promise<OpeningAnswer> => {
  try {
    return await answer
  } catch (cause) {
    const { message } = Object(cause)
    if (cause instanceof RfqError)
      throw new ExecutionError('refused', `the service refused: ${message}`, { actionId }, { cause })
    const text = `the service may open the order until ${deadlineOf(order)}; the status of the quote tells: ${message}`
    throw new ExecutionError('uncertain', text, { actionId }, { cause })
  }
}

/** The transaction that opens the order. Throws ExecutionError `refused` where there is none. */
const openedBy = ({ id: actionId }: EvmAction, { state, txHash, reason }: OpeningAnswer): Hex => {
  // CAST: the hash of an EVM transaction, which the wait for its receipt checks.
  if (txHash !== null && (state === 'submitted' || state === 'opened')) return txHash as Hex
  throw new ExecutionError('refused', `the operator did not open the order: ${reason ?? state}`, { actionId })
}
