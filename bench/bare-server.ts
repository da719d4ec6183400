import { createServer } from 'node:http'

/** Answer sizes of the bare server in bytes, by the course named in `x-course`. */
export type BareSizes = Readonly<Record<string, number>>

/** A bare `node:http` server that answers a constant of the requested size: the reference of all ratios. */
const serve = (sizes: BareSizes): void => {
  const bodies = new Map(Object.entries(sizes).map(([course, bytes]) => [course, Buffer.alloc(bytes, 'x')]))
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(bodies.get(String(request.headers['x-course'])))
  })
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    process.send?.(typeof address === 'object' && address !== null ? address.port : 0)
  })
}

process.once('message', serve)
process.once('disconnect', () => process.exit(0))
