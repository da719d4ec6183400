import { ALWAYS, type Operation } from './operation.ts'
import { GET_DESCRIPTION, GET_HEALTH, GET_METRICS, GET_READINESS, GET_REFERENCE } from './own-operations.ts'

/** `GET /v1/rfq/chains`. */
export const LIST_CHAINS = {
  operationId: 'listChains',
  name: 'chains',
  method: 'GET',
  path: '/v1/rfq/chains',
  tag: 'quotes',
  summary: 'List chains',
  description: 'Lists all chains supported as source or destination.',
  answers: { 200: { description: 'The chains.', content: { schema: 'ChainsAnswer' } } },
  cached: true,
  errors: ALWAYS,
} as const satisfies Operation

/** `GET /v1/rfq/tokens`. */
export const LIST_TOKENS = {
  operationId: 'listTokens',
  name: 'tokens',
  method: 'GET',
  path: '/v1/rfq/tokens',
  tag: 'quotes',
  summary: 'List tokens',
  description:
    "Lists supported tokens, optionally filtered. A token's presence means that at least one route supports it, not that every pair can be quoted.",
  query: 'TokensQuery',
  answers: {
    200: { description: 'The tokens that pass every given filter.', content: { schema: 'TokensAnswer' } },
  },
  cached: true,
  errors: {
    INVALID_REQUEST:
      'Malformed `chain`, `backend` not a known backend type, `verified` not a boolean, or a parameter given twice.',
    UNSUPPORTED_CHAIN: 'The requested chain is not supported.',
    ...ALWAYS,
  },
} as const satisfies Operation

/** `POST /v1/rfq/quote`. */
export const REQUEST_QUOTES = {
  operationId: 'requestQuotes',
  name: 'quote',
  method: 'POST',
  path: '/v1/rfq/quote',
  tag: 'quotes',
  summary: 'Request quotes',
  description:
    'Returns executable quotes, best first. The list is empty, with 200, when the route is supported but no pricing is currently available: ask again later.',
  body: 'QuoteRequest',
  answers: { 200: { description: 'Quotes by preference.', content: { schema: 'QuoteAnswer' } } },
  cached: false,
  errors: {
    INVALID_REQUEST:
      'Malformed body, missing required field, invalid field value, or unknown field in `options`.',
    UNSUPPORTED_CHAIN: '`fromChain` or `toChain` is not supported.',
    UNSUPPORTED_TOKEN: '`fromToken` or `toToken` is not supported on the given chain.',
    UNSUPPORTED_ROUTE: 'Both assets are supported, but no backend serves the pair.',
    AMOUNT_OUT_OF_RANGE:
      '`amount` is below the minimum or above the maximum of every route; `details` has the bounds.',
    ...ALWAYS,
  },
} as const satisfies Operation

/** `POST /v1/rfq/orders`. */
export const OPEN_ORDER = {
  operationId: 'openOrder',
  name: 'orders',
  method: 'POST',
  path: '/v1/rfq/orders',
  tag: 'quotes',
  summary: 'Have an order opened',
  description:
    "Opens the order of an `intent` quote by signatures of its sender, who pays no gas: the operator does. Sign the typed data of one of the quote's `metadata.openings`, in order. An order is opened once, however often it is sent: the answer then tells where its opening stands. The status of the transfer follows by `quoteId` as usual. When the operator declines, execute the actions of the quote instead. Served only where the operator opens orders.",
  body: 'OpeningRequest',
  answers: { 200: { description: 'The state of the opening.', content: { schema: 'OpeningAnswer' } } },
  cached: false,
  errors: {
    INVALID_REQUEST:
      'Malformed body, unknown or expired quote, a quote without this method, or signatures that are not of its sender.',
    ...ALWAYS,
    RATE_LIMITED:
      'Too many requests; or the sender has another opening under way, its last one failed on chain, or the operator opens no more orders today. Come back after the seconds in `retry-after`.',
  },
} as const satisfies Operation

/** `GET /v1/rfq/status`. */
export const GET_STATUS = {
  operationId: 'getStatus',
  name: 'status',
  method: 'GET',
  path: '/v1/rfq/status',
  tag: 'quotes',
  summary: 'Get the status of a transfer',
  description:
    'Returns the current status of a transfer. `quoteId` alone resolves it from quote time onward: the state is AWAITING_DEPOSIT until the service finds the source transaction. For `gateway`, `gateway-express` and `its` transfers, `messageId` and `sourceChain`, supplied together once the source transaction lands, name that transaction and spare the search. An unrecognized but well-formed identifier gives 200 with the state NOT_FOUND.',
  query: 'StatusQuery',
  answers: { 200: { description: 'The status.', content: { schema: 'Status' } } },
  cached: false,
  errors: { INVALID_REQUEST: '`quoteId` is not provided, or a parameter is malformed.', ...ALWAYS },
} as const satisfies Operation

/** `GET /v1/rfq/transfer`. */
export const GET_TRANSFER = {
  operationId: 'getTransfer',
  name: 'transfer',
  method: 'GET',
  path: '/v1/rfq/transfer',
  tag: 'quotes',
  summary: 'Get a transfer with its quote',
  description:
    'Returns what the service keeps of a quote, such as amounts, sender, recipient, refund terms and deposit address, together with the status of its transfer. It is what a page about one transfer shows.',
  query: 'StatusQuery',
  answers: {
    200: { description: 'The quote and its status.', content: { schema: 'TransferAnswer' } },
  },
  cached: false,
  errors: GET_STATUS.errors,
} as const satisfies Operation

/** `GET /v1/rfq/transfers`. */
export const LIST_TRANSFERS = {
  operationId: 'listTransfers',
  name: 'transfers',
  method: 'GET',
  path: '/v1/rfq/transfers',
  tag: 'quotes',
  summary: 'List the transfers of an address',
  description:
    'Lists the transfers that an address pays or receives, newest quote first: those whose source transaction the service has seen, as they were stored when they last changed. For the state at this moment ask for the status of one.',
  query: 'TransfersQuery',
  answers: { 200: { description: 'A page.', content: { schema: 'TransfersAnswer' } } },
  cached: false,
  errors: {
    INVALID_REQUEST: '`address` is not provided, or a parameter is malformed.',
    ...ALWAYS,
  },
} as const satisfies Operation

/** `GET /v1/rfq/search`. */
export const SEARCH_TRANSFERS = {
  operationId: 'searchTransfers',
  name: 'search',
  method: 'GET',
  path: '/v1/rfq/search',
  tag: 'quotes',
  summary: 'Find a transfer',
  description:
    'Finds transfers by what a person has at hand: the id of a quote, the hash of the source, destination or refund transaction, a message id, an address that pays or receives, or the deposit address of a quote. At most ten, newest quote first, as they were stored when they last changed; an empty list when the service has seen none. No chain is searched.',
  query: 'SearchQuery',
  answers: { 200: { description: 'What was found.', content: { schema: 'SearchAnswer' } } },
  cached: false,
  errors: { INVALID_REQUEST: '`text` is not provided or malformed.', ...ALWAYS },
} as const satisfies Operation

/** `GET /v1/rfq/recovery`. */
export const GET_RECOVERY = {
  operationId: 'getRecovery',
  name: 'recovery',
  method: 'GET',
  path: '/v1/rfq/recovery',
  tag: 'quotes',
  summary: 'Ask what moves a late transfer on',
  description:
    'Lists the transactions that any account may sign to complete a late transfer: pay for its relay, execute a message that the destination has approved, or refund an order that no solver filled. The list is empty while the transfer needs no help, while nothing helps, and while a chain or indexer cannot be read. With `account`, each recovery on a chain of its family has its actions, to be executed like those of a quote. The signer pays the transaction alone; the funds go to the recipient or back to the sender.',
  query: 'RecoveryQuery',
  answers: {
    200: { description: 'What moves the transfer on.', content: { schema: 'RecoveryAnswer' } },
  },
  cached: false,
  errors: {
    INVALID_REQUEST: '`quoteId` is not provided, a parameter is malformed, or `account` is no address.',
    ...ALWAYS,
  },
} as const satisfies Operation

const STREAMED =
  'Server-sent events: read them with `EventSource`. A comment arrives at least every 15 seconds. A client that does not read is disconnected, and so is every client when the process ends: come back, as `EventSource` does by itself.'

/** `GET /v1/rfq/quote/stream`. */
export const STREAM_QUOTES = {
  operationId: 'streamQuotes',
  name: 'quote/stream',
  method: 'GET',
  path: '/v1/rfq/quote/stream',
  tag: 'quotes',
  summary: 'Follow the quotes of a request',
  description: `Answers the quotes of a request at once, and new ones every five seconds. Each event \`quotes\` has a QuoteAnswer as its data. A request that is refused at first gets the error of the quote endpoint; a later refusal is an event \`refused\` with an ErrorBody, after which quotes may follow. ${STREAMED}`,
  query: 'QuoteStreamQuery',
  answers: { 200: { description: 'The events.', content: { type: 'text/event-stream' } } },
  cached: false,
  errors: REQUEST_QUOTES.errors,
} as const satisfies Operation

/** `GET /v1/rfq/status/stream`. */
export const STREAM_STATUS = {
  operationId: 'streamStatus',
  name: 'status/stream',
  method: 'GET',
  path: '/v1/rfq/status/stream',
  tag: 'quotes',
  summary: 'Follow the status of a transfer',
  description: `Answers the status of a transfer at once and after each change. Each event \`status\` has a Status as its data. Its id begins with the number of the stored change; a client that comes back with it in \`last-event-id\` is sent only what is new. The stream ends after DONE, REFUNDED, FAILED or NOT_FOUND; a client that comes back with that id gets 204, after which \`EventSource\` does not come back. The service does not repeat changes that it saved while the client was away: it sends the present status. ${STREAMED}`,
  query: 'StatusQuery',
  answers: {
    200: { description: 'The events.', content: { type: 'text/event-stream' } },
    204: { description: '`last-event-id` names the last event.' },
  },
  cached: false,
  errors: GET_STATUS.errors,
} as const satisfies Operation

/** `GET /v1/solvers`. */
export const LIST_SOLVERS = {
  operationId: 'listSolvers',
  name: 'solvers',
  method: 'GET',
  path: '/v1/solvers',
  tag: 'solvers',
  summary: 'List solvers',
  description: 'Lists the solvers of `intent` quotes, and how their orders ended.',
  answers: { 200: { description: 'The solvers.', content: { schema: 'SolversAnswer' } } },
  cached: false,
  errors: ALWAYS,
} as const satisfies Operation

/** All described endpoints; the four of the interface first. Source: interface "Endpoints". */
export const OPERATIONS: readonly Operation[] = [
  LIST_CHAINS,
  LIST_TOKENS,
  REQUEST_QUOTES,
  GET_STATUS,
  OPEN_ORDER,
  GET_TRANSFER,
  LIST_TRANSFERS,
  SEARCH_TRANSFERS,
  GET_RECOVERY,
  STREAM_QUOTES,
  STREAM_STATUS,
  LIST_SOLVERS,
  GET_DESCRIPTION,
  GET_REFERENCE,
  GET_HEALTH,
  GET_READINESS,
  GET_METRICS,
]
