import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { freePort } from 'openrfq/src/lib/free-port.ts'
import { assertComponent } from 'openrfq/test/described-answer.ts'
import { eventually } from 'openrfq/test/eventually.ts'
import { rfq } from 'openrfq/test/rfq-process.ts'
import { execute, follow } from 'openrfq/test/wallet.ts'
import { Webhook } from 'standardwebhooks'
import {
  accountAt,
  CHAINS,
  quoteOf,
  requestBody,
  type SandboxService,
  startSandboxService,
  tokenOn,
} from './sandbox-service.ts'

const ROOT = join(import.meta.dirname, '..')
const EXAMPLE = 'examples/webhooks/receive.mjs'
const SECRET = `whsec_${randomBytes(32).toString('base64')}`

let port: number
let operatorUrl = ''
let world: SandboxService
let receiver: ChildProcess | undefined
let printed = ''
/** A second receiver, in this process, and the bodies that it was sent. */
let own: Server
const bodies: unknown[] = []

const startOwnReceiver = (): Promise<string> =>
  new Promise((resolve) => {
    own = createServer(async (request, response) => {
      const parts: Uint8Array[] = []
      for await (const part of request) parts.push(part)
      bodies.push(JSON.parse(Buffer.concat(parts).toString()))
      response.writeHead(204).end()
    }).listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${Object(own.address()).port}/`))
  })

const startReceiver = (): void => {
  receiver = spawn(process.execPath, [EXAMPLE], {
    cwd: ROOT,
    env: { ...process.env, WEBHOOK_SECRET: SECRET, WEBHOOK_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  receiver.stdout?.on('data', (chunk) => {
    printed += String(chunk)
  })
}

before(async () => {
  port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const webhook = { url, secrets: [SECRET], privateAddresses: true }
  const metricsPort = await freePort()
  operatorUrl = `http://127.0.0.1:${metricsPort}`
  world = await startSandboxService({
    WEBHOOKS: JSON.stringify({ example: webhook, own: { ...webhook, url: await startOwnReceiver() } }),
    METRICS_PORT: String(metricsPort),
  })
})
after(async () => {
  receiver?.kill()
  own?.close()
  await world?.stop()
})

const told = (quoteId: string): readonly string[] =>
  printed
    .split('\n')
    .filter((line) => line.startsWith(quoteId))
    .map((line) => line.split(' ').at(-1) ?? '')

test('docs/integrating.md shows the example as it is', () => {
  const example = readFileSync(join(ROOT, EXAMPLE), 'utf8')
  assert.ok(readFileSync(join(ROOT, 'docs/integrating.md'), 'utf8').includes(example))
})

test('the example is told every state of a transfer in order, also those from before it was started', async () => {
  const [sender, recipient] = [accountAt(world, 1), accountAt(world, 2)]
  const trade = {
    from: tokenOn(world, CHAINS.a, 'gateway', /USDC/),
    to: tokenOn(world, CHAINS.b, 'gateway', /USDC/),
    amount: 5_000_000n,
  }
  const quote = await quoteOf(world, 'gateway', requestBody(trade, sender.address, recipient.address))
  const messageId = await execute(world.sandbox, quote, sender.privateKey)
  const lookup = { quoteId: quote.quoteId, messageId, sourceChain: quote.input.chain }
  const { last } = await follow(world.service.url, lookup)
  assert.equal(last.state, 'DONE')
  assert.deepEqual(told(quote.quoteId), [])
  await eventually('the receiver is refused', () => world.service.stderr().includes('webhook_refuses'))
  startReceiver()
  const states = await eventually('DONE is told', () => {
    const seen = told(quote.quoteId)
    return seen.at(-1) === 'DONE' && seen
  })
  assert.deepEqual(states, ['PENDING', 'DONE'])
})

test('every message is as openapi.json describes it', async () => {
  await eventually('both changes are told', () => bodies.length >= 2)
  const { said } = await operate('test', '--webhook', 'own')
  assert.deepEqual(said, { isAccepted: true, result: 'HTTP 204' })
  for (const body of bodies.slice(0, -1)) assertComponent('TransferChanged', body, 'a change')
  assertComponent('WebhookTest', bodies.at(-1), 'the test')
})

/** Runs `rfq webhooks …` against the operator's port, and parses its JSON. */
const operate = async (...words: readonly string[]) => {
  const { code, output, notes } = await rfq(['webhooks', ...words, '--operator-url', operatorUrl, '--json'])
  return { code, notes, said: Object(JSON.parse(output)) }
}

test('an operator lists webhooks, reads what they were told, sends a test message, and has one sent again', async () => {
  const { said: listed } = await operate('list')
  const [only] = listed.webhooks
  assert.deepEqual([only.name, only.host], ['example', `127.0.0.1:${port}`])
  assert.ok(only.accepted >= 2 && only.refused >= 1, JSON.stringify(only))
  const { said: log } = await operate('log', '--webhook', 'example', '--outcome', 'accepted', '--limit', '1')
  const [last] = log.notifications
  assert.deepEqual([last.outcome, last.last.result], ['accepted', 'HTTP 204'])
  const before = printed
  assert.deepEqual(await operate('test', '--webhook', 'example'), {
    ...{ code: 0, notes: '' },
    said: { isAccepted: true, result: 'HTTP 204' },
  })
  const { code } = await operate('resend', '--webhook', 'example', '--event-id', last.eventId)
  assert.equal(code, 0)
  await eventually('it is sent again and accepted', async () => {
    const { said } = await operate('log', '--webhook', 'example', '--outcome', 'accepted', '--limit', '1')
    return said.notifications[0].last.at >= last.last.at
  })
  assert.equal(printed, before, 'the receiver knew the revision, and prints no test message')
  const table = await rfq(['webhooks', 'log', '--webhook', 'example', '--outcome', 'accepted'], {
    RFQ_OPERATOR_URL: operatorUrl,
  })
  assert.match(table.output, new RegExp(`^${last.eventId} +${last.quoteId} .* HTTP 204$`, 'm'))
})

test('wrong words of an operator end with a sentence and the code of wrong words', async () => {
  const wrong = await operate('resend', '--webhook', 'example', '--event-id', 'msg_unknown')
  assert.deepEqual([wrong.code, wrong.said.error.code], [2, 'INVALID_REQUEST'])
  const other = await operate('test', '--webhook', 'other')
  assert.deepEqual([other.code, other.said.error.message], [2, 'webhook is unknown; expected example, own'])
  const nowhere = await rfq(['webhooks', 'list'], { METRICS_PORT: '', RFQ_OPERATOR_URL: '' })
  assert.equal(nowhere.code, 2)
  assert.match(nowhere.notes, /where is the operator's port\? give --operator-url/)
})

test('the example accepts what its secret signed just now, and nothing else', async () => {
  const data = {
    revision: 1,
    messageId: null,
    quote: { quoteId: 'quote_of_nobody' },
    status: { state: 'PENDING' },
  }
  const body = JSON.stringify({ type: 'transfer.changed', data })
  const post = async (secret: string, at: Date, sent = body): Promise<number> => {
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
    }
    return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: sent })).status
  }
  const other = `whsec_${randomBytes(32).toString('base64')}`
  assert.equal(await post(other, new Date()), 400)
  assert.equal(await post(SECRET, new Date(Date.now() - 301_000)), 400)
  assert.equal(await post(SECRET, new Date(), body.replace('PENDING', 'DONE')), 400)
  assert.deepEqual(told('quote_of_nobody'), [])
  assert.equal(await post(SECRET, new Date()), 204)
  assert.equal(await post(SECRET, new Date()), 204)
  await eventually('it is printed', () => told('quote_of_nobody').length > 0)
  assert.deepEqual(told('quote_of_nobody'), ['PENDING'])
})
