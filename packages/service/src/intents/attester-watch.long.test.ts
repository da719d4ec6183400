import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { after, before, beforeEach, test } from 'node:test'
import { until } from '../../test/eventually.ts'
import { createHttpClient } from '../lib/http-client.ts'
import { createAttesterWatch } from './attester-watch.ts'

const ATTESTER = '0x1E4e0351424123871305C2Ce3Bc4a955B183BfF5'
const CHAINS = ['eip155:1', 'solana:s'] as const
const HEAD = { number: 7, timestampSeconds: 1_000 }
const READ = CHAINS.map((chainId) => ({ chainId, isCurrent: true, head: HEAD }))

let server: Server
let url: string
/** What the attester answers; undefined: it takes the connection and says nothing. */
let answer: { readonly status: number; readonly text: string } | undefined
const say = (body: unknown): void => {
  answer = { status: 200, text: JSON.stringify(body) }
}

before(async () => {
  server = createServer((_, response) => {
    if (answer !== undefined) response.writeHead(answer.status).end(answer.text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  url = `http://127.0.0.1:${address.port}`
})
after(() => {
  server.closeAllConnections()
  server.close()
})

let time = 0
beforeEach(() => {
  time = 1_000_000
})

/** A running watch, its log, and the words of its present faults. */
const watchOf = async (context: { after: (work: () => Promise<void>) => void }, headSeconds = 1_000) => {
  const client = createHttpClient()
  const lines: string[] = []
  const watch = createAttesterWatch({
    attester: ATTESTER.toLowerCase(),
    url,
    chainIds: CHAINS,
    headOf: () => ({ timestampSeconds: headSeconds }),
    client,
    now: () => time,
    periods: { currentMs: 20, behindMs: 20 },
    log: (level, event, fields) =>
      lines.push(`${level} ${event} ${fields?.['chainId']} ${fields?.['fault']}`),
  })
  context.after(async () => {
    client.close()
    await watch.stop()
  })
  await watch.start()
  return { watch, lines, said: () => CHAINS.map(watch.faultOf) }
}

test('an attester that reads every chain has no fault', async (context) => {
  say({ attester: ATTESTER, chains: READ })
  const { watch, said, lines } = await watchOf(context)
  assert.deepEqual(said(), [undefined, undefined])
  assert.deepEqual(
    watch.faults(),
    CHAINS.map((chainId) => ({ chainId, fault: undefined })),
  )
  assert.deepEqual(lines, [])
})

test('an attester is behind on the chain that it does not read, has no head of, or does not name', async (context) => {
  const [, solana] = READ
  const { said } = await watchOf(context)
  for (const chains of [
    [solana],
    [{ ...READ[0], isCurrent: false }, solana],
    [{ ...READ[0], head: null }, solana],
  ]) {
    say({ attester: ATTESTER, chains })
    await until(() => said()[0] === 'not_read' && said()[1] === undefined)
  }
})

test('an attester whose head is more than half a minute older than ours is behind', async (context) => {
  say({ attester: ATTESTER, chains: READ })
  assert.deepEqual((await watchOf(context, 1_030)).said(), [undefined, undefined])
  assert.deepEqual((await watchOf(context, 1_031)).said(), ['behind', 'behind'])
})

test('an attester with another key than the network names is none', async (context) => {
  say({ attester: '0x00000000000000000000000000000000000000f1', chains: READ })
  assert.deepEqual((await watchOf(context)).said(), ['other_key', 'other_key'])
})

test('an attester that has told nothing usable for five seconds is behind, and is believed again with its next word', async (context) => {
  say({ attester: ATTESTER, chains: READ })
  const { said, lines } = await watchOf(context)
  for (const broken of [
    { status: 500, text: '' },
    { status: 200, text: '<html>' },
    { status: 200, text: '{"chains":[]}' },
    { status: 200, text: 'x'.repeat(300_000) },
  ]) {
    answer = broken
    assert.deepEqual(said(), [undefined, undefined])
    time += 5_001
    assert.deepEqual(said(), ['no_answer', 'no_answer'])
    const before = lines.length
    await until(() => lines.length === before + 2)
    say({ attester: ATTESTER, chains: READ })
    await until(() => lines.length === before + 4)
    assert.deepEqual(said(), [undefined, undefined])
  }
  assert.deepEqual(lines.slice(0, 4), [
    'warn attester_behind eip155:1 no_answer',
    'warn attester_behind solana:s no_answer',
    'info attester_current eip155:1 undefined',
    'info attester_current solana:s undefined',
  ])
})

test('an attester that never answered is behind, and is logged after thirty seconds', async (context) => {
  answer = { status: 404, text: '{"error":"expected POST /v1/attestations"}' }
  const { said, lines } = await watchOf(context)
  assert.deepEqual([said(), lines], [['no_answer', 'no_answer'], []])
  time += 30_000
  await until(() => lines.length === 2)
})
