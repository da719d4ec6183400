import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ErrorCode, RfqError } from '@openrfq/sdk'
import { errorAnswer } from './answer.ts'
import { COMMON_HEADERS } from './common-headers.ts'

type EncodedError = { readonly status: number; readonly headers: readonly string[]; readonly body: string }

/**
 * Answers bytes that are no request, or no end of one, with the interface's error body, after the answers that this
 * connection still waits for, and closes it. `code` is what Node's parser calls the fault.
 */
export const rejectBytes = (
  socket: Duplex,
  code: string | undefined,
  last: ServerResponse | undefined,
  requestId: string,
): void => {
  const refusal = refusalOf(code, requestId)
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
  } else if (last === undefined) {
    socket.end(encode(refusal))
  } else if (last.req.complete) {
    whenWritten(last, () => socket.end(encode(refusal)))
  } else if (last.headersSent) {
    whenWritten(last, () => socket.end())
  } else {
    last.writeHead(refusal.status, [...refusal.headers])
    last.end(refusal.body)
  }
}

/** Answers CONNECT, which names no path and would otherwise close the connection without a word. */
export const rejectTunnel = (socket: Duplex, requestId: string): void => {
  socket.end(encode(refuse(405, 'this server is no proxy; expected GET or POST', requestId, ALLOW)))
}

/** Answers a request to upgrade that is not granted, and closes its connection. */
export const rejectUpgrade = (socket: Duplex, status: number, message: string, requestId: string): void => {
  const code = status === 429 ? 'RATE_LIMITED' : 'INVALID_REQUEST'
  socket.end(encode(refuse(status, message, requestId, [], code)))
}

const ALLOW = ['allow', 'GET, HEAD, POST, OPTIONS']

const refusalOf = (code: string | undefined, requestId: string): EncodedError => {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return refuse(431, 'the head of the request is larger than 8192 bytes', requestId)
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return refuse(408, 'the request did not arrive in time', requestId)
  }
  return refuse(400, 'the request is not valid HTTP/1.1', requestId)
}

const refuse = (
  status: number,
  message: string,
  requestId: string,
  more: readonly string[] = [],
  code: ErrorCode = 'INVALID_REQUEST',
): EncodedError => {
  const answer = errorAnswer(new RfqError(code, message), status, more)
  const body = answer.body.toString()
  const length = Buffer.byteLength(body).toString()
  return {
    status,
    body,
    headers: [
      ...COMMON_HEADERS,
      'x-request-id',
      requestId,
      ...answer.headers,
      'connection',
      'close',
      'content-length',
      length,
    ],
  }
}

const encode = ({ status, headers, body }: EncodedError): string => {
  const lines = headers.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${headers[index + 1]}\r\n`] : [],
  )
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}

const whenWritten = (response: ServerResponse, then: () => void): void => {
  if (response.writableFinished) then()
  else response.once('finish', then)
}
