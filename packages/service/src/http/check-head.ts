import type { IncomingMessage } from 'node:http'
import { quote } from './hide-secrets.ts'
import { HttpError } from './http-error.ts'

/**
 * What keeps a well-formed request head from being served, or undefined. Source: RFC 9112 3.2, RFC 9110 10.1.1,
 * docs/decisions/0007.
 */
export const checkHead = ({ headers, httpVersion, rawHeaders }: IncomingMessage): HttpError | undefined => {
  const hosts = countHosts(rawHeaders)
  if (hosts > 1) return new HttpError(400, 'the host header is given twice; expected it once')
  if (hosts === 0 && httpVersion === '1.1') return new HttpError(400, 'the host header is missing')
  const { expect, 'transfer-encoding': coding } = headers
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return new HttpError(400, `transfer-encoding is ${quote(coding, 128)}; expected chunked`)
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return new HttpError(417, `expect is ${quote(expect, 128)}; expected 100-continue`)
  return undefined
}

/** Counted in the raw headers, because Node keeps only the first. */
const countHosts = (rawHeaders: readonly string[]): number => {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === HOST.length && name.toLowerCase() === HOST) count += 1
  }
  return count
}

const HOST = 'host'
