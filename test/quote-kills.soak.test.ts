import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Sandbox, startSandbox } from '@openrfq/sandbox/src/index.ts'
import { isQuoteId } from 'openrfq/src/core/quote-id.ts'
import type { Log } from 'openrfq/src/lib/log.ts'
import { openSqliteStore } from 'openrfq/src/store/sqlite.ts'
import { eventually, until } from 'openrfq/test/eventually.ts'
import { createDice } from 'openrfq/test/seeded.ts'
import { openSoak } from 'openrfq/test/soak.ts'
import { fetchJson, type WireQuote } from 'openrfq/test/wallet.ts'
import { requestBody, temporaryDirectory } from './sandbox-service.ts'
import { startServiceProcess } from './service-process.ts'

const { seed, of } = openSoak()
const RUNS = of(100)
const QUIET: Log = () => undefined

const directory = temporaryDirectory()
let sandbox: Sandbox
before(async () => {
  sandbox = await startSandbox({ log: QUIET, now: Date.now, withPaymentChains: false })
  writeFileSync(join(directory.path, 'network.json'), JSON.stringify(sandbox.network))
})
after(async () => {
  await sandbox.stop()
  directory.remove()
})

const start = () =>
  startServiceProcess({
    RFQ_CONFIG: join(directory.path, 'network.json'),
    DATA_DIR: directory.path,
    RATE_LIMIT: 'off',
  })

type Tokens = {
  readonly tokens: readonly {
    chainId: string
    address: `0x${string}`
    symbol: string
    decimals: number
    verified: boolean
    backends: readonly string[]
  }[]
}

/**
 * Requests quotes continuously over four connections until the service is gone. Returns the ids answered so far, and a
 * promise for the end.
 */
const hammer = (url: string, body: Record<string, unknown>) => {
  const answered: string[] = []
  const ask = async (): Promise<void> => {
    for (;;) {
      const { status, body: answer } = await fetchJson<{ quotes: WireQuote[] }>(`${url}/v1/rfq/quote`, body)
      assert.equal(status, 200)
      answered.push(...answer.quotes.map(({ quoteId }) => quoteId))
    }
  }
  return { answered, ended: Promise.allSettled(Array.from({ length: 4 }, ask)) }
}

/** Waits until the service quotes, which takes a busy one a while after its start. */
const untilQuoted = (url: string, body: Record<string, unknown>): Promise<true> =>
  eventually('the service quotes', async () => {
    const { body: answer } = await fetchJson<{ quotes?: WireQuote[] }>(`${url}/v1/rfq/quote`, body)
    return (answer.quotes ?? []).length > 0
  })

const stateOf = async (url: string, quoteId: string): Promise<string> =>
  (await fetchJson<{ state: string }>(`${url}/v1/rfq/status?quoteId=${quoteId}`)).body.state

/** Asserts that the service's database holds all of the quotes. */
const assertStored = async (quoteIds: readonly string[]): Promise<void> => {
  const store = await openSqliteStore({ directory: directory.path, log: QUIET })
  try {
    for (const quoteId of quoteIds) {
      assert.ok(isQuoteId(quoteId), quoteId)
      assert.ok((await store.findQuote(quoteId)) !== undefined, `${quoteId} is lost`)
    }
  } finally {
    await store.close()
  }
}

test(`after ${RUNS} kill -9 at random moments every answered quote is still stored`, async (context) => {
  const dice = createDice(seed)
  const answered: string[] = []
  let service = await start()
  const { tokens } = (await fetchJson<Tokens>(`${service.url}/v1/rfq/tokens?backend=gateway`)).body
  const [from, to] = [
    tokens[0],
    tokens.find((token) => token.chainId !== tokens[0]?.chainId && token.symbol.includes('USDC')),
  ]
  assert.ok(from && to)
  const party = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const body = requestBody({ from, to, amount: 50_000_000n }, party, party)
  for (let run = 0; run < RUNS; run += 1) {
    const delayMs = dice(200)
    await untilQuoted(service.url, body)
    const { answered: ids, ended } = hammer(service.url, body)
    await until(() => ids.length > 0)
    await delay(delayMs)
    await service.kill()
    await ended
    answered.push(...ids)
    service = await start()
    for (const quoteId of ids.slice(-20))
      assert.equal(
        await stateOf(service.url, quoteId),
        'AWAITING_DEPOSIT',
        `run ${run}, answer ${ids.indexOf(quoteId)} of ${ids.length}: ${quoteId}`,
      )
  }
  assert.ok(answered.length >= RUNS, `only ${answered.length} quotes were answered`)
  context.diagnostic(`${answered.length} quotes answered`)
  await service.stop()
  await assertStored(answered)
})
