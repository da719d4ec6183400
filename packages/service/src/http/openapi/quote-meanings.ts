import {
  FeeEntry,
  FeeToken,
  IntegratorFee,
  PaymentMethod,
  Quote,
  QuoteAnswer,
  QuoteBackend,
  QuoteTreatment,
  SelectionReason,
} from '@openrfq/sdk'
import { listMeaning, objectMeaning, plainMeaning } from './meaning.ts'

const AMOUNT_USD = 'Approximate USD value; informational; omitted when there is no price.'
const FEE_ENTRY = {
  amount: 'Base units of `token`.',
  amountUsdApprox: AMOUNT_USD,
  token: 'The token the fee is denominated in.',
  paymentMethod: 'How the fee is paid.',
  quoteTreatment: 'Whether the quoted amounts contain the fee.',
}
const [FeeTokenContract, FeeTokenNative] = FeeToken._zod.def.options

/** Quotes without their actions and backends. Source: interface "Quote object" to "Fees". */
export const QUOTE_MEANINGS = {
  QuoteAnswer: objectMeaning(QuoteAnswer, 'The answer of `POST /v1/rfq/quote`.', {
    quotes:
      "Quotes sorted by the service's preference; index 0 is the recommended one. Empty when the route is supported and no pricing is available now.",
  }),
  Quote: objectMeaning(
    Quote,
    'The economics of a transfer, and the ordered on-chain actions that start it.',
    {
      quoteId: 'Unique id of the quote; used for status lookups.',
      selectionReason: 'Why the quote has its rank.',
      backend: 'The route that fulfils the transfer.',
      estimatedTimeSeconds: 'Estimated end-to-end fulfilment time in seconds.',
      validity: 'Until when the quote can be started.',
      input: 'What the user deposits.',
      output: 'What the recipient receives.',
      fees: 'What the transfer costs.',
      actions: 'Ordered on-chain actions. Execute all of them in this order.',
    },
  ),
  SelectionReason: listMeaning(
    SelectionReason,
    'Why a quote has its rank. Ranks follow the net value after the costs paid on top.',
    {
      highest_output: 'Ranked first for an EXACT_INPUT request, and no other quote has more output.',
      lowest_input: 'Ranked first for an EXACT_OUTPUT request, and no other quote has less input.',
      best_value:
        'Ranked first after the costs paid on top, although another quote has more output or less input.',
      fastest: 'Not the best by value, but faster than every other quote of the answer.',
      lowest_fee: 'Not the best by value, but with lower fees than every other quote of the answer.',
      alternative: 'Another route or solver.',
    },
  ),
  QuoteBackend: plainMeaning(
    QuoteBackend,
    'The execution route of a quote. Its identifiers in `tracking` and data in `metadata` depend on `type`.',
  ),
  Validity: objectMeaning(
    Quote.shape.validity,
    'Until when a quote can be started. Afterwards request a fresh one.',
    {
      type: 'Validity scheme; currently `expires_at`.',
      quoteExpiresAt:
        'The first action must be submitted before this time; afterwards request a fresh quote.',
      fulfillmentDeadline:
        'Latest time the transfer will be fulfilled on the destination chain. Present only when the route gives this guarantee.',
    },
  ),
  QuoteInput: objectMeaning(Quote.shape.input, 'What the user deposits.', {
    chain: 'CAIP-2 identifier of the source chain.',
    token: 'Token address.',
    amount:
      'Exact deposit required, in base units; for EXACT_OUTPUT requests it is the computed source amount.',
    amountUsdApprox: AMOUNT_USD,
  }),
  QuoteOutput: objectMeaning(
    Quote.shape.output,
    'What the recipient receives. A firm output has `minimumAmount` equal to `amount`: the backend commits to the amount, or nothing is swapped. A floating output has it below `amount`: the route includes a swap priced at execution time. Which one applies is decided per quote.',
    {
      chain: 'CAIP-2 identifier of the destination chain.',
      token: 'Token address.',
      amount: 'Expected amount received, in base units.',
      amountUsdApprox: AMOUNT_USD,
      minimumAmount:
        "Guaranteed worst-case output in base units, the value enforced on-chain as the recipient's minimum. Use it, instead of `amount`, for an on-chain minimum-received check. The recipient receives an amount in [`minimumAmount`, `amount`]; a route that cannot deliver at least `minimumAmount` reverts the transfer and refunds the user.",
    },
  ),
  Fees: objectMeaning(Quote.shape.fees, 'What a transfer costs, and who charges it.', {
    gas: 'Estimated total native gas for all user-executed actions of the quote; an approval plus a transfer is the aggregate of both.',
    user: 'Fee charged to the user by the execution route.',
    integrator: 'Integrator-configured fee, or null.',
  }),
  FeeEntry: objectMeaning(FeeEntry, 'A fee in base units of its token.', FEE_ENTRY),
  IntegratorFee: objectMeaning(IntegratorFee, "An integrator's fee.", {
    ...FEE_ENTRY,
    bps: 'Rate in whole basis points.',
    recipient: 'Address that receives the fee.',
  }),
  FeeToken: plainMeaning(
    FeeToken,
    'The token of a fee: a token contract by its address, or the native asset of its chain.',
  ),
  FeeTokenContract: objectMeaning(FeeTokenContract, 'A fee token that has a contract.', {
    chain: 'CAIP-2 identifier.',
    symbol: 'Token symbol.',
    address: 'Token address.',
  }),
  FeeTokenNative: objectMeaning(FeeTokenNative, 'The native asset of a chain as fee token.', {
    chain: 'CAIP-2 identifier.',
    symbol: 'Token symbol.',
    type: 'Always `native`.',
  }),
  PaymentMethod: listMeaning(PaymentMethod, 'How a fee is paid.', {
    wallet_native: 'User pays chain gas from the wallet balance.',
    tx_value: 'User sends native value in the executable transaction.',
    input_token: 'Charged from or embedded in the input token.',
    output_token: 'Deducted from the output token.',
    sponsored: 'Not paid by the user.',
    offchain: 'Tracked or settled outside execution.',
  }),
  QuoteTreatment: listMeaning(QuoteTreatment, 'Whether the quoted amounts contain a fee.', {
    outside_quote: 'Not in the input and output economics; the user pays it on top.',
    included_in_quote: 'Already reflected in the quoted amounts.',
    informational: 'Shown for transparency, not charged by this quote.',
  }),
}
