import { numberToHex } from 'viem'
import { type ActionOf, actionsOf } from '../execute/checked-quote.ts'
import { evmChainNumberOf } from '../wire/chain-id.ts'
import type { Quote } from '../wire/quote.ts'

/**
 * The parameter of `wallet_sendCalls`. Source: EIP-5792.
 * @example
 * const countOf = ({ calls }: SendCalls): number => calls.length
 */
export type SendCalls = {
  readonly version: '2.0.0'
  readonly chainId: `0x${string}`
  readonly from: string
  readonly atomicRequired: boolean
  readonly calls: readonly { readonly to: string; readonly data: string; readonly value: `0x${string}` }[]
}

/**
 * A quote's actions, approval and transfer, as one batch for a wallet that executes several calls at once. They are atomic, so
 * that an approval never stays behind without its transfer. Throws ExecutionError `unsupported` for a quote that does not start
 * on an EVM chain.
 * @example
 * const send = (provider: Eip1193Provider, quote: Quote) =>
 *   provider.request({ method: 'wallet_sendCalls', params: [toSendCalls(quote)] })
 */
export const toSendCalls = (quote: Quote): SendCalls =>
  sendCallsOf(quote, actionsOf(quote, 'evm_transaction'))

const sendCallsOf = ({ input }: Quote, actions: readonly ActionOf<'evm_transaction'>[]): SendCalls => ({
  version: '2.0.0',
  chainId: numberToHex(evmChainNumberOf(input.chain)),
  from: actions[0]?.payload.from ?? '',
  atomicRequired: true,
  calls: actions.map(({ payload: { to, data, value } }) => ({ to, data, value: numberToHex(BigInt(value)) })),
})
