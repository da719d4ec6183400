import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { eventually } from '../../test/eventually.ts'
import { postgresBinaries, startPrivatePostgres } from '../../test/private-postgres.ts'
import { testAnswer } from '../../test/test-quotes.ts'
import { describePostgres } from '../../test/with-postgres.ts'
import { BEGIN_BUNDLE, openPostgresStore } from './postgres.ts'
import { BUNDLE_SIZE } from './statements.ts'
import type { StoredPayout } from './store.ts'
import { StoreError } from './store-error.ts'

const NOW = 1_790_000_000_000
const log = (): void => {}
const binaries = postgresBinaries()

const folderOf = (url: string): string => new URL(url).searchParams.get('host') ?? ''
const payoutOf = (key: string): StoredPayout => ({
  key,
  chainId: 'solana:test',
  sender: 'vault',
  recipient: 'recipient',
  token: 'token',
  amount: 1n,
  memo: `0x${'1'.repeat(64)}`,
  notAfterSeconds: undefined,
  txHash: `signature of ${key}`,
  earlierTxHashes: [],
  rawTransaction: key,
  signedAt: NOW,
  outcome: 'open',
})

describePostgres((server) => {
  test('processes that start together on an empty database create one schema and share it', async () => {
    const stores = await Promise.all(
      Array.from({ length: 4 }, () => openPostgresStore({ url: server().url, log })),
    )
    const answer = testAnswer(NOW, 1n)
    await stores[0]?.saveQuotes(answer)
    for (const store of stores)
      assert.deepEqual(await store.findQuote(answer[1]?.quoteId ?? 'quote_'), answer[1])
    await Promise.all(stores.map((store) => store.close()))
  })

  test('reconnects to a server that was away', async () => {
    const store = await openPostgresStore({ url: server().url, log })
    const [early, late] = [testAnswer(NOW, 100n), testAnswer(NOW, 200n)]
    await store.saveQuotes(early)
    await server().restart()
    await assert.doesNotReject(async () => {
      // A lost connection may only show in the next query.
      await store.ping().catch(() => store.ping())
      await store.saveQuotes(late)
    })
    await store.close()
    const reopened = await openPostgresStore({ url: server().url, log })
    for (const quote of [...early, ...late]) assert.deepEqual(await reopened.findQuote(quote.quoteId), quote)
    await reopened.close()
  })

  test('stores no signature in a database that replaced the one it was opened with', async (context) => {
    const [first, second] = [
      await startPrivatePostgres(binaries ?? ''),
      await startPrivatePostgres(binaries ?? ''),
    ]
    context.after(() => Promise.all([first.stop(), second.stop()]))
    await (await openPostgresStore({ url: second.url, log })).close()
    const folder = mkdtempSync(join(tmpdir(), 'openrfq-address-'))
    context.after(() => rmSync(folder, { recursive: true }))
    const address = join(folder, 'current')
    symlinkSync(folderOf(first.url), address)
    const lines: string[] = []
    const store = await openPostgresStore({
      url: first.url.replace(encodeURIComponent(folderOf(first.url)), encodeURIComponent(address)),
      log: (level, event) => lines.push(`${level} ${event}`),
    })
    context.after(store.close)
    assert.equal(await store.addPayout(payoutOf('before')), true)
    assert.equal(await store.addPayout(payoutOf('before')), false)
    await first.restart()
    await store.ping().catch(() => undefined)
    assert.equal(
      await store.addPayout(payoutOf('restarted')).catch(() => store.addPayout(payoutOf('restarted'))),
      true,
    )
    rmSync(address)
    symlinkSync(folderOf(second.url), address)
    await first.stop()
    await eventually('the store is connected to the other database', async () =>
      store.findPayout('before').then(
        (found) => found === undefined,
        () => false,
      ),
    )
    await assert.rejects(store.addPayout(payoutOf('after')), { code: 'replaced' })
    await assert.rejects(store.ping(), { code: 'replaced' })
    assert.equal(await store.findPayout('after'), undefined)
    assert.equal(lines.filter((line) => line === 'error database_replaced').length, 1)
  })

  test('a read-only database does not answer a ping', async () => {
    const client = new pg.Client({ connectionString: server().url })
    await client.connect()
    const store = await openPostgresStore({ url: server().url, log })
    await client.query('alter role openrfq set default_transaction_read_only = on')
    await assert.rejects(store.ping())
    await client.query(
      'set transaction_read_only = off; alter role openrfq reset default_transaction_read_only',
    )
    await client.end()
    await store.close()
  })

  test('a locked table ends pings once a quote could not be saved, until it is free', async () => {
    const client = new pg.Client({ connectionString: server().url })
    await client.connect()
    const store = await openPostgresStore({ url: server().url, log })
    await client.query('begin; lock table quote_answers in access exclusive mode')
    await store.ping()
    await assert.rejects(store.saveQuotes(testAnswer(NOW, 300n)), /timeout/)
    await assert.rejects(store.ping(), /timeout/)
    await client.query('rollback')
    await client.end()
    await store.ping()
    await store.close()
  })

  test('a purge waits for a bundle that another process saves, and saves none that overlaps it', async () => {
    const store = await openPostgresStore({ url: server().url, log })
    const then = 1_600_000_000_000
    const answers = Array.from({ length: BUNDLE_SIZE }, (_, index) =>
      testAnswer(then + index * 1000, BigInt(index + 1)),
    )
    await Promise.all(answers.map(store.saveQuotes))
    const client = new pg.Client({ connectionString: server().url })
    await client.connect()
    await client.query(BEGIN_BUNDLE)
    await client.query(
      "insert into quote_bundles (first_quote_id, last_quote_id, terms, body) values ($1, $2, ' - ', '')",
      [answers[1]?.[0]?.quoteId, answers[2]?.[1]?.quoteId],
    )
    const ages = { compactBefore: then + 86_400_000, dropBefore: then }
    let ended = false
    // On a busy machine the wait may exceed its deadline; the next purge then decides.
    const purging = store
      .purgeQuotes(ages)
      .catch(() => undefined)
      .finally(() => {
        ended = true
      })
    const isWaiting = "select 1 from pg_locks where not granted and locktype = 'advisory'"
    await eventually(
      'a purge that waits',
      async () => ended || (await client.query(isWaiting)).rowCount === 1,
    )
    await client.query('commit')
    await purging
    await store.purgeQuotes(ages)
    assert.equal((await client.query('select 1 from quote_bundles')).rowCount, 1)
    for (const quote of answers.flat()) assert.deepEqual(await store.findQuote(quote.quoteId), quote)
    await client.query('delete from quote_bundles')
    await client.end()
    await store.close()
  })

  test('rejects data of another version by name', async () => {
    const client = new pg.Client({ connectionString: server().url })
    await client.connect()
    const database = URL.parse(server().url)?.pathname.slice(1) ?? ''
    const cases = [
      ["update schema_migrations set hash = 'other'", 'schema_changed', 'changed after it ran'],
      [
        "insert into schema_migrations values ('0003-ledger-payments.sql', '')",
        'schema_too_old',
        'before 0.2.0',
      ],
      [
        "delete from schema_migrations; insert into schema_migrations values ('0999-later.sql', '')",
        'schema_too_new',
        'later version',
      ],
    ] as const
    for (const [sql, code, text] of cases) {
      await client.query(sql)
      await assert.rejects(openPostgresStore({ url: server().url, log }), (error: unknown) => {
        assert(error instanceof StoreError)
        assert.equal(error.code, code)
        for (const part of [text, database]) assert.ok(error.message.includes(part), error.message)
        return true
      })
    }
    await client.end()
  })

  test('rejects in time when the server does not exist', async () => {
    await assert.rejects(
      openPostgresStore({ url: 'postgres://openrfq@127.0.0.1:1/postgres', log }),
      /ECONNREFUSED/,
    )
  })
})
