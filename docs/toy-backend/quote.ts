import { type EvmStep, evmAction } from '../../chains/evm/actions.ts'
import { gasFee } from '../../chains/evm/gas.ts'
import { baseUnits } from '../../core/amount.ts'
import type { Order } from '../../core/order.ts'
import type { QuoteResult } from '../backend.ts'
import { outOfRange, unpriced } from '../decline.ts'
import { NO_REFUND, tokenWarnings } from '../terms.ts'
import type { Balances } from './balances.ts'
import { inputFor, outputOf, rangesOf } from './limits.ts'
import { type ToyRoute, TYPE } from './routes.ts'

const TRANSFER_GAS = { usual: 52_000n, limit: 70_000n }
const LIFETIME_SECONDS = 60
const ESTIMATED_SECONDS = 30

type Deps = { readonly balances: Balances; readonly name: string }

/** Prices an order from cached facts. Firm: the output is the input less the bridge's part. */
export const quoteToy = ({ balances, name }: Deps, route: ToyRoute, order: Order): QuoteResult => {
  const { from, to } = route
  const head = from.evm.head()
  const balance = balances.of(to)
  if (head === undefined) return unpriced('the source chain cannot be read')
  if (balance === undefined) return unpriced('the balance of the bridge is unknown')
  const ranges = rangesOf(balance)
  if (ranges === undefined) return unpriced('the bridge is empty')
  const { minimum, maximum } = order.orderType === 'EXACT_INPUT' ? ranges.input : ranges.output
  if (order.amount < minimum || order.amount > maximum) return outOfRange(minimum, maximum)
  const input = order.orderType === 'EXACT_INPUT' ? order.amount : baseUnits(inputFor(order.amount))
  const output = baseUnits(outputOf(input))
  const transfer: EvmStep = {
    id: 'transfer',
    label: `Send ${from.token.symbol} to the toy bridge`,
    type: 'transaction',
    chain: from.chain.chainId,
    from: order.sender,
    to: from.token.address,
    data: route.calldata(input),
    value: 0n,
    gas: TRANSFER_GAS,
    head,
  }
  return [
    {
      backend: TYPE,
      backendName: name,
      input,
      output,
      minimumOutput: output,
      estimatedTimeSeconds: ESTIMATED_SECONDS,
      lifetimeSeconds: LIFETIME_SECONDS,
      gasFee: gasFee(from.chain, [transfer]),
      userFee: {
        amount: baseUnits(input - output),
        token: { chain: from.chain.chainId, symbol: from.token.symbol, address: from.token.address },
        decimals: from.token.decimals,
        asset: from.token,
        paymentMethod: 'input_token',
        quoteTreatment: 'included_in_quote',
      },
      actions: [evmAction(transfer)],
      tracking: { bridge: from.bridge },
      metadata: { priceImpactBps: 0, refund: NO_REFUND, warnings: tokenWarnings(from.token, to.token) },
      binding: {
        sourceBlock: Number(head.number),
        sourceBridge: from.bridge,
        destinationBridge: to.bridge,
      },
    },
  ]
}
