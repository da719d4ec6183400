import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, type TestContext, test } from 'node:test'
import pg from 'pg'
import { postgresBinaries, startPrivatePostgres } from '../../test/private-postgres.ts'
import { baseUnits } from '../core/amount.ts'
import type { Binding } from '../core/offer.ts'
import { firstQuoteId, type QuoteId, quoteIds, quoteNumber } from '../core/quote-id.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import { openPostgresStore } from './postgres.ts'
import { DATABASE_FILE, openSqliteStore } from './sqlite.ts'
import type { Store } from './store.ts'

const DAY_MS = 86_400_000
const NOW = 1_790_000_000_000
const ANSWERS = 6_400
const MOST_BYTES = 200
const QUOTES_PER_HOUR = 360_000
const log = (): void => {}

const hex = (bytes: number): string => `0x${randomBytes(bytes).toString('hex')}`
const digits = (count: number): string => String(randomInt(10 ** (count - 1), 10 ** count))
const CONTRACTS = Array.from({ length: 20 }, () => hex(20))
const contract = (index: number): string => CONTRACTS[index] ?? ''
const path = (index: number): string => `${contract(index)}0001f4${contract(index + 1).slice(2)}`

/** What a backend over the router stores with a quote. */
const routed = (seconds: number): Binding => ({
  sourceChainId: '1',
  sourceGateway: contract(0),
  sourceRouter: contract(3),
  sourceBridge: contract(4),
  destinationAxelarChain: 'Avalanche',
  destinationGateway: contract(2),
  destinationSymbol: 'axlUSDC',
  destinationBridge: contract(5),
  destinationGasService: contract(6),
  salt: hex(32),
  deadlineSeconds: seconds + 600,
  inputPath: path(7),
  symbol: 'axlUSDC',
  minimumBridgeAmount: digits(8),
  destinationChainId: '43114',
  outputPath: path(9),
  sourceAxelarChain: 'Ethereum',
  keeper: contract(13),
  executor: contract(14),
  priorityUntilSeconds: seconds + 120,
  returnAfterSeconds: seconds + 9_000,
  sourceBlock: Math.floor(seconds / 12),
})

/** What each backend stores with a quote, of the sizes that mainnet has. */
const BINDINGS: Readonly<Record<string, (quoteId: QuoteId, seconds: number) => Binding>> = {
  its: (_, seconds) => ({
    sourceBlock: Math.floor(seconds / 12),
    tokenId: `0x${'ab'.repeat(32)}`,
    sourceAxelarChain: 'Ethereum',
    sourceGateway: contract(0),
    sourceIts: contract(1),
    destinationAxelarChain: 'Avalanche',
    destinationIts: contract(1),
    hubChain: 'axelar',
    hubAddress: 'axelar157hl7gpuknjmhtac2qnphuazv2yerfagva7lsu9vuj2pgn32z22qa26dk4',
    gasValue: digits(14),
  }),
  gateway: (_, seconds) => ({ ...routed(seconds), inputPath: '0x', outputPath: '0x' }),
  'gateway-express': (_, seconds) => routed(seconds),
  intent: (quoteId, seconds) => ({
    orderId: hex(32),
    salt: `0x${quoteNumber(quoteId).toString(16).padStart(32, '0')}${hex(16).slice(2)}`,
    sourceSettler: contract(11),
    destinationSettler: contract(11),
    openDeadline: seconds + 60,
    fillDeadline: seconds + 360,
    refundAfter: seconds + 3_960,
    solver: contract(12),
    filler: contract(13),
    attester: contract(14),
  }),
}

/** Of an account of its own, a hundredth of a second after the one before. */
const answerOf = (backends: readonly string[], index: number): readonly QuoteRecord[] => {
  const createdAt = NOW + index * 10
  const first = firstQuoteId(createdAt, BigInt(hex(10)))
  const [sender, recipient] = [hex(20), hex(20)]
  return quoteIds(first, backends.length).map((quoteId, position) => {
    const backend = backends[position] ?? ''
    const output = baseUnits(BigInt(digits(9)))
    return {
      quoteId,
      backend,
      backendName: `The name of ${backend}`,
      createdAt,
      quoteExpiresAt: createdAt + 60_000,
      ...(backend === 'intent' ? { fulfillmentDeadline: createdAt + 360_000 } : {}),
      estimatedTimeSeconds: 1_020,
      orderType: 'EXACT_INPUT',
      fromChain: 'eip155:1',
      fromToken: contract(15),
      toChain: 'eip155:43114',
      toToken: contract(16),
      sender,
      recipient,
      input: baseUnits(BigInt(digits(9))),
      output,
      minimumOutput: backend === 'gateway-express' ? baseUnits(BigInt(digits(9))) : output,
      binding: BINDINGS[backend]?.(quoteId, Math.floor(createdAt / 1000)) ?? {},
    }
  })
}

const CASES = [
  ['intent', 'gateway-express', 'gateway'],
  ['its'],
  ['gateway'],
  ['gateway-express'],
  ['intent'],
] as const

type Measured = { readonly store: Store; readonly bytes: () => Promise<number> }

const inSqlite = async (context: TestContext): Promise<Measured> => {
  const directory = mkdtempSync(join(tmpdir(), 'openrfq-bytes-'))
  context.after(() => rmSync(directory, { recursive: true, force: true }))
  const store = await openSqliteStore({ directory, log })
  const pragma = (database: DatabaseSync, name: string): number =>
    Number(database.prepare(`pragma ${name}`).get()?.[name])
  return {
    store,
    /** Of all pages in use. */
    bytes: async () => {
      const database = new DatabaseSync(join(directory, DATABASE_FILE), { readOnly: true })
      const pages = pragma(database, 'page_count') - pragma(database, 'freelist_count')
      const size = pragma(database, 'page_size')
      database.close()
      return pages * size
    },
  }
}

const inPostgres = async (context: TestContext): Promise<Measured> => {
  const server = await startPrivatePostgres(postgresBinaries() ?? '')
  context.after(() => server.stop())
  const store = await openPostgresStore({ url: server.url, log })
  return {
    store,
    /** Of both tables with their indexes, rewritten without the space that deleted rows leave to later ones. */
    bytes: async () => {
      const client = new pg.Client({ connectionString: server.url })
      await client.connect()
      await client.query('vacuum full quote_answers')
      const { rows } = await client.query(
        "select pg_total_relation_size('quote_answers') + pg_total_relation_size('quote_bundles') as bytes",
      )
      await client.end()
      return Number(rows[0].bytes)
    },
  }
}

/** Saves the answers, ages them by a day, and returns the bytes per quote before and after. */
const measure = async ({ store, bytes }: Measured, backends: readonly string[]) => {
  const empty = await bytes()
  for (let start = 0; start < ANSWERS; start += 640)
    await Promise.all(
      Array.from({ length: 640 }, (_, index) => store.saveQuotes(answerOf(backends, start + index))),
    )
  const quotes = ANSWERS * backends.length
  const before = ((await bytes()) - empty) / quotes
  await store.purgeQuotes({ compactBefore: NOW + 2 * DAY_MS, dropBefore: NOW - 28 * DAY_MS })
  const compacted = ((await bytes()) - empty) / quotes
  await store.close()
  return { before, compacted }
}

const megabytesPerHour = (bytes: number): string => ((bytes * QUOTES_PER_HOUR) / 1e6).toFixed(0)

const suite = (open: (context: TestContext) => Promise<Measured>): void => {
  for (const backends of CASES)
    test(`a quote of ${backends.join(', ')} takes at most ${MOST_BYTES} bytes after a day`, async (context) => {
      const { before, compacted } = await measure(await open(context), backends)
      context.diagnostic(
        `${before.toFixed(0)} bytes a quote, ${compacted.toFixed(0)} after a day; at 100 quotes a second ` +
          `${megabytesPerHour(before)} MB an hour, ${megabytesPerHour(compacted)} after a day`,
      )
      assert.ok(compacted <= MOST_BYTES, `${compacted} bytes a quote`)
    })
}

describe('SQLite', () => suite(inSqlite))
describe(
  'PostgreSQL',
  {
    skip: postgresBinaries() === undefined && 'PostgreSQL is not installed: no initdb and postgres',
  },
  () => suite(inPostgres),
)
