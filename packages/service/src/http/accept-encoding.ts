/** Whether gzip is acceptable and not less wanted than plain bytes. Source: RFC 9110, 12.5.3. */
export const acceptsGzip = (header: string | readonly string[] | undefined): boolean => {
  if (header === undefined || header.length === 0) return false
  if (header === 'gzip') return true
  const weights = weightsOf(typeof header === 'string' ? header : header.join(','))
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0
  const identity = weights.get('identity') ?? 0
  return gzip > 0 && gzip >= identity
}

const weightsOf = (header: string): ReadonlyMap<string, number> =>
  new Map(
    header.split(',').map((part) => {
      const [coding = '', ...parameters] = part.split(';')
      const weight = parameters.map((text) => /^\s*q\s*=\s*([01](?:\.[0-9]{0,3})?)\s*$/i.exec(text)?.[1])
      return [coding.trim().toLowerCase(), Number(weight.find((text) => text !== undefined) ?? 1)]
    }),
  )
