import { ErrorBody, ErrorCode, ErrorDetails, RecipientReason } from '@openrfq/sdk'
import { inner, listMeaning, objectMeaning, shapeOf } from './meaning.ts'

const Details = shapeOf(ErrorDetails)

/** Errors. Source: interface "Error body", "Errors". */
export const ERROR_MEANINGS = {
  ErrorBody: objectMeaning(ErrorBody, 'The body of every failed request.', {
    error: 'What was wrong.',
  }),
  ErrorInfo: objectMeaning(ErrorBody.shape.error, 'An error. Branch on `code`, never on `message`.', {
    code: 'Stable, machine-readable.',
    message: 'Human-readable; may change.',
    details: 'Context; may be empty.',
  }),
  ErrorDetails: objectMeaning(
    ErrorDetails,
    'Context of an error; informational. Each member is there only where it says something.',
    {
      field: 'The field, parameter or header that was wrong, such as `options.approvalMode`.',
      value: 'Its value.',
      problems: 'Everything that was wrong with the request, `field` first; at most ten.',
      expected: 'The chain family that an address is expected of.',
      maximumBytes: 'The most bytes that a body may have.',
      chain: 'The chain that is not supported, or that `value` is for.',
      token: 'The token that is not supported, or that the bounds are in.',
      fromChain: 'Source chain of an UNSUPPORTED_ROUTE.',
      fromToken: 'Source token of an UNSUPPORTED_ROUTE.',
      toChain: 'Destination chain of an UNSUPPORTED_ROUTE.',
      toToken: 'Destination token of an UNSUPPORTED_ROUTE.',
      reasonCode: 'Why the `recipient` cannot be paid.',
      reason: 'The same for people.',
      amount: 'The amount that is out of range, in base units of `token`.',
      minimum:
        'The smallest amount of the nearest range, in base units of `token`; null when no amount can be quoted now.',
      maximum: 'The largest amount of that range; null when it has no bound, or no amount can be quoted now.',
      backends: 'The bounds of each backend.',
      unpriced: 'Backends that cannot price now and may have other bounds.',
      retryAfterSeconds: 'When to come back after RATE_LIMITED, as in `retry-after`.',
      requestId: 'Names the request in the logs of INTERNAL_ERROR.',
    },
  ),
  InputProblem: objectMeaning(inner(Details.problems), 'One thing that was wrong with a request.', {
    field: 'The field, parameter or header.',
    message: 'What was wrong with it, and what was expected.',
  }),
  AmountBounds: objectMeaning(inner(Details.backends), 'The amounts that one backend quotes.', {
    minimum: 'The smallest amount, in base units.',
    maximum: 'The largest amount; null when it has no bound.',
  }),
  RecipientReason: listMeaning(
    RecipientReason,
    'Why a recipient cannot be paid on its chain. Codes are stable; new ones may be added.',
    {
      no_account:
        'On Stellar the account does not exist; on Solana it would hold less SOL than an account needs to exist.',
      no_trustline: 'The account on Stellar has no trustline for the token.',
      not_associated: 'The account on Hedera is not associated with the token.',
      not_authorised:
        "The token's issuer has not authorised the account on Stellar, or the token account on Solana is frozen.",
      limit: "The amount does not fit the account's limit for the token, or the ledger.",
      not_a_wallet:
        'The address is a program, a contract, a token account or another account that no person signs for.',
      memo_required:
        'The account on Stellar asks for a memo (SEP-29), such as that of an exchange: name a muxed address.',
      unknown_token: 'The chain does not have the token.',
    },
  ),
  ErrorCode: listMeaning(ErrorCode, 'Stable machine-readable code.', {
    INVALID_REQUEST:
      'Malformed or missing input, invalid value, unknown field in `options`, unknown backend type, non-boolean `verified`, missing `quoteId`.',
    UNSUPPORTED_CHAIN: 'Chain not supported.',
    UNSUPPORTED_TOKEN: 'Token not supported on the given chain.',
    UNSUPPORTED_ROUTE: 'Both assets supported but no backend serves the pair.',
    AMOUNT_OUT_OF_RANGE: 'Amount below the route minimum or above the route maximum.',
    RATE_LIMITED: 'Too many requests.',
    INTERNAL_ERROR: 'Unexpected server error; safe to retry.',
  }),
}
