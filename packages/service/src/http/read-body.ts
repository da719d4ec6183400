import type { IncomingMessage, ServerResponse } from 'node:http'
import { RfqError } from '@openrfq/sdk'
import { countHeader } from './count-header.ts'
import { excerpt, quote } from './hide-secrets.ts'

const MAX_BODY_BYTES = 16 * 1024
/** An oversized body is read and dropped up to this size, so that its sender can still read the answer. */
const MAX_DROPPED_BYTES = 1024 * 1024

const JSON_CONTENT_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?(;\s*)?$/i

/** Reads request bodies, and answers 100-continue to clients that wait for it. */
export type BodyReader = {
  /** Whether the client waits for 100-continue before it sends its body. Source: RFC 9110, 10.1.1. */
  readonly waits: (request: IncomingMessage, response: ServerResponse) => void
  /** Calls back once with the bytes or with an INVALID_REQUEST; never when the client has disconnected. */
  readonly read: (request: IncomingMessage, done: (refusal: RfqError | null, body?: Buffer) => void) => void
}

export const createBodyReader = (): BodyReader => {
  const waiting = new WeakMap<IncomingMessage, ServerResponse>()
  return {
    waits: (request, response) => waiting.set(request, response),
    read: (request, done) => {
      const refusal = refuseByHeaders(request)
      const response = waiting.get(request)
      if (response === undefined) {
        readBytes(request, refusal, done)
      } else if (refusal === undefined && announcedBytes(request) <= MAX_BODY_BYTES) {
        response.writeContinue()
        readBytes(request, undefined, done)
      } else {
        done(refusal ?? tooLarge())
      }
    },
  }
}

/** Whether more of a body remains than is worth reading to keep the connection. */
export const leavesMuchUnread = (request: IncomingMessage): boolean =>
  !request.complete &&
  (request.headers['transfer-encoding'] !== undefined ||
    request.headers.expect !== undefined ||
    announcedBytes(request) > MAX_DROPPED_BYTES)

const announcedBytes = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? 0)

const readBytes = (
  request: IncomingMessage,
  refusal: RfqError | undefined,
  done: (refusal: RfqError | null, body?: Buffer) => void,
): void => {
  let parts: Buffer[] = []
  let size = 0
  let isDone = false
  const finish = (): void => {
    if (isDone) return
    isDone = true
    const [first] = parts
    const body = parts.length === 1 && first !== undefined ? first : Buffer.concat(parts)
    const refused = refusal ?? (size > MAX_BODY_BYTES ? tooLarge() : undefined)
    if (refused === undefined) done(null, body)
    else done(refused)
  }
  request.on('data', (part: Buffer) => {
    size += part.byteLength
    if (size <= MAX_BODY_BYTES) parts.push(part)
    else parts = []
    if (size > MAX_DROPPED_BYTES) finish()
  })
  request.on('end', finish)
}

const tooLarge = (): RfqError =>
  new RfqError('INVALID_REQUEST', `the body is larger than ${MAX_BODY_BYTES} bytes`, {
    field: 'body',
    maximumBytes: MAX_BODY_BYTES,
  })

/** The INVALID_REQUEST for a body that its headers already rule out, or undefined. */
export const refuseByHeaders = ({ headers, rawHeaders }: IncomingMessage): RfqError | undefined => {
  const { 'content-type': type, 'content-encoding': encoding } = headers
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return new RfqError('INVALID_REQUEST', `content-encoding is ${excerpt(encoding, 64)}; expected none`, {
      field: 'content-encoding',
    })
  }
  if (countHeader(rawHeaders, 'content-type') > 1)
    return new RfqError('INVALID_REQUEST', 'the content-type header is given twice; expected it once', {
      field: 'content-type',
    })
  if (type !== undefined && JSON_CONTENT_TYPE.test(type)) return undefined
  const found = type === undefined ? 'missing' : quote(type, 64)
  return new RfqError('INVALID_REQUEST', `content-type is ${found}; expected application/json`, {
    field: 'content-type',
  })
}
