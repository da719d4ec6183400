import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { type DnsServer, startDnsServer } from '../../test/dns-server.ts'
import { createHttpClient, HttpFault } from './http-client.ts'
import { createPublicLookup } from './public-lookup.ts'

let addresses: (asked: number) => readonly string[] = () => []
let asked = 0
let dns: DnsServer
/** A server of this machine, which must not be reachable through a name. */
const own = createServer((_request, response) => response.end('secret'))
let connections = 0
own.on('connection', () => {
  connections += 1
})
let port = 0

before(async () => {
  dns = await startDnsServer(() => {
    asked += 1
    return addresses(asked)
  })
  await new Promise<void>((resolve) => own.listen(0, '::', resolve))
  // CAST: a server on a TCP port has an address of this form.
  port = (own.address() as AddressInfo).port
})
beforeEach(() => {
  asked = 0
  connections = 0
})
after(() => {
  dns.stop()
  own.close()
})

const lookUp = (all: boolean): Promise<unknown> =>
  new Promise((resolve, reject) =>
    createPublicLookup([dns.server])('receiver.example', { all }, (error, found, family) => {
      if (error !== null) reject(error)
      else resolve(all ? found : [found, family])
    }),
  )

const send = async (host: string, protocol = 'http'): Promise<string> => {
  const client = createHttpClient(createPublicLookup([dns.server]))
  try {
    const url = new URL(`${protocol}://${host}:${port}/`)
    await client.send({ url, body: '{}', deadlineMs: 5_000, maxBytes: 100 })
    return 'answered'
  } catch (error) {
    if (error instanceof HttpFault) return error.message
    throw error
  } finally {
    client.close()
  }
}

test('finds the public addresses of a host, of both families', async () => {
  addresses = () => ['1.1.1.1', '2606:4700::11', '8.8.8.8']
  assert.deepEqual(await lookUp(true), [
    { address: '1.1.1.1', family: 4 },
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700::11', family: 6 },
  ])
  assert.deepEqual(await lookUp(false), ['1.1.1.1', 4])
})

test('leaves out the addresses that are not public', async () => {
  addresses = () => ['10.0.0.1', '1.1.1.1', '::1']
  assert.deepEqual(await lookUp(true), [{ address: '1.1.1.1', family: 4 }])
})

test('connects to no address of this machine that a name stands for', async () => {
  for (const found of [['127.0.0.1'], ['::1'], ['0.0.0.0'], ['::ffff:7f00:1'], ['127.0.0.1', '10.0.0.1']]) {
    addresses = () => found
    for (const protocol of ['http', 'https'])
      assert.equal(await send('receiver.example', protocol), 'connection failed: NOT_PUBLIC', found.join())
  }
  assert.equal(connections, 0)
})

test('connects to no address of this machine that is written instead of a name', async () => {
  for (const host of ['127.0.0.1', '127.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', '0'])
    for (const protocol of ['http', 'https'])
      assert.equal(await send(host, protocol), 'connection failed: NOT_PUBLIC', host)
  assert.equal(connections, 0)
})

test('asks DNS even for localhost, and does not connect to a name that it does not know', async () => {
  addresses = () => []
  assert.equal(await send('localhost'), 'connection failed: NO_ADDRESS')
  assert.equal(connections, 0)
})

test('a name that changes between check and connection leads nowhere else than to what was checked', async () => {
  // For the first two questions, of both families, an unassigned address; then this machine's own.
  addresses = (count) => (count <= 2 ? ['2d00::1'] : ['127.0.0.1'])
  const client = createHttpClient(createPublicLookup([dns.server]))
  const url = new URL(`http://receiver.example:${port}/`)
  const ask = () => client.send({ url, deadlineMs: 300, maxBytes: 100 })
  await assert.rejects(ask, HttpFault)
  await assert.rejects(ask, /NOT_PUBLIC/)
  client.close()
  assert.equal(connections, 0)
  assert.equal(asked, 4)
})
