import { isUtf8 } from 'node:buffer'
import { RfqError } from '@openrfq/sdk'
import { quote } from './hide-secrets.ts'

/** Nesting limit; requests of this interface need two levels. */
const MAX_DEPTH = 16

const refuse = (message: string, cause?: unknown): RfqError =>
  new RfqError('INVALID_REQUEST', message, { field: 'body' }, { cause })

/** Parses the body that Fastify read; undefined without one. Throws like `parseStrictJson`. */
export const parseBody = (body: unknown): unknown =>
  parseStrictJson(Buffer.isBuffer(body) ? body : Buffer.alloc(0))

/**
 * Parses the bytes of a body. Rejects with INVALID_REQUEST anything that two parsers may read differently: invalid
 * UTF-8, a byte order mark, duplicate keys (also when one is escaped), lone surrogates, and nesting deeper than 16.
 */
export const parseStrictJson = (bytes: Buffer): unknown => {
  if (bytes.byteLength === 0) throw refuse('the body is empty; expected a JSON object')
  if (!isUtf8(bytes)) throw refuse('the body is not valid UTF-8')
  const text = bytes.toString()
  const value = parse(text)
  assertUnambiguous(text)
  return value
}

const parse = (text: string): unknown => {
  if (text.startsWith('\ufeff')) throw refuse('the body starts with a byte order mark; expected plain JSON')
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch (cause) {
    throw refuse('the body is not valid JSON', cause)
  }
}

/** The index of the quotation mark that closes the string opened at `start`. The text is valid JSON. */
const endOfString = (text: string, start: number): number => {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

const isEscaped = (text: string, index: number): boolean => {
  let slashes = 0
  while (text.charCodeAt(index - 1 - slashes) === 0x5c) slashes += 1
  return slashes % 2 === 1
}

/**
 * The decoded value of a string token; only escapes can produce a lone surrogate, because the bytes are valid UTF-8.
 */
const meaningOf = (token: string): string => {
  if (!token.includes('\\')) return token
  const value: unknown = JSON.parse(`"${token}"`)
  if (typeof value !== 'string' || !value.isWellFormed()) {
    throw refuse('the body holds a lone surrogate; expected well-formed Unicode text')
  }
  return value
}

/** Walks valid JSON once; `open` holds the keys seen in each open object, and null for each open array. */
const assertUnambiguous = (text: string): void => {
  const open: (Set<string> | null)[] = []
  const hasEscapes = text.includes('\\')
  let expectsKey = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index)
    if (character === 0x22) {
      const end = endOfString(text, index)
      // A value without an escape cannot be ambiguous.
      if (expectsKey || hasEscapes) {
        const value = meaningOf(text.slice(index + 1, end))
        if (expectsKey) addKey(open.at(-1), value)
      }
      expectsKey = false
      index = end
    } else if (character === 0x7b || character === 0x5b) {
      const isObject = character === 0x7b
      open.push(isObject ? new Set() : null)
      expectsKey = isObject
      if (open.length > MAX_DEPTH) throw refuse(`the body nests deeper than ${MAX_DEPTH} levels`)
    } else if (character === 0x7d || character === 0x5d) {
      open.pop()
      expectsKey = false
    } else if (character === 0x2c) {
      expectsKey = open.at(-1) instanceof Set
    }
  }
}

const addKey = (keys: Set<string> | null | undefined, key: string): void => {
  if (keys?.has(key) === true) {
    throw refuse(`the body names the field ${quote(key, 64)} twice`)
  }
  keys?.add(key)
}
