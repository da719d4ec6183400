import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { RfqError } from '../core/error.ts'
import { errorAnswer } from './answer.ts'
import { COMMON_HEADERS } from './common-headers.ts'

type Fault = { readonly status: number; readonly reason: string; readonly message: string }

const MALFORMED: Fault = { status: 400, reason: 'Bad Request', message: 'the request is not valid HTTP/1.1' }

const FAULTS: Readonly<Record<string, Fault>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: 'Request Header Fields Too Large',
    message: 'the request head is larger than 8192 bytes',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    reason: 'Request Timeout',
    message: 'the request did not arrive in time',
  },
}

/**
 * Answers bytes that never became a request with the interface's error body, after the answers that this connection
 * still waits for, and closes it.
 */
export const refuseBytes = (
  socket: Duplex,
  code: string | undefined,
  lastResponse: ServerResponse | undefined,
  requestId: string,
): void => {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const write = (): void => {
    if (socket.writable) socket.end(encode(FAULTS[code ?? ''] ?? MALFORMED, requestId))
  }
  if (lastResponse === undefined || lastResponse.writableFinished || lastResponse.destroyed) write()
  else lastResponse.once('finish', write)
}

/** Answers CONNECT, which has no path and would otherwise close the connection without a word. */
export const refuseTunnel = (socket: Duplex, requestId: string): void => {
  const message = 'this server is no proxy; expected GET or POST'
  socket.end(encode({ status: 405, reason: 'Method Not Allowed', message }, requestId))
}

const encode = ({ status, reason, message }: Fault, requestId: string): string => {
  const { headers, body } = errorAnswer(new RfqError('INVALID_REQUEST', message), status)
  const all = [
    ...COMMON_HEADERS,
    'x-request-id',
    requestId,
    ...headers,
    ...(status === 405 ? ['allow', 'GET, HEAD, POST, OPTIONS'] : []),
    'connection',
    'close',
    'content-length',
    Buffer.byteLength(body).toString(),
  ]
  const lines = all.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${all[index + 1]}\r\n`] : []))
  return `HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${body.toString()}`
}
