import assert from 'node:assert/strict'
import { createClient } from '@openrfq/sdk'
import type { SavedRevision } from './saved-revisions.ts'

/** An event of a stream: its id, the revision in it, and the state that it showed. */
type Shown = {
  readonly id: string
  readonly revision: number
  readonly state: string
  /** When it came, in milliseconds since 1970. */
  readonly at: number
}

/** When a connection of a stream was open. */
type Connection = { readonly openedAt: number; closedAt: number }

/** What a client that follows a transfer got over all its connections. */
export type RecordedStream = {
  readonly quoteId: string
  readonly shown: readonly Shown[]
  readonly connections: readonly Connection[]
  /** What the client made of them. */
  readonly states: readonly string[]
  readonly ended: Promise<void>
}

const REQUEST_MS = 60_000

/** What a status event of the service's own form shows, read without the SDK; undefined for any other event and for a heartbeat. */
const shownIn = (event: string): Shown | undefined => {
  const [, id, data] = /^event: status\nid: (.+)\ndata: (.+)$/.exec(event) ?? []
  if (id === undefined || data === undefined) return undefined
  return { id, revision: Number.parseInt(id, 10), state: JSON.parse(data).state, at: Date.now() }
}

/** Follows a transfer by the SDK until its last status, and keeps the events and the connections below it. */
export const recordStream = (url: string, quoteId: string, signal: AbortSignal): RecordedStream => {
  const shown: Shown[] = []
  const connections: Connection[] = []
  const states: string[] = []
  const client = createClient({
    baseUrl: url,
    timeoutMs: REQUEST_MS,
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      if (response.status !== 200 || response.body === null) return response
      const connection = { openedAt: Date.now(), closedAt: Number.POSITIVE_INFINITY }
      connections.push(connection)
      return new Response(recorded(response.body, connection, shown), response)
    },
  })
  const ended = (async () => {
    for await (const { state } of client.watchStatus({ quoteId }, { signal }))
      if (states.at(-1) !== state) states.push(state)
  })()
  // Awaited at the end; a test that fails before leaves it.
  ended.catch(() => undefined)
  return { quoteId, shown, connections, states, ended }
}

const recorded = (
  body: ReadableStream<Uint8Array>,
  connection: Connection,
  shown: Shown[],
): ReadableStream<Uint8Array> => {
  const reader = body.getReader()
  let rest = ''
  const decoder = new TextDecoder()
  const close = (): void => {
    connection.closedAt = Math.min(connection.closedAt, Date.now())
  }
  return new ReadableStream({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read()
        if (done) {
          close()
          controller.close()
          return
        }
        const events = (rest + decoder.decode(value, { stream: true })).split('\n\n')
        rest = events.pop() ?? ''
        shown.push(...events.flatMap((event) => shownIn(event) ?? []))
        controller.enqueue(value)
      } catch (error) {
        close()
        controller.error(error)
      }
    },
    cancel: (reason) => {
      close()
      return reader.cancel(reason)
    },
  })
}

/** A read that a change began shows it by then; a newer change may come into the same read. */
const SHOWN_WITHIN_MS = 2_000
/** What one follower is told, the others of its transfer are told at once. */
const TOLD_WITHIN_MS = 1_000

const isOpen = ({ connections }: RecordedStream, from: number, until: number): boolean =>
  connections.some(({ openedAt, closedAt }) => openedAt <= from && closedAt >= until)

/** The revisions that a connected stream has to show because the store saved them, and none soon after. */
const owedByStore = (stream: RecordedStream, saved: readonly SavedRevision[]): readonly number[] =>
  saved
    .filter(({ at }, index) => {
      const until = at + SHOWN_WITHIN_MS
      return (saved[index + 1]?.at ?? Number.POSITIVE_INFINITY) >= until && isOpen(stream, at, until)
    })
    .map(({ revision }) => revision)

/** The revisions that a connected stream has to show because another stream of its transfer showed them. */
const owedByOthers = (stream: RecordedStream, others: readonly RecordedStream[]): readonly number[] =>
  others.flatMap(({ shown }) =>
    shown.filter(({ at }) => isOpen(stream, at, at + TOLD_WITHIN_MS)).map(({ revision }) => revision),
  )

/**
 * That a stream lost no update and showed none out of order: each event is of a saved revision and of its state, revisions never
 * go back, nothing is sent twice in a row, each revision that it owes to the store and to the other streams of its transfer was
 * shown, and the last one is the store's last. Returns how many revisions it owed.
 */
export const assertWhole = (
  stream: RecordedStream,
  saved: readonly SavedRevision[],
  others: readonly RecordedStream[],
): number => {
  const { quoteId, shown, states } = stream
  const about = (): string =>
    `${quoteId}: saved ${JSON.stringify(saved)}, shown ${JSON.stringify(shown)}, ${JSON.stringify(stream.connections)}`
  const savedState = new Map(saved.map(({ revision, state }) => [revision, state]))
  for (const [index, { id, revision, state }] of shown.entries()) {
    const before = shown[index - 1]
    assert.ok(before === undefined || revision >= before.revision, `goes back. ${about()}`)
    assert.notEqual(id, before?.id, `repeats. ${about()}`)
    assert.equal(state, revision === 0 ? 'AWAITING_DEPOSIT' : savedState.get(revision), about())
  }
  const revisions = new Set(shown.map(({ revision }) => revision))
  const owed = new Set([...owedByStore(stream, saved), ...owedByOthers(stream, others)])
  for (const revision of owed) assert.ok(revisions.has(revision), `lost ${revision}. ${about()}`)
  assert.equal(shown.at(-1)?.revision, saved.at(-1)?.revision, `ends too early. ${about()}`)
  assert.equal(states.at(-1), 'DONE', about())
  return owed.size
}
