import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The open connections, each with its last response. */
export type Connections = {
  readonly opened: (socket: Socket) => void
  readonly asked: (socket: Socket, response: ServerResponse) => void
  readonly lastResponse: (socket: Socket) => ServerResponse | undefined
  /** The connection has changed its protocol, whose own limit counts it from now on. */
  readonly upgraded: (socket: Socket) => void
  /** Closes connections without a request in flight, including those that never sent one. */
  readonly closeIdle: () => void
  /** Closes every connection, also those with another protocol. */
  readonly closeAll: () => void
}

type Limits = {
  readonly perClient: number
  readonly total: number
  /** The client of a socket; undefined when many clients share it, as behind a proxy. */
  readonly clientOf: (socket: Socket) => string | undefined
}

type Connection = { readonly client: string | undefined; response: ServerResponse | undefined }

/**
 * Tracks connections and limits their number per client and in total. A new connection above a limit closes the one
 * that has been idle for longest, of the same client or of all; when none is idle, it is closed itself.
 */
export const createConnections = ({ perClient, total, clientOf }: Limits): Connections => {
  // In the order of their last requests: each request moves its connection to the end.
  const open = new Map<Socket, Connection>()
  const counts = new Map<string, number>()
  const upgraded = new Set<Socket>()

  const count = (client: string | undefined, change: number): number => {
    if (client === undefined) return 0
    const held = (counts.get(client) ?? 0) + change
    if (held === 0) counts.delete(client)
    else counts.set(client, held)
    return held
  }
  const left = (socket: Socket): void => {
    const connection = open.get(socket)
    if (open.delete(socket)) count(connection?.client, -1)
  }
  const close = (socket: Socket): void => {
    left(socket)
    socket.destroy()
  }
  const closeIdlest = (isOurs: (connection: Connection) => boolean): void => {
    for (const [socket, connection] of open) {
      if (!isIdle(connection) || !isOurs(connection)) continue
      close(socket)
      return
    }
  }

  return {
    opened: (socket) => {
      const client = clientOf(socket)
      open.set(socket, { client, response: undefined })
      socket.once('close', () => left(socket))
      // The new connection is idle as well, so one is always closed.
      if (count(client, 1) > perClient) closeIdlest((connection) => connection.client === client)
      if (open.size > total) closeIdlest(() => true)
    },
    asked: (socket, response) => {
      const connection = open.get(socket)
      if (connection === undefined) return
      connection.response = response
      open.delete(socket)
      open.set(socket, connection)
    },
    lastResponse: (socket) => open.get(socket)?.response,
    upgraded: (socket) => {
      left(socket)
      if (socket.destroyed) return
      upgraded.add(socket)
      socket.once('close', () => upgraded.delete(socket))
    },
    closeIdle: () => {
      for (const [socket, connection] of open) if (isIdle(connection)) close(socket)
    },
    closeAll: () => {
      for (const socket of [...open.keys(), ...upgraded]) close(socket)
    },
  }
}

const isIdle = ({ response }: Connection): boolean => response === undefined || response.writableFinished
