import type { IncomingMessage } from 'node:http'
import { RfqError } from '@openrfq/sdk'

const MAX_BODY_BYTES = 16 * 1024
/** A body too large is read and dropped up to here, so that its sender can still read the answer. */
const MAX_DROPPED_BYTES = 1024 * 1024

const JSON_CONTENT_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?(;\s*)?$/i

/** Calls back once with the bytes, or with the INVALID_REQUEST that refuses them; never, when the client went away. */
export const readBody = (
  request: IncomingMessage,
  done: (body: Buffer, refusal: RfqError | undefined) => void,
): void => {
  const refusal = refuseContentType(request)
  let parts: Buffer[] = []
  let size = 0
  let isDone = false
  const finish = (): void => {
    if (isDone) return
    isDone = true
    const [first] = parts
    const body = parts.length === 1 && first !== undefined ? first : Buffer.concat(parts)
    done(body, refusal ?? (size > MAX_BODY_BYTES ? tooLarge() : undefined))
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

const refuseContentType = (request: IncomingMessage): RfqError | undefined => {
  const type = request.headers['content-type']
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return new RfqError('INVALID_REQUEST', `content-encoding is ${encoding.slice(0, 64)}; expected none`, {
      field: 'content-encoding',
    })
  }
  if (type !== undefined && JSON_CONTENT_TYPE.test(type)) return undefined
  const found = type === undefined ? 'missing' : JSON.stringify(type.slice(0, 64))
  return new RfqError('INVALID_REQUEST', `content-type is ${found}; expected application/json`, {
    field: 'content-type',
  })
}
