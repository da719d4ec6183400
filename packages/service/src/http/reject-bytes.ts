import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { RfqError } from '@openrfq/sdk'
import type { Instant } from '../core/instant.ts'
import { type ErrorResponse, errorResponse } from './error-response.ts'
import { HttpError } from './http-error.ts'
import { COMMON_HEADERS } from './response-headers.ts'

/** Node's name of a request that did not arrive in time. */
export const REQUEST_TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT'

/** What an answer carries that Fastify does not write. */
type Marks = { readonly requestId: string; readonly now: Instant }

/**
 * Answers malformed bytes with the interface's error body, after the answers still due on the connection, and closes
 * it. A connection that never sent a byte is closed without an answer, because browsers open spare connections. `code`
 * is Node's name of the fault.
 */
export const rejectBytes = (
  socket: Socket,
  code: string | undefined,
  last: ServerResponse | undefined,
  marks: Marks,
): void => {
  const response = finalResponse(faultOf(code), marks)
  if (code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
    socket.destroy()
  } else if (last === undefined) {
    socket.end(encode(response))
  } else if (last.req.complete) {
    whenWritten(last, () => socket.end(encode(response)))
  } else if (last.headersSent) {
    whenWritten(last, () => socket.end())
  } else {
    last.writeHead(response.status, response.headers)
    last.end(response.body)
  }
}

/** Answers CONNECT, which names no path and which Node would otherwise close without an answer. */
export const rejectTunnel = (socket: Duplex, marks: Marks): void => {
  const response = finalResponse(new HttpError(405, 'this server is no proxy; expected GET or POST'), marks)
  endDetached(socket, { ...response, headers: { ...response.headers, allow: 'GET, HEAD, POST, OPTIONS' } })
}

/** Answers an invalid handshake, and closes its connection. */
export const rejectUpgrade = (socket: Duplex, error: RfqError, marks: Marks): void => {
  endDetached(socket, finalResponse(error, marks))
}

/** Writes the last answer on a connection that Node no longer watches, and does not wait for the client to close it. */
const endDetached = (socket: Duplex, response: ErrorResponse): void => {
  socket.end(encode(response), () => socket.destroy())
}

const faultOf = (code: string | undefined): HttpError => {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new HttpError(431, 'the head of the request is larger than 8192 bytes')
  if (code === REQUEST_TIMEOUT) return new HttpError(408, 'the request did not arrive in time')
  return new HttpError(400, 'the request is not valid HTTP/1.1')
}

const finalResponse = (error: RfqError, { requestId, now }: Marks): ErrorResponse => {
  const { status, headers, body } = errorResponse(error)
  return {
    status,
    body,
    headers: {
      ...COMMON_HEADERS,
      'x-request-id': requestId,
      ...headers,
      date: new Date(now).toUTCString(),
      connection: 'close',
      'content-length': Buffer.byteLength(body).toString(),
    },
  }
}

const encode = ({ status, headers, body }: ErrorResponse): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}

const whenWritten = (response: ServerResponse, then: () => void): void => {
  if (response.writableFinished) then()
  else response.once('finish', then)
}
