import type * as z from 'zod/mini'
import { reasonOf, withDeadline } from './deadline.ts'
import { createEventParser, type EventParser, type ServerEvent } from './events.ts'
import { isTransient, parseAs, refusalOf } from './request.ts'
import { RfqError } from './rfq-error.ts'
import { addressOf, type Connection, isRedirect, parseJson, reached } from './send-request.ts'
import { sleep } from './sleep.ts'
import { TransportError } from './transport-error.ts'

/**
 * Options of a watch: an aborted `signal` ends it with its reason, and `onReadError` is called with each lost connection
 * and each refusal after which the watch goes on.
 * @example
 * const controller = new AbortController()
 * const options: WatchOptions = { signal: controller.signal, onReadError: (error) => console.warn(error) }
 */
export type WatchOptions = {
  readonly signal?: AbortSignal | undefined
  readonly onReadError?: ((error: unknown) => void) | undefined
}

/** A stream to watch: `event` names the events that are parsed by the schema. */
type Watched<T> = {
  readonly path: string
  readonly query: Readonly<Record<string, string | undefined>>
  readonly event: string
  readonly schema: z.ZodMiniType<T>
  /** Whether no other value follows. */
  readonly isLast: (value: T) => boolean
  /** Reads the present value without a stream. */
  readonly read: (signal: AbortSignal | undefined) => Promise<T>
}

/** Three heartbeats of the service. */
const SILENCE_MS = 45_000
const MAX_EVENT_CHARACTERS = 8 * 1024 * 1024
const FIRST_BACKOFF_MS = 500
const MAX_BACKOFF_MS = 15_000
const NO_CONTENT = 204
const OK = 200

/**
 * Yields the values of a stream until the last one, and connects again after each loss, with growing pauses. While the service
 * has too many streams, it yields the present value instead, which each client can ask for at any time. Throws RfqError when the
 * service rejects the request, and TransportError for a malformed event.
 */
export async function* watch<T>(
  connection: Connection,
  watched: Watched<T>,
  { signal, onReadError }: WatchOptions,
): AsyncGenerator<T, void, undefined> {
  let lastId: string | undefined
  for (let failures = 0; ; failures += 1) {
    try {
      const opened = await open(connection, watched, lastId, signal)
      if (opened === undefined) return
      try {
        for (;;) {
          const events = await opened.next()
          if (events === undefined) break
          for (const event of events) {
            lastId = event.id ?? lastId
            const value = parsedValue(watched, event, onReadError)
            if (value === undefined) continue
            failures = 0
            yield value
            if (watched.isLast(value)) return
          }
        }
      } finally {
        opened.close()
      }
    } catch (error) {
      if (signal?.aborted === true) throw reasonOf(signal)
      if (!isTransient(error)) throw error
      const value = isFull(error) ? await readPlainly(watched, signal) : undefined
      if (value === undefined) onReadError?.(error)
      else {
        yield value
        if (watched.isLast(value)) return
      }
    }
    await sleep(Math.min(FIRST_BACKOFF_MS * 2 ** failures, MAX_BACKOFF_MS), signal)
  }
}

const isFull = (error: unknown): boolean => error instanceof RfqError && error.code === 'RATE_LIMITED'

/** The present value; undefined while it cannot be read. */
const readPlainly = async <T>(
  { read }: Watched<T>,
  signal: AbortSignal | undefined,
): Promise<T | undefined> => {
  try {
    return await read(signal)
  } catch (error) {
    if (signal?.aborted === true || !isTransient(error)) throw error
    return undefined
  }
}

type Opened = {
  /** The next events, maybe none; undefined at the end. */
  readonly next: () => Promise<readonly ServerEvent[] | undefined>
  readonly close: () => void
}

/** Opens the stream; undefined when nothing follows the event with the last id. */
const open = async <T>(
  connection: Connection,
  { path, query }: Watched<T>,
  lastId: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Opened | undefined> => {
  const url = addressOf(connection.baseUrl, { path, query })
  const controller = new AbortController()
  const close = (): void => controller.abort()
  const headers = {
    accept: 'text/event-stream',
    ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
  }
  const within = <Part>(work: Promise<Part>): Promise<Part> =>
    withDeadline({ timeoutMs: SILENCE_MS, signal }, () => reached(url, work)).catch((error: unknown) => {
      close()
      throw error instanceof Error && error.name === 'DeadlineError'
        ? new TransportError('timeout', `nothing from ${url} within ${SILENCE_MS} ms`, true)
        : error
    })
  const response = await within(
    connection.fetch(url, { headers, redirect: 'manual', signal: controller.signal }),
  )
  if (response.status === NO_CONTENT) return undefined
  if (isRedirect(response) || response.status !== OK || response.body === null) {
    const text = await within(response.text())
    throw refusalOf({ status: response.status, text, json: parseJson(text) }, { method: 'GET', path })
  }
  const reader = response.body.getReader()
  const parse = createEventParser(MAX_EVENT_CHARACTERS)
  const decoder = new TextDecoder()
  return {
    close,
    next: async () => {
      const { done, value } = await within(reader.read())
      return done ? undefined : parsed(parse, decoder.decode(value, { stream: true }), path)
    },
  }
}

const parsed = (parse: EventParser, text: string, path: string): readonly ServerEvent[] => {
  try {
    return parse(text)
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new TransportError('malformed', `${path} sent what is no stream of events: ${message}`, false, {
      cause,
    })
  }
}

const parsedValue = <T>(
  { event: wanted, schema, path }: Watched<T>,
  { name, data }: ServerEvent,
  onReadError: WatchOptions['onReadError'],
): T | undefined => {
  const answer = { text: data, json: parseJson(data) }
  if (name === wanted) return parseAs(schema, answer, { method: 'GET', path })
  if (name !== 'refused') return undefined
  const error = refusalOf({ status: OK, ...answer }, { method: 'GET', path })
  if (error instanceof RfqError) onReadError?.(error)
  return undefined
}
