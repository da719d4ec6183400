import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { reservePort } from './reserve-port.ts'
import { StartError } from './start-error.ts'

const HOST = '127.0.0.1'

const portOf = (server: { readonly address: () => AddressInfo | string | null }): number => {
  const address = server.address()
  assert(typeof address === 'object' && address !== null)
  return address.port
}

test('rejects a port in use and names the variable to change', async (context) => {
  const holder = await reservePort({ host: HOST, port: 0 })
  context.after(() => holder.close())
  const port = portOf(holder)
  await assert.rejects(
    reservePort({ host: HOST, port }),
    (error: unknown) =>
      error instanceof StartError &&
      error.message === `Port ${port} on 127.0.0.1 is taken. Stop the other process, or set PORT.`,
  )
})

test('rejects a host of another machine by name', async () => {
  for (const host of ['192.0.2.1', 'no-such-host.invalid'])
    await assert.rejects(
      reservePort({ host, port: 0 }),
      (error: unknown) => error instanceof StartError && error.message.includes(`HOST=${host}`),
    )
})

test('a reserved port closes connections until another server listens on it', async (context) => {
  const holder = await reservePort({ host: HOST, port: 0 })
  const port = portOf(holder)
  const early = connect(port, HOST)
  early.on('error', () => {})
  await once(early, 'close')
  const server = createServer((_request, response) => response.end('here'))
  context.after(() => server.close())
  server.listen(holder)
  await once(server, 'listening')
  assert.equal(portOf(server), port)
  const response = await fetch(`http://${HOST}:${port}`, { headers: { connection: 'close' } })
  assert.equal(await response.text(), 'here')
})
