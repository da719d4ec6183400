import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { tooManyRequests } from './rate-limit.ts'

/** One answer of server-sent events. Source: HTML Living Standard, 9.2. */
export type EventStream = {
  /** Sends an event whose data has no line break. Disconnects a client that has left too much unread. */
  readonly send: (event: { readonly name: string; readonly id?: string; readonly data: string }) => void
  /** Whether the client has not read everything that was sent. */
  readonly isBehind: () => boolean
  /** Ends the answer after what was sent. */
  readonly end: () => void
}

/** The answers of server-sent events that are open. */
export type EventStreams = {
  /**
   * Answers with the events that `start` sends, or 204 when it returns `nothing_new`. The function that `start` returns is
   * called once, when the stream is over. Rejects without an answer when `start` does, and with RATE_LIMITED when too many
   * streams are open.
   */
  readonly serve: (
    reply: FastifyReply,
    client: string,
    start: (stream: EventStream) => Promise<(() => void) | 'nothing_new'>,
  ) => Promise<FastifyReply>
  readonly count: () => number
  /** Ends every stream, and later ones after their first event, so that their clients come back to another process. */
  readonly close: () => void
}

const LIMITS = { perClient: 100, total: 5_000 }
/** When a rejected client may try again. */
const FULL_MS = 10_000
/** Keeps proxies from closing a silent connection, and finds clients that are gone. */
const HEARTBEAT_MS = 15_000
/** Unread characters after which a client is disconnected by the next event. */
const MAX_UNREAD = 131_072
/** When a client should come back after the connection is lost. */
const RETRY_MS = 2_000
const NO_CONTENT = 204

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // nginx holds answers back otherwise.
  'x-accel-buffering': 'no',
} as const

type Output = EventStream & { readonly readable: Readable; readonly write: (text: string) => void }

/** Creates the streams: at most 5,000, and 100 of one client where clients are limited. */
export const createEventStreams = ({ limited }: { readonly limited: boolean }): EventStreams => {
  const open = new Set<Output>()
  const counts = new Map<string, number>()
  const heartbeat = setInterval(() => {
    for (const { write } of open) write(':\n\n')
  }, HEARTBEAT_MS)
  heartbeat.unref()
  let isClosed = false
  const expectRoom = (client: string): void => {
    if (open.size >= LIMITS.total) throw tooManyRequests('too many streams are open', FULL_MS)
    if (limited && (counts.get(client) ?? 0) >= LIMITS.perClient)
      throw tooManyRequests('this address has too many streams open', FULL_MS)
  }
  const enter = (client: string): Output => {
    const output = createOutput()
    open.add(output)
    counts.set(client, (counts.get(client) ?? 0) + 1)
    output.readable.once('close', () => {
      open.delete(output)
      const left = (counts.get(client) ?? 1) - 1
      if (left === 0) counts.delete(client)
      else counts.set(client, left)
    })
    return output
  }
  return {
    count: () => open.size,
    close: () => {
      isClosed = true
      clearInterval(heartbeat)
      for (const { end } of open) end()
    },
    serve: async (reply, client, start) => {
      expectRoom(client)
      const output = enter(client)
      const { readable } = output
      output.write(`retry: ${RETRY_MS}\n\n`)
      try {
        const stop = await start(output)
        if (stop === 'nothing_new') {
          readable.destroy()
          return reply.code(NO_CONTENT).send()
        }
        readable.once('close', stop)
        if (isClosed) output.end()
      } catch (error) {
        readable.destroy()
        throw error
      }
      return reply.headers(HEADERS).send(readable)
    },
  }
}

const createOutput = (): Output => {
  const readable = new Readable({ read: () => undefined })
  let isOver = false
  const write = (text: string): void => {
    if (isOver) return
    if (readable.readableLength <= MAX_UNREAD) {
      readable.push(text)
      return
    }
    isOver = true
    readable.destroy()
  }
  return {
    readable,
    write,
    send: ({ name, id, data }) =>
      write(`event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`),
    isBehind: () => readable.readableLength > 0,
    end: () => {
      if (isOver) return
      isOver = true
      readable.push(null)
    },
  }
}
