import { EVM_NATIVE_TOKEN } from '../../../chains/evm/address.ts'
import type { EvmReceipt } from '../../../chains/evm/evm-chain.ts'
import { weiBesideGas } from '../../../chains/evm/l1-fee.ts'
import type { Log } from '../../../lib/log.ts'
import { expressExecuteData } from '../../../protocols/axelar/gateway-approval.ts'
import type { Store } from '../../../store/store.ts'
import { signedGasLimit } from '../../../transactions/signer.ts'
import type { KeyedCall, TransactionOutbox } from '../../../transactions/transaction-outbox.ts'
import { executionGas } from '../../router/express-contract.ts'
import type { MessageFees } from '../../router/gas-fees.ts'
import type { RouterChecks } from '../../router/router-facts.ts'
import type { KeyedExecutorConfig } from './config.ts'
import type { Exposure, Wanted } from './exposure.ts'
import { type Direction, messageIn, type SentMessage } from './sent-message.ts'
import type { WaitingTransfer } from './waiting-transfers.ts'

/**
 * The result of a look at a transfer. The executor looks at `wait` again later, ever more seldom at a confirmed one, and at `failed`
 * a few times.
 */
export type Verdict =
  | { readonly verdict: 'fronted'; readonly txHash: string }
  | { readonly verdict: 'wait'; readonly reason: string; readonly isConfirmed: boolean }
  | { readonly verdict: 'failed' | 'refuse'; readonly reason: string }

type Deps = {
  readonly config: Pick<KeyedExecutorConfig, 'confirmations'>
  readonly exposure: Pick<Exposure, 'boundOf' | 'decide' | 'underWay'>
  readonly outboxes: ReadonlyMap<string, Pick<TransactionOutbox, 'sender' | 'submit'>>
  readonly fees: Pick<MessageFees, 'know' | 'of'>
  readonly routers: Pick<RouterChecks, 'read'>
  readonly store: Pick<Store, 'listOpenTransactions' | 'findTransaction'>
  readonly log: Log
}

/** What taking the token from the executor and noting it adds to a delivery's gas. */
const EXPRESS_GAS = 150_000

/** The key of the transaction that fronts a delivery. */
export const frontKey = (commandId: string): string => `express:${commandId}`

const wait = (reason: string): Verdict => ({ verdict: 'wait', reason, isConfirmed: true })
const refuse = (reason: string): Verdict => ({ verdict: 'refuse', reason })

/**
 * The receipt of a transfer's transaction as a quorum of endpoints give it: under the configured confirmations, or when it is
 * final. Undefined while they do not.
 */
const agreedReceipt = async (
  { config }: Pick<Deps, 'config'>,
  { txHash, isFinal, blockNumber, sourceChain, direction }: WaitingTransfer,
): Promise<EvmReceipt | undefined> => {
  const confirmations = config.confirmations[sourceChain]
  const { evm } = direction.from
  if (isFinal) {
    const receipt = await evm.agreedReceipt(txHash)
    return receipt?.final === true ? receipt : undefined
  }
  const head = evm.head()
  if (confirmations === undefined || head === undefined) return undefined
  return head.number < blockNumber + BigInt(confirmations)
    ? undefined
    : evm.receiptUnder(txHash, confirmations)
}

/** The call that fronts a message, and the most that it costs, in wei; undefined without a head. */
const priced = (
  { to: { evm, router } }: Direction,
  { message, pools }: SentMessage,
): { readonly call: KeyedCall; readonly mostCost: bigint } | undefined => {
  const head = evm.head()
  if (head === undefined) return undefined
  const gasLimit = BigInt(executionGas(pools) + EXPRESS_GAS)
  const data = expressExecuteData(message)
  const signedGas = signedGasLimit({ gasLimit, data }, head)
  const mostCost = signedGas * head.maxFeePerGas + weiBesideGas(head.l1Cost, data, signedGas)
  return { call: { key: frontKey(message.commandId), to: router, data, value: 0n, gasLimit }, mostCost }
}

/** Whether the sender paid for the relay at present fees, without which nothing repays the executor; undefined if unknown. */
const isRelayPaid = async (
  { fees }: Pick<Deps, 'fees'>,
  { from, to }: Direction,
  { paid, pools }: SentMessage,
): Promise<boolean | undefined> => {
  await fees.know(from, to)
  const fee = fees.of(from, to, executionGas(pools))
  return fee === undefined ? undefined : paid >= fee.amount
}

/** Why the executor's own balances do not cover a delivery beside those under way; undefined if they do. */
const whyShort = async (
  { exposure, store, outboxes }: Deps,
  { to: { evm, token } }: Direction,
  { chainId, amount, mostCost, commandId }: Wanted,
): Promise<string | undefined> => {
  const sender = outboxes.get(chainId)?.sender ?? ''
  const [open, balances] = await Promise.all([
    store.listOpenTransactions(chainId, sender),
    evm.balancesOfQuorum(sender, [token.address, EVM_NATIVE_TOKEN]),
  ])
  const keys = new Set(open.map(({ key }) => key))
  const [tokens, native] = balances.map((balance) => balance?.amount)
  if (tokens === undefined || native === undefined) return 'balances_unknown'
  // An amount under way counts until its transaction is final, although the balance may show it already.
  const taken = exposure.underWay(
    chainId,
    token.address,
    (one) => one.commandId !== commandId && keys.has(frontKey(one.commandId)),
  )
  if (tokens < taken + amount) return 'inventory'
  return native < mostCost * BigInt(open.length + 1) ? 'gas_balance' : undefined
}

/** Decides and signs, once everything is checked but the executor's own bounds and balances. */
const front = async (deps: Deps, direction: Direction, sent: SentMessage): Promise<Verdict> => {
  const { from, to } = direction
  const { exposure, outboxes } = deps
  const { message } = sent
  const outbox = outboxes.get(to.chain.chainId)
  const call = priced(direction, sent)
  if (outbox === undefined || call === undefined) return wait('no_head')
  const wanted: Wanted = {
    commandId: message.commandId,
    sourceChain: from.chain.chainId,
    chainId: to.chain.chainId,
    token: to.token.address,
    transferId: sent.transferId,
    amount: message.token.amount,
    mostCost: call.mostCost,
  }
  const signed = await deps.store.findTransaction(call.call.key)
  if (signed !== undefined) return { verdict: 'fronted', txHash: signed.txHash }
  const bound = await exposure.boundOf(wanted)
  if (bound !== undefined) return wait(bound)
  const short = await whyShort(deps, direction, wanted)
  if (short !== undefined) return wait(short)
  const { data, gasLimit } = call.call
  const gas = signedGasLimit({ gasLimit, data }, to.evm.head())
  const trial = { from: outbox.sender, to: to.router, data, gas, mayRevert: true } as const
  const [delivered] = await to.evm.callAgreed([trial], {})
  if (delivered === undefined) return { verdict: 'failed', reason: 'would_fail' }
  if (!(await exposure.decide(wanted))) return refuse('over')
  const { txHash } = await outbox.submit(call.call)
  return { verdict: 'fronted', txHash }
}

/**
 * Looks at a transfer once. It is fronted only if a quorum of endpoints of its source give its message, both routers confirm the
 * network file, its relay is paid for, no bound is broken, and the delivery succeeds at the newest blocks of a quorum. The decision is
 * durable before anything is signed. Rejects if a chain or the store cannot be read.
 */
export const lookAt = async (deps: Deps, transfer: WaitingTransfer): Promise<Verdict> => {
  const { direction } = transfer
  const receipt = await agreedReceipt(deps, transfer)
  if (receipt === undefined) return { verdict: 'wait', reason: 'not_confirmed', isConfirmed: false }
  const sent = messageIn(receipt, direction, transfer)
  if (sent === undefined) return refuse('not_as_told')
  const [source, destination] = await Promise.all([
    deps.routers.read(direction.from),
    deps.routers.read(direction.to),
  ])
  if (source !== true || destination !== true) return wait('router_not_confirmed')
  const isPaid = await isRelayPaid(deps, direction, sent)
  if (isPaid === undefined) return wait('fees_unknown')
  if (!isPaid) return refuse('relay_not_paid')
  return front(deps, direction, sent)
}
