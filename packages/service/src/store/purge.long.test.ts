import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import fc from 'fast-check'
import { testAnswer } from '../../test/test-quotes.ts'
import { readMigrations } from './migrations.ts'
import { createPurge } from './purge.ts'
import { quoteMethods } from './quote-rows.ts'
import type { Sql, StatementName } from './sql.ts'
import { STATEMENTS } from './statements.ts'

const THEN = 1_700_000_000_000
const DAY_MS = 86_400_000
const COMPACTING = { compactBefore: THEN + DAY_MS, dropBefore: THEN - DAY_MS }
const DROPPING = { compactBefore: THEN + 30 * DAY_MS, dropBefore: THEN + DAY_MS }
const ANSWERS = 300

const answers = Array.from({ length: ANSWERS }, (_, index) =>
  testAnswer(THEN + index * 1000, BigInt(index + 1)),
)
const quoteAt = (index: number) => {
  const quote = answers[index]?.[1]
  assert(quote !== undefined)
  return quote
}

/** A database in memory with all answers, shared by processes that run the statements of the store. */
const openDatabase = async () => {
  const database = new DatabaseSync(':memory:')
  for (const { sql } of readMigrations()) database.exec(sql)
  const prepare = (name: StatementName) => database.prepare(STATEMENTS[name].replaceAll(/\$([0-9]+)/g, '?$1'))
  const prepared = new Map<StatementName, ReturnType<typeof prepare>>()
  const statement = (name: StatementName) => {
    const known = prepared.get(name) ?? prepare(name)
    prepared.set(name, known)
    return known
  }
  const sql: Sql = {
    read: async (name, values) => statement(name).all(...values),
    change: async (name, values) => Number(statement(name).run(...values).changes),
  }
  const { saveQuotes } = quoteMethods(sql, async ({ first, last, createdAt, body, hash }) => {
    await sql.change('saveAnswer', [first, last, createdAt, body, hash])
  })
  for (const answer of answers) await saveQuotes(answer)
  const deposit = (index: number) =>
    sql.change('insertTransfer', [quoteAt(index).quoteId, `message ${index}`, 1, 1, '{}', null])
  const assertFound = async (indexes: Iterable<number>): Promise<void> => {
    const reader = quoteMethods(sql, () => Promise.reject(new Error('reads alone')))
    for (const index of indexes)
      assert.deepEqual(await reader.findQuote(quoteAt(index).quoteId), quoteAt(index), `answer ${index}`)
  }
  return { sql, deposit, assertFound, close: () => database.close() }
}

/** A process of the database, each of whose statements waits for its turn. */
const processOf = ({ read, change }: Sql, turn: (name: StatementName) => Promise<unknown>): Sql => ({
  read: async (name, values) => {
    await turn(name)
    return read(name, values)
  },
  change: async (name, values) => {
    await turn(name)
    return change(name, values)
  },
})

test('a deposit stays with its quote while a second process compacts what a first one has read', async () => {
  const { sql, deposit, assertFound, close } = await openDatabase()
  const reading = Promise.withResolvers<void>()
  const saving = Promise.withResolvers<void>()
  const slow = processOf(sql, async (name) => {
    if (name !== 'saveBundle') return
    reading.resolve()
    await saving.promise
  })
  const first = createPurge(slow)(COMPACTING)
  await reading.promise
  for (const index of [0, 50]) await deposit(index)
  await createPurge(sql)(COMPACTING)
  saving.resolve()
  await first
  await assertFound(answers.keys())
  close()
})

test('a deposit that comes between the saving of its bundle and the deletion of its answer leaves the answer', async () => {
  const { sql, deposit, close } = await openDatabase()
  const deposits = processOf(sql, async (name) => {
    if (name === 'dropBundled') await deposit(7)
  })
  await createPurge(deposits)(COMPACTING)
  const { quoteId } = quoteAt(7)
  const [row] = await sql.read('findAnswer', [quoteId])
  assert.equal(Object(row).last_quote_id, quoteId)
  close()
})

test('no quote is lost by purges of several processes, overlapping rounds, late deposits and kills, in any order', () =>
  fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.uniqueArray(fc.nat(ANSWERS - 1), { maxLength: 12 }),
      fc.array(fc.nat(14), { minLength: 1, maxLength: 2 }),
      fc.infiniteStream(fc.nat(ANSWERS - 1)),
      async (scheduler, named, kills, samples) => {
        const { sql, deposit, assertFound, close } = await openDatabase()
        const living = (): Sql => processOf(sql, (name) => scheduler.schedule(Promise.resolve(), name))
        const killedAfter = (statements: number): Sql => {
          let left = statements
          return processOf(sql, async (name) => {
            await scheduler.schedule(Promise.resolve(), name)
            left -= 1
            if (left < 0) throw new Error('killed')
          })
        }
        const raceOf = (ages: typeof COMPACTING) => {
          const purge = createPurge(living())
          return [
            purge(ages),
            purge(ages),
            createPurge(living())(ages),
            ...kills.map((statements) =>
              createPurge(killedAfter(statements))(ages).catch((error: unknown) => {
                assert.equal(Object(error).message, 'killed')
              }),
            ),
          ]
        }
        const deposits = named.map(async (index) => {
          await scheduler.schedule(Promise.resolve(), `deposit ${index}`)
          await deposit(index)
        })
        await scheduler.waitFor(Promise.all([...raceOf(COMPACTING), ...deposits]))
        await assertFound([...named, ...samples.take(20)])
        await scheduler.waitFor(Promise.all(raceOf(DROPPING)))
        await assertFound(named)
        close()
      },
    ),
    { numRuns: 40 },
  ))
