import { createServer, connect as openSocket, type Server, type Socket } from 'node:net'

/** A proxy to a chain that only the service uses, so that it can be made unreachable for the service alone. */
export type RpcProxy = {
  readonly url: string
  /** False drops every connection, open and new, until it is true again. */
  readonly setUp: (up: boolean) => void
  readonly stop: () => Promise<void>
}

const MAX_CONNECTIONS = 1024
const CONNECT_TIMEOUT_MS = 5000

const listen = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('the RPC proxy has no port'))
      else resolve(address.port)
    })
  })

const join = (client: Socket, target: URL): void => {
  const upstream = openSocket({ host: target.hostname, port: Number(target.port), noDelay: true })
  upstream.setTimeout(CONNECT_TIMEOUT_MS, () => upstream.connecting && upstream.destroy())
  const endBoth = (): void => {
    client.destroy()
    upstream.destroy()
  }
  for (const socket of [client, upstream]) socket.on('error', endBoth).on('close', endBoth)
  client.pipe(upstream)
  upstream.pipe(client)
}

/**
 * Listens on a free port of 127.0.0.1 and passes connections to the node as they are: bytes are not looked at,
 * so that HTTP bodies keep the node's own bound. Beyond 1024 connections new ones are dropped.
 */
export const startRpcProxy = async (rpcUrl: string): Promise<RpcProxy> => {
  const target = new URL(rpcUrl)
  const clients = new Set<Socket>()
  let up = true
  const server = createServer({ noDelay: true }, (client) => {
    if (!up) {
      client.destroy()
      return
    }
    clients.add(client)
    client.once('close', () => clients.delete(client))
    join(client, target)
  })
  server.maxConnections = MAX_CONNECTIONS
  const port = await listen(server)
  const dropAll = (): void => {
    for (const client of clients) client.destroy()
  }
  return {
    url: `http://127.0.0.1:${port}`,
    setUp: (next) => {
      up = next
      if (!up) dropAll()
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        dropAll()
      }),
  }
}
