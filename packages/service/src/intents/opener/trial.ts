import type { ChainId, OpeningMethod, OpeningReason } from '@openrfq/sdk'
import { EVM_NATIVE_TOKEN } from '../../chains/evm/address.ts'
import type { EvmHead } from '../../chains/evm/evm-chain.ts'
import { weiBesideGas } from '../../chains/evm/l1-fee.ts'
import type { Conditions } from '../../lib/conditions.ts'
import type { Log } from '../../lib/log.ts'
import type { Store } from '../../store/store.ts'
import { signedGasLimit } from '../../transactions/signer.ts'
import type { KeyedCall } from '../../transactions/transaction-outbox.ts'
import { openForCall } from '../settlers/settler-contract.ts'
import type { Attempt } from './attempt.ts'
import { permissionOf } from './permission.ts'

/** The call that opens an order, and the most that it costs in wei with the fees of the head. */
export type PricedOpening = { readonly call: KeyedCall; readonly cost: bigint }

type TrialDeps = {
  readonly store: Pick<Store, 'listOpenTransactions'>
  readonly log: Log
  /** The chains whose opener could not pay its last opening; updated by each trial. */
  readonly unfunded: Conditions<ChainId>
}

/**
 * Gas limits of `openFor`: 98,000 to 150,000 for a plain token, and what one behind a proxy adds; a token that burns more fails
 * at this cost.
 */
const OPENING_GAS: Readonly<Record<OpeningMethod, bigint>> = {
  allowance: 220_000n,
  erc3009: 260_000n,
  permit2: 280_000n,
  erc2612: 280_000n,
}

/** Makes the call and prices it. */
export const priceOpening = (
  { method, signatures, order, orderId, key }: Attempt,
  { l1Cost, maxFeePerGas }: Pick<EvmHead, 'l1Cost' | 'maxFeePerGas'>,
): PricedOpening => {
  const { data, value } = openForCall(order, permissionOf(method, { order, orderId, signatures }))
  const gasLimit = OPENING_GAS[method]
  const signedGas = signedGasLimit({ gasLimit, data }, { l1Cost })
  const cost = signedGas * maxFeePerGas + weiBesideGas(l1Cost, data, signedGas)
  return { call: { key, to: order.originSettler, data, value, gasLimit }, cost }
}

/**
 * Why an opening is not signed: it fails at the newest blocks of a quorum, its sender has not held the input for some blocks, or
 * the opener cannot pay it after those that wait for their blocks. Undefined if nothing is against it. Rejects if the chain or
 * the store cannot be read.
 */
export const whyNotOpened = async (
  { store, log, unfunded }: TrialDeps,
  { order, chain: { evm, outbox } }: Attempt,
  { call, cost }: PricedOpening,
): Promise<OpeningReason | undefined> => {
  const { originChain: chainId, depositor, inputToken, inputAmount } = order
  const { to, data } = call
  const gas = signedGasLimit(call, evm.head())
  const { sender: opener } = outbox
  const [held, { amounts }, [result], waiting] = await Promise.all([
    evm.heldBy(depositor, inputToken),
    evm.balances(opener, [EVM_NATIVE_TOKEN]),
    evm.callAgreed([{ from: opener, to, data, gas, mayRevert: true }], {}),
    store.listOpenTransactions(chainId, opener),
  ])
  if (result === undefined) return 'would_fail'
  if (held === undefined) return 'unavailable'
  if (held < inputAmount) return 'not_backed'
  const needed = cost * BigInt(waiting.length + 1)
  if ((amounts[0] ?? 0n) >= needed) {
    if (unfunded.end(chainId)) log('info', 'opener_funded', { chainId, opener })
    return undefined
  }
  if (unfunded.begin(chainId)) log('error', 'opener_unfunded', { chainId, opener, needed })
  return 'unavailable'
}
