import { connect } from 'node:net'

/** Ends a wait that would never end; no machine is so busy that what comes at all comes later. */
const GIVE_UP_MS = 60_000
/** How long a connection is listened to after the last answer that was wanted. */
const AFTER_MS = 50
const BODILESS = /^HTTP\/1\.1 (1\d\d|204|304) /

/** Where the answer at the start of a byte stream ends; undefined when it has not arrived in full. */
const endOfAnswer = (stream: string): number | undefined => {
  const headEnd = stream.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = stream.slice(0, headEnd + 4)
  if (BODILESS.test(head)) return head.length
  if (/\r\ntransfer-encoding: chunked/i.test(head)) {
    const last = stream.indexOf('\r\n0\r\n\r\n', headEnd)
    return last < 0 ? undefined : last + 7
  }
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  const end = length === undefined ? stream.length : head.length + Number(length)
  return end <= stream.length ? end : undefined
}

const hasAnswers = (stream: string, count: number): boolean => {
  let rest = stream
  for (let seen = 0; seen < count; ) {
    const end = endOfAnswer(rest)
    if (end === undefined) return false
    if (!/^HTTP\/1\.1 1(?!01)/.test(rest)) seen += 1
    rest = rest.slice(end)
  }
  return true
}

type Until = {
  /** Final answers to wait for, one by default; a 101 counts. */
  readonly answers?: number
  /** Ends earlier when nothing arrives for so long; for bytes that a server may rightly wait on. */
  readonly silenceMs?: number
  /** Ends as soon as it accepts what has arrived; for answers that go on. */
  readonly hasArrived?: (received: string) => boolean
}

/**
 * The bytes, as ISO-8859-1, that a server sends back on one connection after the given bytes, until it closes or has sent
 * the answers that are wanted; after a minute those that have arrived.
 */
export const sendRaw = (
  port: number,
  bytes: Uint8Array | string,
  { answers = 1, silenceMs = GIVE_UP_MS, hasArrived = () => false }: Until = {},
): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    const finish = (): void => {
      socket.destroy()
      resolve(received)
    }
    socket.setTimeout(silenceMs, finish)
    socket.on('data', (part) => {
      received += part.toString('latin1')
      if (hasArrived(received)) finish()
      else if (hasAnswers(received, answers)) socket.setTimeout(AFTER_MS)
    })
    socket.on('end', finish)
    socket.on('error', finish)
    socket.on('close', finish)
    socket.write(bytes)
  })
