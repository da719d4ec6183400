import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { freePort } from './free-port.ts'

test('a server can listen on a free port, which no connection is given in the meantime', async () => {
  const port = await freePort()
  assert.ok(port < 32_768, 'Linux gives connections a port from 32,768 on')
  const server = createServer()
  await once(server.listen(port, '127.0.0.1'), 'listening')
  server.close()
})
