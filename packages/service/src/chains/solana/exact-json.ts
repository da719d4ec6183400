const INTEGER = /^-?[0-9]+$/

const exact = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && INTEGER.test(context?.source ?? '')
    ? BigInt(context?.source ?? '')
    : value

/** Reads JSON as `JSON.parse`, with a bigint for each integer that a number cannot hold: nodes write u64 bare. */
export const parseExactJson = (text: string): unknown => JSON.parse(text, exact)
