import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The open connections with the response each was last given to write. */
export type Connections = {
  readonly opened: (socket: Socket) => void
  readonly asked: (socket: Socket, response: ServerResponse) => void
  readonly lastResponse: (socket: Socket) => ServerResponse | undefined
  /** The connection speaks another protocol from now on, and is counted by those who speak it. */
  readonly left: (socket: Socket) => void
  /** Closes those that wait for a request, also those that never sent one. */
  readonly closeIdle: () => void
}

type Limits = {
  readonly perClient: number
  readonly total: number
  /** The client behind a socket; undefined when many clients share it, as behind a proxy. */
  readonly clientOf: (socket: Socket) => string | undefined
}

type Connection = { readonly client: string | undefined; response: ServerResponse | undefined }

/**
 * Keeps track of connections, and of how many one client and all together may hold. One too many takes the place of the
 * one that has been idle for longest, of the same client or of all; while no other is idle, it is cut itself.
 */
export const createConnections = ({ perClient, total, clientOf }: Limits): Connections => {
  // In the order of their last requests: whatever is asked is put last.
  const open = new Map<Socket, Connection>()
  const counts = new Map<string, number>()

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
      // The new one is idle too, so that one is always closed.
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
    left,
    closeIdle: () => {
      for (const [socket, connection] of open) if (isIdle(connection)) close(socket)
    },
  }
}

const isIdle = ({ response }: Connection): boolean => response === undefined || response.writableFinished
