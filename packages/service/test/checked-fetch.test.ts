import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { checkAnswersOf } from './checked-fetch.ts'
import { startTableServer } from './table-server.ts'

test('answers of a service that are as described pass', async () => {
  const server = await startTableServer()
  const end = checkAnswersOf(server.url)
  assert.equal((await fetch(`${server.url}/v1/rfq/chains`)).status, 200)
  assert.equal((await fetch(new URL(`${server.url}/v1/rfq/status`))).status, 400)
  await end()
  await server.close()
})

test('an answer that is not described is told when the check ends, and not to its reader', async () => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end('{"chains":[],"more":1}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = Object(server.address())
  const url = `http://127.0.0.1:${port}`
  const end = checkAnswersOf(url)
  assert.deepEqual(await (await fetch(`${url}/v1/rfq/chains`)).json(), { chains: [], more: 1 })
  await assert.rejects(end(), /not described/)
  await new Promise((resolve) => server.close(resolve))
})
