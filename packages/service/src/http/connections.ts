import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** The open connections with the response each was last given to write. */
export type Connections = {
  readonly opened: (socket: Duplex) => void
  readonly asked: (socket: Duplex, response: ServerResponse) => void
  readonly lastResponse: (socket: Duplex) => ServerResponse | undefined
  /** The connection speaks another protocol from now on. */
  readonly left: (socket: Duplex) => void
  /** Closes those that wait for a request, also those that never sent one. */
  readonly closeIdle: () => void
}

/** Keeps track of connections, whose number the server bounds. */
export const createConnections = (): Connections => {
  const last = new Map<Duplex, ServerResponse | undefined>()
  return {
    opened: (socket) => {
      last.set(socket, undefined)
      socket.once('close', () => last.delete(socket))
    },
    asked: (socket, response) => {
      last.set(socket, response)
    },
    lastResponse: (socket) => last.get(socket),
    left: (socket) => {
      last.delete(socket)
    },
    closeIdle: () => {
      for (const [socket, response] of last) {
        if (response === undefined || response.writableFinished) socket.destroy()
      }
    },
  }
}
