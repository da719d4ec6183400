import { createServer } from 'node:http'

/** What the bare server is told: how many bytes each path answers. */
export type BareSizes = Readonly<Record<string, number>>

/** A `node:http` server and nothing else: it answers a constant of the size asked for. The measure of all ratios. */
const serve = (sizes: BareSizes): void => {
  const bodies = new Map(Object.entries(sizes).map(([path, bytes]) => [path, Buffer.alloc(bytes, 'x')]))
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0] ?? ''
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(bodies.get(path))
  })
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    process.send?.(typeof address === 'object' && address !== null ? address.port : 0)
  })
}

process.once('message', serve)
process.once('disconnect', () => process.exit(0))
