import { RfqError } from '@openrfq/sdk'
import { quote } from './hide-secrets.ts'

const MAX_SHOWN_CHARACTERS = 64

/**
 * The known parameters of a query string, decoded; unknown ones are ignored. Throws INVALID_REQUEST for bad percent
 * encoding anywhere and for a known parameter given twice.
 */
export const readQuery = <Name extends string>(
  query: string,
  known: readonly Name[],
): Readonly<Partial<Record<Name, string>>> => {
  const values: Partial<Record<Name, string>> = {}
  if (query === '') return values
  for (const part of query.split('&')) {
    const cut = part.indexOf('=')
    const text = decode(cut < 0 ? part : part.slice(0, cut))
    const value = cut < 0 ? '' : decode(part.slice(cut + 1))
    const name = known.find((candidate) => candidate === text)
    if (name === undefined) continue
    if (values[name] !== undefined) {
      throw new RfqError('INVALID_REQUEST', `${name} is given twice; expected it once`, { field: name })
    }
    values[name] = value
  }
  return values
}

const decode = (text: string): string => {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch (cause) {
    throw new RfqError(
      'INVALID_REQUEST',
      `the query holds ${quote(text, MAX_SHOWN_CHARACTERS)}; expected percent-encoded UTF-8`,
      { field: 'query' },
      { cause },
    )
  }
}
