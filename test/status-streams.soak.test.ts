import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Sandbox, startSandbox } from '@openrfq/sandbox/src/index.ts'
import { USERS } from '@openrfq/sandbox/src/keys.ts'
import { freePort } from 'openrfq/src/lib/free-port.ts'
import type { Log } from 'openrfq/src/lib/log.ts'
import { eventually, until } from 'openrfq/test/eventually.ts'
import { createDice } from 'openrfq/test/seeded.ts'
import { openSoak } from 'openrfq/test/soak.ts'
import { execute, type SandboxDescription, type WireQuote } from 'openrfq/test/wallet.ts'
import { assertWhole, type RecordedStream, recordStream } from './recorded-stream.ts'
import { listTokens, quoteOf, requestBody, temporaryDirectory } from './sandbox-service.ts'
import { keepRevisions, readRevisions } from './saved-revisions.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'

const { seed, of } = openSoak()
const STREAMS_OF_TRANSFER = 10
const TRANSFERS = of(100)
const DURATION_MS = of(600) * 1_000
const SAMPLE_MS = 2_000
/** Resident memory that a process may gain while all streams are open. */
const MOST_GROWTH_BYTES = 96 * 1024 * 1024
/** The part of the streams that show all states, so that a service which shows none of them on the way is noticed. */
const LEAST_WHOLE = 0.8
const QUIET: Log = () => undefined
const ORDER: readonly string[] = ['AWAITING_DEPOSIT', 'PENDING', 'DONE']

const directory = temporaryDirectory()
let sandbox: Sandbox
let service: ServiceProcess
before(async () => {
  sandbox = await startSandbox({ log: QUIET, now: Date.now, withPaymentChains: false })
  writeFileSync(join(directory.path, 'network.json'), JSON.stringify(sandbox.network))
})
after(async () => {
  // Streams of a failed test would keep its process alive.
  leaving.abort()
  await service?.stop()
  await sandbox?.stop()
  directory.remove()
})

/** Starts the service, again on the same port, which no connection is given while the service is down. */
const start = async (port?: string): Promise<ServiceProcess> =>
  startServiceProcess({
    RFQ_CONFIG: join(directory.path, 'network.json'),
    DATA_DIR: directory.path,
    RATE_LIMIT: 'off',
    // One address has at most 512 connections; those of a proxy belong to many.
    TRUST_PROXY: 'on',
    PORT: port ?? String(await freePort()),
  })

const leaving = new AbortController()

/** Resident bytes of a process. */
const residentOf = (processId: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${processId}/status`, 'utf8'))?.[1]) * 1024

test(`${TRANSFERS * STREAMS_OF_TRANSFER} streams for ${DURATION_MS / 1_000} seconds and a restart lose no update, get none out of order, and memory stays flat`, async (context) => {
  const dice = createDice(seed)
  service = await start()
  keepRevisions(directory.path)
  const { url } = service
  const tokens = await listTokens(url)
  const find = (chainId: string, symbol: string) =>
    tokens.find(
      (token) => token.chainId === chainId && token.symbol === symbol && token.backends.includes('its'),
    )
  const [from, to] = [find('eip155:31337', 'WETH'), find('eip155:31338', 'axlWETH')]
  const [sender, recipient] = USERS
  assert.ok(from && to && sender && recipient)
  const described = sandbox.endpoints.find(({ method, path }) => method === 'GET' && path === '/sandbox')
  // CAST: wallets ask the nodes that the sandbox describes, which are never behind as the service's may be.
  const wallet = (await described?.handle(undefined)) as SandboxDescription

  const quotes: WireQuote[] = []
  const streams: RecordedStream[] = []
  for (let index = 0; index < TRANSFERS; index += 1) {
    const trade = { from, to, amount: 10n ** 15n + BigInt(index) }
    const quote = await quoteOf({ service }, 'its', requestBody(trade, sender.address, recipient.address))
    quotes.push(quote)
    for (let one = 0; one < STREAMS_OF_TRANSFER; one += 1)
      streams.push(recordStream(url, quote.quoteId, leaving.signal))
  }
  await until(() => streams.every(({ shown }) => shown.length > 0))

  const startedAt = performance.now()
  const restartAt = DURATION_MS / 2
  const passed = (): number => performance.now() - startedAt
  const times = quotes.map(() => dice(DURATION_MS)).toSorted((one, other) => one - other)
  const sending = (async () => {
    for (const [index, quote] of quotes.entries()) {
      await delay(Math.max(0, (times[index] ?? 0) - passed()))
      await execute(wallet, quote, sender.privateKey)
    }
  })()

  const samples: { readonly processId: number; readonly bytes: number }[] = []
  let backAt = Number.POSITIVE_INFINITY
  const sampling = (async () => {
    // The process after the restart, which may take long, is measured as well.
    while (passed() < Math.max(DURATION_MS, backAt + DURATION_MS / 4)) {
      if (backAt === Number.POSITIVE_INFINITY && passed() >= restartAt) {
        await service.stop()
        service = await start(new URL(url).port)
        backAt = passed()
      }
      samples.push({ processId: service.processId, bytes: residentOf(service.processId) })
      await delay(SAMPLE_MS)
    }
  })()
  await Promise.all([sending, sampling])
  await eventually(
    () => `every stream ends: ${streams.filter(({ states }) => states.at(-1) !== 'DONE').length} are open`,
    () => streams.every(({ states }) => states.at(-1) === 'DONE'),
    1_000,
  )
  await Promise.all(streams.map(({ ended }) => ended))

  const saved = readRevisions(directory.path)
  let owed = 0
  for (const stream of streams) {
    const others = streams.filter((one) => one !== stream && one.quoteId === stream.quoteId)
    owed += assertWhole(stream, saved.get(stream.quoteId) ?? [], others)
  }
  const total = streams.reduce((sum, { quoteId }) => sum + (saved.get(quoteId)?.length ?? 0), 0)
  context.diagnostic(
    `${total} saved revisions for all streams; ${owed} had to be shown, besides the last ones, and were`,
  )
  assert.ok(owed >= streams.length, 'streams had to show something')
  const whole = streams.filter(({ states }) => states.join() === ORDER.join()).length
  context.diagnostic(`${whole} of ${streams.length} streams showed every state`)
  assert.ok(whole >= streams.length * LEAST_WHOLE, 'nearly every stream shows the way of its transfer')
  for (const [processId, ofProcess] of Map.groupBy(samples, ({ processId: id }) => id)) {
    const settled = ofProcess.slice(Math.floor(ofProcess.length / 4)).map(({ bytes }) => bytes)
    const growth = Math.max(...settled) - (settled[0] ?? 0)
    context.diagnostic(
      `process ${processId}: ${settled[0]} bytes, at most ${growth} more, ${ofProcess.length} samples`,
    )
    assert.ok(growth < MOST_GROWTH_BYTES, `process ${processId} grew by ${growth} bytes`)
  }
  context.diagnostic(`${streams.reduce((sum, { shown }) => sum + shown.length, 0)} events`)
})
