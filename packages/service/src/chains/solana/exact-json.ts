const INTEGER = /^-?[0-9]+$/

const exact = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && INTEGER.test(context?.source ?? '')
    ? BigInt(context?.source ?? '')
    : value

/**
 * Parses JSON like `JSON.parse`, with a bigint for each integer that a number cannot represent: nodes write u64 as bare
 * numbers.
 */
export const parseExactJson = (text: string): unknown => JSON.parse(text, exact)
