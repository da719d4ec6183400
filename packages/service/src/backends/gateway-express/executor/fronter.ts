import { uintAt } from '../../../chains/evm/abi-words.ts'
import { EVM_NATIVE_TOKEN } from '../../../chains/evm/address.ts'
import type { EvmReceipt } from '../../../chains/evm/evm-chain.ts'
import { weiBesideGas } from '../../../chains/evm/l1-fee.ts'
import { isSameAddress } from '../../../core/comparable-address.ts'
import type { Log } from '../../../lib/log.ts'
import {
  executeMessageData,
  expressExecuteData,
  isApprovedData,
} from '../../../protocols/axelar/gateway-approval.ts'
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
 * The result of a look at a transfer. `fronted` and `executed` name a transaction that succeeded. The executor looks at `wait` again
 * later, ever more seldom where that is `isSlowing`, and at `failed` a few times.
 */
export type Verdict =
  | { readonly verdict: 'fronted' | 'executed'; readonly txHash: string }
  | { readonly verdict: 'wait'; readonly reason: string; readonly isSlowing: boolean }
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

/** The key of the transaction that makes a delivery. */
export const frontKey = (commandId: string): string => `express:${commandId}`

/** What the execution of an approved message is stored under, beside the delivery that fronts it. */
const executionId = (commandId: string): string => `execute:${commandId}`

const wait = (reason: string): Verdict => ({ verdict: 'wait', reason, isSlowing: true })
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

/** A call of the destination's router that the executor may sign. */
type Delivery = { readonly wanted: Wanted; readonly call: KeyedCall }

/** The call that fronts a message, or executes an approved one, and the most that it costs, in wei; undefined without a head. */
const deliveryOf = (
  { from, to }: Direction,
  { message, pools, transferId }: SentMessage,
  way: 'front' | 'execute',
): Delivery | undefined => {
  const head = to.evm.head()
  if (head === undefined) return undefined
  const isFront = way === 'front'
  const commandId = isFront ? message.commandId : executionId(message.commandId)
  const gasLimit = BigInt(executionGas(pools) + EXPRESS_GAS)
  const data = isFront ? expressExecuteData(message) : executeMessageData(message)
  const signedGas = signedGasLimit({ gasLimit, data }, head)
  return {
    wanted: {
      ...{ commandId, transferId, sourceChain: from.chain.chainId, chainId: to.chain.chainId },
      token: to.token.address,
      amount: isFront ? message.token.amount : 0n,
      mostCost: signedGas * head.maxFeePerGas + weiBesideGas(head.l1Cost, data, signedGas),
    },
    call: { key: frontKey(commandId), to: to.router, data, value: 0n, gasLimit },
  }
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
  if (amount > 0n && tokens < taken + amount) return 'inventory'
  return native < mostCost * BigInt(open.length + 1) ? 'gas_balance' : undefined
}

/** Decides and signs, once everything is checked but the executor's own bounds and balances. */
const sign = async (
  deps: Deps,
  direction: Direction,
  { wanted, call }: Delivery,
  outbox: Pick<TransactionOutbox, 'sender' | 'submit'>,
): Promise<Verdict> => {
  const { evm, router } = direction.to
  const bound = await deps.exposure.boundOf(wanted)
  if (bound !== undefined) return wait(bound)
  const short = await whyShort(deps, direction, wanted)
  if (short !== undefined) return wait(short)
  const { data } = call
  const trial = {
    from: outbox.sender,
    to: router,
    data,
    gas: signedGasLimit(call, evm.head()),
    mayRevert: true,
  } as const
  const [delivered] = await evm.callAgreed([trial], {})
  if (delivered === undefined) return { verdict: 'failed', reason: 'would_fail' }
  if (!(await deps.exposure.decide(wanted))) return refuse('over')
  await outbox.submit(call)
  return wait('not_landed')
}

/** The state of a call: `failing` while its revert may still leave the chain, `failed` when it can never succeed any more. */
type Fate =
  | { readonly fate: 'unsigned' | 'open' | 'failing' | 'failed' }
  | { readonly fate: 'succeeded'; readonly txHash: string }

/** Follows a signed call: it has succeeded when its receipt is under the chain's confirmations or, without any, final. */
const fateOf = async (
  { store, config }: Deps,
  { to: { evm, chain } }: Direction,
  key: string,
): Promise<Fate> => {
  const signed = await store.findTransaction(key)
  if (signed === undefined) return { fate: 'unsigned' }
  const { outcome, txHash, earlierTxHashes } = signed
  if (outcome === 'succeeded') return { fate: 'succeeded', txHash }
  if (outcome !== 'open') return { fate: 'failed' }
  const confirmations = config.confirmations[chain.chainId]
  for (const hash of [txHash, ...earlierTxHashes]) {
    const receipt = await evm.receiptUnder(hash, 0)
    if (receipt?.succeeded === false) return { fate: 'failing' }
    if (receipt === undefined || confirmations === undefined) continue
    const deep = await evm.receiptUnder(hash, confirmations)
    if (deep?.succeeded === true) return { fate: 'succeeded', txHash: hash }
  }
  return { fate: 'open' }
}

/** Whether a quorum say that the destination's gateway has approved the message and nobody has executed it. */
const isApproved = async (
  { to: { evm, gateway } }: Direction,
  { message }: SentMessage,
): Promise<boolean> => {
  const [approved] = await evm.callAgreed([{ to: gateway, data: isApprovedData(message) }], {})
  return approved !== undefined && uintAt(approved, 0) === 1n
}

/** Whether nobody but this executor, and the keeper, may deliver at the destination's head. */
const isReserved = ({ to: { evm } }: Direction, { priority }: SentMessage, account: string): boolean => {
  const head = evm.head()
  return (
    head !== undefined &&
    isSameAddress(priority.executor, account) &&
    BigInt(head.timestampSeconds) <= priority.untilSeconds
  )
}

/** Fronts a message, or executes it if it is approved already, and follows what was signed. */
const deliver = async (deps: Deps, direction: Direction, sent: SentMessage): Promise<Verdict> => {
  const outbox = deps.outboxes.get(direction.to.chain.chainId)
  const [fronting, execution] = [deliveryOf(direction, sent, 'front'), deliveryOf(direction, sent, 'execute')]
  if (outbox === undefined || fronting === undefined || execution === undefined) return wait('no_head')
  const executed = await fateOf(deps, direction, execution.call.key)
  if (executed.fate === 'succeeded') return { verdict: 'executed', txHash: executed.txHash }
  if (executed.fate !== 'unsigned') return executed.fate === 'failed' ? refuse('over') : wait('not_landed')
  const fronted = await fateOf(deps, direction, fronting.call.key)
  if (fronted.fate === 'succeeded') return { verdict: 'fronted', txHash: fronted.txHash }
  if (fronted.fate === 'open') return wait('not_landed')
  if (await isApproved(direction, sent))
    return isReserved(direction, sent, outbox.sender)
      ? sign(deps, direction, execution, outbox)
      : refuse('approved')
  if (fronted.fate === 'failing') return wait('not_landed')
  return fronted.fate === 'failed' ? refuse('over') : sign(deps, direction, fronting, outbox)
}

/** During its priority the executor looks often: nobody else executes the message when it is approved. */
const atPace = (verdict: Verdict, isUrgent: boolean): Verdict =>
  verdict.verdict === 'wait' && isUrgent ? { ...verdict, isSlowing: false } : verdict

/**
 * Looks at a transfer once. It is delivered only if a quorum of endpoints of its source give its message, both routers confirm the
 * network file, its relay is paid for, no bound is broken, and the call succeeds at the newest blocks of a quorum. A message that the
 * gateway has approved is executed while the executor has priority. The decision is durable before anything is signed. Rejects if a
 * chain or the store cannot be read.
 */
export const lookAt = async (deps: Deps, transfer: WaitingTransfer): Promise<Verdict> => {
  const { direction } = transfer
  const receipt = await agreedReceipt(deps, transfer)
  if (receipt === undefined) return { verdict: 'wait', reason: 'not_confirmed', isSlowing: false }
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
  const account = deps.outboxes.get(direction.to.chain.chainId)?.sender ?? ''
  return atPace(await deliver(deps, direction, sent), isReserved(direction, sent, account))
}
