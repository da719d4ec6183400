import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createClient } from './create-client.ts'

const statusText = (state: string, details = {}): string =>
  JSON.stringify({
    quoteId: 'q',
    state,
    backend: null,
    source: null,
    destination: null,
    output: null,
    refund: null,
    details,
  })
const event = (id: string, state: string, details = {}): string =>
  `event: status\nid: ${id}\ndata: ${statusText(state, details)}\n\n`

/** A service whose answers follow the script; `ids` collects what clients come back with. */
const serve = async (t: TestContext, script: readonly ((response: ServerResponse) => void)[]) => {
  const ids: unknown[] = []
  const server = createServer(({ headers }, response) => {
    const answer = script[ids.push(headers['last-event-id']) - 1]
    assert.ok(answer, 'asked too often')
    response.setHeader('content-type', 'text/event-stream')
    answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  // CAST: a server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  return { client: createClient({ baseUrl: `http://127.0.0.1:${port}` }), ids }
}

/** Follows a transfer through its three states. Returns the read errors on the way. */
const watchToDone = async (client: ReturnType<typeof createClient>): Promise<readonly unknown[]> => {
  const lost: unknown[] = []
  const states: string[] = []
  const onReadError = (error: unknown): void => void lost.push(error)
  for await (const { state } of client.watchStatus({ quoteId: 'q' }, { onReadError })) states.push(state)
  assert.deepEqual(states, ['AWAITING_DEPOSIT', 'PENDING', 'DONE'])
  return lost
}

test('a watch comes back with the last id after each loss, and misses and repeats nothing', async (t) => {
  const { client, ids } = await serve(t, [
    (response) => response.end(`retry: 1\n\n${event('0.a', 'AWAITING_DEPOSIT')}`),
    (response) => response.writeHead(503).end('<html>'),
    (response) => {
      response.write(`:\n\n${event('1.b', 'PENDING')}${event('2.c', 'DONE').slice(0, 30)}`)
      setImmediate(() => response.destroy())
    },
    (response) => response.end(event('2.c', 'DONE')),
  ])
  const lost = await watchToDone(client)
  assert.deepEqual(ids, [undefined, '0.a', '0.a', '1.b'])
  assert.equal(lost.length, 2)
})

test('a watch that is refused a stream for too many reads the status as others do, until it gets one', async (t) => {
  const full: (response: ServerResponse) => void = (response) =>
    response
      .writeHead(429, { 'content-type': 'application/json' })
      .end('{"error":{"code":"RATE_LIMITED","message":"too many streams are open","details":{}}}')
  const { client, ids } = await serve(t, [
    full,
    (response) => response.end(statusText('AWAITING_DEPOSIT')),
    full,
    (response) => response.end(statusText('PENDING')),
    (response) => response.end(event('2.c', 'DONE')),
  ])
  const lost = await watchToDone(client)
  assert.equal(ids.length, 5)
  assert.deepEqual(lost, [])
})

test('a watch goes on after a delivery that is not final, until it is', async (t) => {
  const { client } = await serve(t, [
    (response) => response.end(`${event('1.a', 'DONE', { deliveryFinal: false })}${event('2.b', 'DONE')}`),
  ])
  const finality: unknown[] = []
  for await (const { details } of client.watchStatus({ quoteId: 'q' })) finality.push(details.deliveryFinal)
  assert.deepEqual(finality, [false, undefined])
})

test('a watch throws what the service refuses, and what is malformed', async (t) => {
  const { client } = await serve(t, [
    (response) =>
      response.writeHead(400).end('{"error":{"code":"INVALID_REQUEST","message":"m","details":{}}}'),
    (response) => response.end('event: status\nid: 1\ndata: {"state":7}\n\n'),
  ])
  await assert.rejects(client.watchStatus({ quoteId: 'q' }).next(), { code: 'INVALID_REQUEST' })
  await assert.rejects(client.watchStatus({ quoteId: 'q' }).next(), { code: 'malformed' })
})

test('an aborted signal ends a watch with its reason, also while nothing arrives', async (t) => {
  const { client } = await serve(t, [(response) => response.write(event('0.a', 'AWAITING_DEPOSIT'))])
  const controller = new AbortController()
  const watch = client.watchStatus({ quoteId: 'q' }, { signal: controller.signal })
  assert.equal((await watch.next()).done, false)
  const next = watch.next()
  controller.abort(new Error('enough'))
  await assert.rejects(next, /enough/)
})

test('leaving a watch closes its connection', async (t) => {
  const closed = Promise.withResolvers<void>()
  const { client } = await serve(t, [
    (response) => {
      response.once('close', closed.resolve)
      response.write(event('0.a', 'AWAITING_DEPOSIT'))
    },
  ])
  for await (const _ of client.watchStatus({ quoteId: 'q' })) break
  await closed.promise
})

test('quotes arrive as lists, and a refusal between them is reported', async (t) => {
  const refusal = '{"error":{"code":"AMOUNT_OUT_OF_RANGE","message":"m","details":{}}}'
  const { client } = await serve(t, [
    (response) =>
      response.write(
        `event: quotes\ndata: {"quotes":[]}\n\nevent: refused\ndata: ${refusal}\n\nevent: quotes\ndata: {"quotes":[]}\n\n`,
      ),
  ])
  const refused: unknown[] = []
  const quotes = client.watchQuotes(
    {
      fromChain: 'eip155:1',
      fromToken: '0xa',
      toChain: 'eip155:2',
      toToken: '0xb',
      amount: 1n,
      orderType: 'EXACT_INPUT',
      sender: '0xc',
      recipient: '0xd',
    },
    { onReadError: (error) => refused.push(Object(error).code) },
  )
  assert.deepEqual((await quotes.next()).value, [])
  assert.deepEqual((await quotes.next()).value, [])
  assert.deepEqual(refused, ['AMOUNT_OUT_OF_RANGE'])
  await quotes.return()
})
