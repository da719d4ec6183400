import type { ErrorCode, RfqError } from '@openrfq/sdk'

/** The HTTP status of each error code. Source: interface "Errors". */
export const ERROR_STATUS = {
  INVALID_REQUEST: 400,
  UNSUPPORTED_CHAIN: 422,
  UNSUPPORTED_TOKEN: 422,
  UNSUPPORTED_ROUTE: 422,
  AMOUNT_OUT_OF_RANGE: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
} as const satisfies Record<ErrorCode, number>

const STATUS_BY_CODE: ReadonlyMap<string, number> = new Map(Object.entries(ERROR_STATUS))

/** The HTTP status of an error; 500 for a code that the interface does not name. */
export const statusOf = ({ code }: RfqError): number =>
  STATUS_BY_CODE.get(code) ?? ERROR_STATUS.INTERNAL_ERROR
