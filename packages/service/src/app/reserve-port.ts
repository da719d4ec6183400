import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { StartError } from './start-error.ts'

type Address = {
  readonly host: string
  readonly port: number
  /** The variable that the port comes from. */
  readonly variable?: string
}

const REASONS: Readonly<Record<string, (address: Address) => string>> = {
  EADDRINUSE: ({ host, port, variable = 'PORT' }) =>
    `Port ${port} on ${host} is taken. Stop the other process, or set ${variable}.`,
  EACCES: ({ port, variable = 'PORT' }) =>
    `This user may not listen on port ${port}. Set ${variable} to 1024 or more.`,
  EADDRNOTAVAIL: ({ host }) =>
    `HOST=${host} is not an address of this machine. Set HOST to one of its addresses.`,
  ENOTFOUND: ({ host }) => `HOST=${host} cannot be resolved. Set HOST to an address of this machine.`,
  EAI_AGAIN: ({ host }) => `HOST=${host} cannot be resolved. Set HOST to an address of this machine.`,
}

/**
 * Reserves the service's address before anything slow is started. Until another server listens on the result,
 * connections are closed, as if nothing listened yet. Rejects with `StartError` for an unavailable address.
 */
export const reservePort = async (address: Address): Promise<Server> => {
  const server = createServer((socket) => socket.destroy())
  server.listen(address.port, address.host)
  try {
    await once(server, 'listening')
    return server
  } catch (cause) {
    const describe = REASONS[String(Object(cause).code)]
    if (describe === undefined) throw cause
    throw new StartError(describe(address), { cause })
  }
}
