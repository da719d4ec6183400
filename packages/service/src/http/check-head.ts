import type { IncomingMessage } from 'node:http'
import { countHeader } from './count-header.ts'
import { quote } from './hide-secrets.ts'
import { HttpError } from './http-error.ts'

/** An IP literal, IPv4 address or registered name, then an optional port. Source: RFC 3986 3.2.2, RFC 9110 7.2. */
const HOST =
  /^(?:\[(?:[0-9a-f:.]+|v[0-9a-f]+\.[\w.~!$&'()*+,;=:-]+)\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})*)(?::[0-9]*)?$/i

/**
 * What keeps a well-formed request head from being served, or undefined. Source: RFC 9112 3.2, RFC 9110 10.1.1,
 * docs/decisions/0007.
 */
export const checkHead = (request: IncomingMessage): HttpError | undefined => {
  const { headers, httpVersion } = request
  if (!httpVersion.startsWith('1.'))
    return new HttpError(400, `the request is in HTTP/${httpVersion}; expected HTTP/1.1`)
  const wrongHost = checkHost(request)
  if (wrongHost !== undefined) return wrongHost
  const wrongTarget = checkTarget(request)
  if (wrongTarget !== undefined) return wrongTarget
  const { expect, 'transfer-encoding': coding } = headers
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return new HttpError(400, `transfer-encoding is ${quote(coding, 128)}; expected chunked`)
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return new HttpError(417, `expect is ${quote(expect, 128)}; expected 100-continue`)
  return undefined
}

const checkHost = ({
  headers: { host },
  httpVersion,
  rawHeaders,
}: IncomingMessage): HttpError | undefined => {
  const hosts = countHeader(rawHeaders, 'host')
  if (hosts > 1) return new HttpError(400, 'the host header is given twice; expected it once')
  if (hosts === 0 && httpVersion === '1.1') return new HttpError(400, 'the host header is missing')
  if (host !== undefined && !HOST.test(host))
    return new HttpError(400, `host is ${quote(host, 128)}; expected a host with an optional port`)
  return undefined
}

/** Node's parser lets a fragment pass, and `*` with any method. */
const checkTarget = ({ url = '/', method }: IncomingMessage): HttpError | undefined => {
  if (url.includes('#'))
    return new HttpError(400, `the request target is ${quote(url, 128)}; expected no fragment`)
  if (url.startsWith('/') || (url === '*' && method === 'OPTIONS')) return undefined
  return new HttpError(400, `the request target is ${quote(url, 128)}; expected a path`)
}
