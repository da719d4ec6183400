import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { eventually } from 'openrfq/test/eventually.ts'
import { execute, follow } from 'openrfq/test/wallet.ts'
import { Webhook } from 'standardwebhooks'
import { freePort } from './restarting-processes.ts'
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
let world: SandboxService
let receiver: ChildProcess | undefined
let printed = ''

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
  world = await startSandboxService({ WEBHOOKS: JSON.stringify({ example: webhook }) })
})
after(async () => {
  receiver?.kill()
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

test('the example accepts what its secret signed just now, and nothing else', async () => {
  const data = {
    revision: 1,
    messageId: null,
    quote: { quoteId: 'quote_of_nobody' },
    status: { state: 'PENDING' },
  }
  const body = JSON.stringify({ data })
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
