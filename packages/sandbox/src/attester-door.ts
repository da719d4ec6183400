import { connect, createServer, type Socket } from 'node:net'
import { listenLocally } from './local-server.ts'

/** One address for the attester, whose port changes with each restart. */
export type AttesterDoor = {
  readonly url: string
  /** Leads connections to the port from now on; without one they are closed. */
  readonly leadTo: (port: number) => void
  readonly stop: () => Promise<void>
}

/** Opens the door on a free port of 127.0.0.1. */
export const openAttesterDoor = async (): Promise<AttesterDoor> => {
  let target: number | undefined
  const sockets = new Set<Socket>()
  const keep = (socket: Socket, other: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => other.destroy())
    socket.on('close', () => {
      sockets.delete(socket)
      other.destroy()
    })
  }
  const server = createServer((caller) => {
    if (target === undefined) {
      caller.destroy()
      return
    }
    const called = connect(target, '127.0.0.1')
    keep(caller, called)
    keep(called, caller)
    caller.pipe(called).pipe(caller)
  })
  const port = await listenLocally(server)
  return {
    url: `http://127.0.0.1:${port}`,
    leadTo: (next) => {
      target = next
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
