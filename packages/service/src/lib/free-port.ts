import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Operating systems give connections and servers without a port one above 32,767, so none of those takes these. */
const FIRST_PORT = 12_000
const PORT_COUNT = 20_000
const ATTEMPTS = 50

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch {
    return false
  }
  await new Promise((resolve) => server.close(resolve))
  return true
}

/** A random port of 127.0.0.1 that was just free, for a process that starts later. Rejects if none is found. */
export const freePort = async (): Promise<number> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = FIRST_PORT + randomInt(PORT_COUNT)
    if (await isFree(port)) return port
  }
  throw new Error(`${ATTEMPTS} random ports of 127.0.0.1 are taken`)
}
