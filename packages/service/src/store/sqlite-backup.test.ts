import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { testAnswer } from '../../test/test-quotes.ts'
import { isQuoteId, type QuoteId } from '../core/quote-id.ts'
import { openSqliteStore } from './sqlite.ts'
import { backUpSqliteStore } from './sqlite-backup.ts'

const NOW = 1_790_000_000_000
const log = (): void => {}

const newFolder = (context: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'openrfq-backup-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Saves quotes without an end, and prints the id of each saved one. */
const writeUntilKilled = async (directory: string): Promise<void> => {
  const store = await openSqliteStore({ directory, log })
  for (let count = 1n; ; count += 1n) {
    const answer = testAnswer(NOW + Number(count), count << 16n)
    await store.saveQuotes(answer)
    process.stdout.write(`${answer[0]?.quoteId}\n`)
  }
}

const startWriter = (context: TestContext, directory: string) => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(process.execPath, [...process.execArgv, import.meta.filename, 'write', directory], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  const saved: QuoteId[] = []
  createInterface(child.stdout).on('line', (line) => {
    if (isQuoteId(line)) saved.push(line)
  })
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await closed
  }
  context.after(kill)
  return { saved, kill }
}

/** How many of the quotes a copy of the store lacks. */
const missingIn = async (directory: string, quoteIds: readonly QuoteId[]): Promise<number> => {
  const store = await openSqliteStore({ directory, log })
  try {
    const found = await Promise.all(quoteIds.map(store.findQuote))
    return found.filter((quote) => quote === undefined).length
  } finally {
    await store.close()
  }
}

const tests = (): void => {
  test('a backup taken under load has everything that was answered before it, also after the process is killed', async (context) => {
    const folder = newFolder(context)
    const { saved, kill } = startWriter(context, join(folder, 'data'))
    const backups: { readonly to: string; readonly before: readonly QuoteId[] }[] = []
    for (let count = 1; count <= 3; count += 1) {
      await eventually('more quotes are saved', async () => saved.length > count * 50)
      const [to, before] = [join(folder, `backup-${count}`), [...saved]]
      assert.ok(backUpSqliteStore(join(folder, 'data'), to).bytes > 0)
      backups.push({ to, before })
    }
    const { length } = saved
    await eventually('the writer goes on', async () => saved.length > length)
    await kill()
    for (const { to, before } of backups) {
      assert.equal(await missingIn(to, before), 0)
      assert.equal(statSync(join(to, 'openrfq.sqlite')).mode & 0o077, 0)
    }
    assert.equal(await missingIn(join(folder, 'data'), saved), 0)
  })

  test('a backup overwrites no file, and a failed one leaves none', async (context) => {
    const folder = newFolder(context)
    const data = join(folder, 'data')
    assert.throws(() => backUpSqliteStore(data, join(folder, 'none')), { code: 'no_store' })
    assert.ok(!existsSync(join(folder, 'none')))
    await (await openSqliteStore({ directory: data, log })).close()
    assert.throws(() => backUpSqliteStore(data, data), { code: 'backup_exists' })
    const damaged = join(folder, 'damaged')
    mkdirSync(damaged)
    writeFileSync(join(damaged, 'openrfq.sqlite'), 'no database')
    assert.throws(() => backUpSqliteStore(damaged, join(folder, 'copy')), { code: 'damaged' })
    assert.deepEqual(readdirSync(join(folder, 'copy')), [])
    backUpSqliteStore(data, join(folder, 'copy'))
    assert.deepEqual(readdirSync(join(folder, 'copy')), ['openrfq.sqlite'])
  })
}

const [, , task, directory] = process.argv
if (task === 'write' && directory !== undefined) await writeUntilKilled(directory)
else tests()
