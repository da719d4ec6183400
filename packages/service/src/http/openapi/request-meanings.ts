import { ApprovalMode, BackendType, OrderType } from '@openrfq/sdk'
import { QuoteRequest } from '../../core/order.ts'
import {
  QuoteStreamRequest,
  RecoveryRequest,
  SearchRequest,
  StatusRequest,
  TransfersRequest,
  tokensRequest,
} from '../requests.ts'
import { inner, listMeaning, objectMeaning } from './meaning.ts'

/** The body of a quote request. Source: interface "POST /v1/rfq/quote". */
export const REQUEST_MEANINGS = {
  QuoteRequest: objectMeaning(
    QuoteRequest,
    'What to transfer. Unknown fields are ignored here and refused inside `options`.',
    {
      fromChain: 'Source chain, CAIP-2.',
      fromToken: 'Source token address on `fromChain`, as the token list has it.',
      toChain: 'Destination chain, CAIP-2.',
      toToken: 'Destination token address on `toChain`, as the token list has it.',
      amount: 'Base units as a decimal string, at least 1 and at most 2^256 - 1; interpreted by `orderType`.',
      orderType: 'Which side of the transfer `amount` fixes.',
      sender: 'Address that executes the actions and provides the input funds.',
      recipient: 'Address that receives the output on `toChain`.',
      slippageTolerance:
        'Maximum acceptable output slippage in basis points (100 = 1 %). For quotes whose output is priced at execution, `output.minimumAmount` is `output.amount × (1 − slippageTolerance / 10000)`, and the transfer reverts and refunds rather than deliver less. Quotes with a guaranteed output ignore it. Default 100; nothing causes an error: below 0 counts as 0, above 10000 as 10000, null and what is no number as omitted.',
      options:
        'Preferences of this request. Without it, or without a field in it, the defaults apply; null counts as omitted.',
    },
  ),
  QuoteOptions: objectMeaning(
    inner(QuoteRequest.shape.options),
    'Preferences of one request. Unknown fields are rejected with INVALID_REQUEST.',
    {
      approvalMode:
        'How much allowance the approval action requests; default `EXACT`. It affects only the approval action: quotes without one (native input, or a sender with sufficient allowance) ignore it.',
    },
  ),
  OrderType: listMeaning(OrderType, 'Which side of the transfer the requested amount fixes.', {
    EXACT_INPUT: '`amount` is the exact source amount; the service computes the destination amount.',
    EXACT_OUTPUT:
      '`amount` is the exact destination amount wanted; the service computes the exact source amount, returned as `input.amount`.',
  }),
  ApprovalMode: listMeaning(ApprovalMode, 'How much allowance the approval action requests.', {
    EXACT: 'Exactly `input.amount`; no residual allowance remains.',
    MAX: 'An unlimited allowance that remains after the transfer.',
  }),
}

/** The query strings. Source: interface "GET /v1/rfq/tokens", "GET /v1/rfq/status". */
export const QUERY_MEANINGS = {
  TokensQuery: objectMeaning(tokensRequest(BackendType), 'The query of `GET /v1/rfq/tokens`.', {
    chain: 'CAIP-2 identifier; only tokens on that chain are returned.',
    backend: 'Only tokens served by that backend are returned.',
    verified: '`true`: only verified tokens; `false`: only unverified tokens; omitted: both.',
  }),
  TransfersQuery: objectMeaning(TransfersRequest, 'The query of `GET /v1/rfq/transfers`.', {
    address: 'An address of any chain, as sender or recipient.',
    limit: 'Transfers of a page, from 1 to 100; 20 by default.',
    before: '`next` of the page before.',
  }),
  QuoteStreamQuery: objectMeaning(
    QuoteStreamRequest,
    'The query of `GET /v1/rfq/quote/stream`: the fields of a quote request.',
    {
      fromChain: 'Source chain, CAIP-2.',
      fromToken: 'Source token address on `fromChain`.',
      toChain: 'Destination chain, CAIP-2.',
      toToken: 'Destination token address on `toChain`.',
      amount: 'Base units; interpreted by `orderType`.',
      orderType: 'Which side of the transfer `amount` fixes.',
      sender: 'Address that executes the actions and provides the input funds.',
      recipient: 'Address that receives the output on `toChain`.',
      slippageTolerance:
        'Maximum acceptable output slippage in basis points; what is no number counts as omitted.',
      approvalMode: 'How much allowance the approval action requests; default `EXACT`.',
    },
  ),
  SearchQuery: objectMeaning(SearchRequest, 'The query of `GET /v1/rfq/search`.', {
    text: 'A hash, a message id, an address, or the id of a quote.',
  }),
  RecoveryQuery: objectMeaning(RecoveryRequest, 'The query of `GET /v1/rfq/recovery`.', {
    quoteId: 'As for the status.',
    messageId: 'As for the status.',
    sourceChain: 'As for the status.',
    account: 'The address that would sign: `from` of EVM transactions, the payer of Solana transactions.',
  }),
  StatusQuery: objectMeaning(StatusRequest, 'The query of `GET /v1/rfq/status`.', {
    quoteId: 'The `quoteId` of a quote from the quote endpoint. It identifies the quote and its backend.',
    messageId:
      "Names the transfer of a `gateway`, `gateway-express` or `its` quote, together with `sourceChain`, where the quote alone does not: `quoteId` finds a transaction that was sent exactly as quoted. One opaque value; on EVM chains the hash of the source transaction, a hyphen, and the position of the Axelar gateway's event among the logs of the receipt, counted from 0; `backend.tracking.messageEvent` of the quote names the event. The hash alone is accepted, and so is the `logIndex` of most libraries, which counts all logs of the block, where it names the quote's event; `source.messageId` answers the full value.",
    sourceChain:
      'CAIP-2 identifier of the chain the source transaction was submitted on. Supplied with `messageId`.',
  }),
}
