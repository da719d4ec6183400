import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type LocalServer, startLocalServer } from '../../../test/local-server.ts'
import { createAxelarscan } from './gmp.ts'

let server: LocalServer
let [status, body] = [200, '']
let asked: string[] = []

before(async () => {
  server = await startLocalServer((request, response) => {
    asked.push(request.body)
    response.writeHead(status).end(body)
  })
})
after(() => server.stop())
beforeEach(() => {
  asked = []
})

const DEAD = 'http://127.0.0.1:9'
const scan = (urls: string | readonly string[] = server.url) =>
  createAxelarscan({ urls, now: Date.now, log: () => undefined })
const feeOf = async (answer: string) => {
  ;[status, body] = [200, answer]
  return scan().transferFee('Ethereum', 'base')
}

test('an estimate of an interchain transfer is wei as text or as a number, rounded up', async () => {
  assert.equal(await feeOf('"1876752237061208000"'), 1_876_752_237_061_208_000n)
  assert.equal(await feeOf('123456789.2'), 123_456_790n)
  assert.equal(await feeOf('1.5e18'), 1_500_000_000_000_000_000n)
  assert.deepEqual(JSON.parse(asked[0] ?? ''), {
    ...{ sourceChain: 'Ethereum', destinationChain: 'base', event: 'InterchainTransfer' },
  })
})

test('zero and an error object are no estimate', async () => {
  for (const answer of ['0', '"0"', '{"error":"no pair"}', '{"code":5}', 'null', '-1', '"1e3"'])
    await assert.rejects(feeOf(answer), { code: 'NO_FEES' })
})

test('a server that does not answer or refuses is passed over, and a refusal is believed where none answers', async () => {
  ;[status, body] = [200, '"7"']
  const both = scan([DEAD, server.url])
  assert.equal(await both.transferFee('a', 'b'), 7n)
  status = 500
  await assert.rejects(both.transferFee('a', 'c'), { code: 'NO_ANSWER' })
  status = 400
  asked = []
  await assert.rejects(scan([server.url, DEAD]).transferFee('a', 'd'), { code: 'REFUSED' })
  const other = await startLocalServer((_request, response) => {
    response.end('"8"')
  })
  try {
    assert.equal(await scan([server.url, other.url]).transferFee('a', 'e'), 8n)
  } finally {
    other.stop()
  }
})

test('a server whose answers have another shape does not keep the others from being asked', async () => {
  let liarWasAsked = 0
  const liar = await startLocalServer((_request, response) => {
    liarWasAsked += 1
    response.end('{"error":"rate limit","data":"soon"}')
  })
  const honest = await startLocalServer(({ url }, response) => {
    response.end(url === '/gmp/searchGMP' ? '{"data":[{"message_id":"0x01-1","status":"called"}]}' : '"9"')
  })
  try {
    const both = scan([liar.url, honest.url])
    assert.equal((await both.findMessage('0x01-1'))?.status, 'called')
    assert.equal(await both.transferFee('a', 'b'), 9n)
    assert.equal(liarWasAsked, 1)
    await assert.rejects(scan(liar.url).findMessage('0x01-1'), { code: 'MALFORMED' })
    await assert.rejects(scan([liar.url, DEAD]).transferFee('a', 'b'), { code: 'NO_FEES' })
  } finally {
    liar.stop()
    honest.stop()
  }
})
