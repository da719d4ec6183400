import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Log } from 'openrfq/lib/log'
import { z } from 'zod'
import { listenLocally, SERVER_OPTIONS } from '../local-server.ts'

/** Tells processes the sandbox clock's lead over the machine's time. */
export type ClockServer = {
  /** The URL that processes poll, as a network file names it. */
  readonly url: string
  readonly offsetMs: () => number
  /**
   * Moves the clock and resolves when every following process has applied the new time. A process that does not ask
   * again within ten seconds is logged and removed.
   */
  readonly move: (offsetMs: number) => Promise<void>
  readonly stop: () => Promise<void>
}

/** A process that follows the clock. */
type Follower = {
  /** The offset that the process has applied; -1 before its first. */
  appliedMs: number
  /** Its pending request, answered when the clock moves; undefined between requests. */
  waiting: ServerResponse | undefined
  /** Answers the pending request after 20 seconds, or ends the wait for the next one. */
  timer: NodeJS.Timeout | undefined
}

const HOLD_MS = 20_000
const ABSENT_MS = 10_000
const MAX_FOLLOWERS = 256

const Query = z.object({
  /** The name of the process. */
  process: z.string().min(1).max(200),
  /** The offset that the process has applied; absent in its first request. */
  offset: z.coerce.number().int().min(0).default(-1),
})

const send = (response: ServerResponse, status: number, body: object): void => {
  if (response.writableEnded || response.destroyed) return
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** The processes that follow the clock, by name; each is represented by its last request. */
const createFollowers = (log: Log, absentMs: number) => {
  const followers = new Map<string, Follower>()
  const waiters = new Set<() => void>()
  let offsetMs = 0

  const forget = (name: string): void => {
    clearTimeout(followers.get(name)?.timer)
    followers.delete(name)
    for (const check of waiters) check()
  }
  const answer = (name: string, follower: Follower): void => {
    const { waiting } = follower
    follower.waiting = undefined
    clearTimeout(follower.timer)
    follower.timer = setTimeout(() => {
      if (follower.appliedMs < offsetMs) log('warn', 'process_clock_not_followed', { process: name })
      forget(name)
    }, absentMs)
    if (waiting !== undefined) send(waiting, 200, { offsetMs })
  }
  const hold = (name: string, follower: Follower, response: ServerResponse): void => {
    follower.timer = setTimeout(() => answer(name, follower), HOLD_MS)
    // A connection that closes while its request is pending means that the process has ended.
    response.once('close', () => {
      if (follower.waiting === response) forget(name)
    })
  }
  const take = (name: string, appliedMs: number, response: ServerResponse): void => {
    const follower = followers.get(name) ?? { appliedMs, waiting: undefined, timer: undefined }
    if (follower.waiting !== undefined) answer(name, follower)
    clearTimeout(follower.timer)
    follower.appliedMs = appliedMs
    follower.waiting = response
    followers.set(name, follower)
    for (const check of waiters) check()
    if (appliedMs < offsetMs) answer(name, follower)
    else hold(name, follower, response)
  }
  const untilApplied = (wantedMs: number): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if ([...followers.values()].some(({ appliedMs }) => appliedMs < wantedMs)) return
        waiters.delete(check)
        resolve()
      }
      waiters.add(check)
      check()
    })
  return {
    take,
    isFull: (name: string): boolean => followers.size >= MAX_FOLLOWERS && !followers.has(name),
    offsetMs: () => offsetMs,
    move: (nextMs: number): Promise<void> => {
      offsetMs = nextMs
      for (const [name, follower] of followers) if (follower.waiting !== undefined) answer(name, follower)
      return untilApplied(nextMs)
    },
    stop: () => {
      for (const name of followers.keys()) forget(name)
    },
  }
}

/**
 * Serves the clock on a free port of 127.0.0.1. `GET /clock?process=<name>&offset=<ms>` answers `{"offsetMs": n}` once
 * n exceeds `offset`, or after 20 seconds. The next request of the process confirms n.
 */
export const startClockServer = async (log: Log, absentMs = ABSENT_MS): Promise<ClockServer> => {
  const followers = createFollowers(log, absentMs)
  const server = createServer(SERVER_OPTIONS, (request: IncomingMessage, response) => {
    const url = URL.parse(request.url ?? '', 'http://clock')
    const query = Query.safeParse(Object.fromEntries(url?.searchParams ?? []))
    const isRight = request.method === 'GET' && url?.pathname === '/clock' && query.success
    if (!isRight) send(response, 400, { error: 'expected GET /clock?process=<name>&offset=<ms>' })
    else if (followers.isFull(query.data.process)) send(response, 429, { error: 'too many processes' })
    else followers.take(query.data.process, query.data.offset, response)
  })
  const port = await listenLocally(server)
  return {
    url: `http://127.0.0.1:${port}/clock`,
    offsetMs: followers.offsetMs,
    move: followers.move,
    stop: () =>
      new Promise((resolve) => {
        followers.stop()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
