import { SOLANA_NATIVE_TOKEN } from '../../chains/solana/address.ts'
import { computeBudget } from '../../chains/solana/instructions.ts'
import { transactionFee, unitPriceOf } from '../../chains/solana/payment-fee.ts'
import { writtenBy } from '../../chains/solana/unit-prices.ts'
import { baseUnits } from '../../core/amount.ts'
import type { Offer } from '../../core/offer.ts'
import type { Order } from '../../core/order.ts'
import { CALL_CONTRACT_TOPIC, transferInstruction } from '../../protocols/axelar/its-solana.ts'
import type { QuoteResult } from '../backend.ts'
import { unpriced } from '../decline.ts'
import { solanaMessageEventOf } from '../terms.ts'
import {
  type Amounts,
  amountsOf,
  commonBinding,
  commonTerms,
  type ItsQuoteDeps,
  limitsOf,
  type Reading,
  readRoute,
  relayFee,
  whyNotGiven,
} from './pricing.ts'
import type { SolanaRoute } from './routes.ts'

/** Compute units of a transfer: it calls a token program, the gas service, the gateway and itself, and derives their addresses. */
const TRANSFER_UNITS = 400_000

/** What an offer is made of. */
type Composition = {
  readonly route: SolanaRoute
  readonly order: Order
  readonly reading: Reading
  readonly amounts: Amounts
}

const instructionOf = ({ route: { from, to }, order, reading, amounts }: Composition) =>
  transferInstruction(
    {
      tokenId: from.tokenId,
      destinationChain: to.axelarName,
      sender: order.sender,
      recipient: order.recipient,
      amount: amounts.input,
      gasValue: reading.gasValue,
      mint: from.token,
    },
    from.sending,
    from.places,
  )

const offerOf = async (deps: ItsQuoteDeps, composition: Composition): Promise<Offer> => {
  const { route, reading, amounts, order } = composition
  const { chain, token } = route.from
  const { gasValue } = reading
  const transfer = instructionOf(composition)
  const unitPrice = unitPriceOf(await route.from.ledger.paymentFeeFor(writtenBy(order.sender, [transfer])))
  const instructions = [...computeBudget(TRANSFER_UNITS, unitPrice), transfer]
  const messageEvent = solanaMessageEventOf(route.from.gateway, CALL_CONTRACT_TOPIC)
  const networkFee = baseUnits(transactionFee(TRANSFER_UNITS, unitPrice))
  return {
    ...commonTerms(deps, route, reading, amounts, messageEvent),
    gasFee: { ...relayFee(chain, networkFee, SOLANA_NATIVE_TOKEN), paymentMethod: 'wallet_native' },
    userFee: relayFee(chain, gasValue, SOLANA_NATIVE_TOKEN),
    actions: [
      {
        id: 'transfer',
        label: `Send ${token.symbol} through the Interchain Token Service`,
        type: 'transaction',
        chain: chain.chainId,
        payload: { type: 'solana_instructions', instructions, addressLookupTableAddresses: [] },
      },
    ],
    binding: commonBinding(deps, route, gasValue),
  }
}

/**
 * Prices an order from Solana to an EVM chain: one transaction of compute budget and `interchain_transfer`, which the sender
 * alone signs. Firm, as every transfer of the token service. Source: axelar-amplifier-solana, solana-axelar-its 1.1.
 */
export const quoteFromSolana = async (
  deps: ItsQuoteDeps,
  route: SolanaRoute,
  order: Order,
): Promise<QuoteResult> => {
  if (route.from.ledger.head() === undefined) return unpriced('the source chain cannot be read')
  const reading = await readRoute(deps, route)
  if ('declined' in reading) return reading
  const amounts = amountsOf(order, limitsOf(route, reading))
  if ('declined' in amounts) return amounts
  const given = { recipient: order.recipient, amount: amounts.output }
  const refusal = await whyNotGiven(deps, route, reading.to, given)
  if (refusal !== undefined) return refusal
  return [await offerOf(deps, { route, order, reading, amounts })]
}
