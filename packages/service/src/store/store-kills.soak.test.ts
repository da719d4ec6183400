import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { seeded } from '../../test/seeded.ts'
import { openSoak } from '../../test/soak.ts'
import { testAnswer } from '../../test/test-quotes.ts'
import { isQuoteId } from '../core/quote-id.ts'
import { awaitingDeposit } from '../core/transfer.ts'
import { openSqliteStore } from './sqlite.ts'

const WRITERS = 16
const log = (): void => {}

const LINES = 'lines'

/** Saves quotes and transfers in a loop, and writes each id to a file once it is durable. */
const writeUntilKilled = async (directory: string): Promise<void> => {
  const lines = openSync(join(directory, LINES), 'w')
  const store = await openSqliteStore({ directory, log })
  let hasSaid = false
  const tell = (line: string): void => {
    writeSync(lines, `${line}\n`)
    if (!hasSaid) writeSync(1, '.')
    hasSaid = true
  }
  const write = async (): Promise<void> => {
    for (;;) {
      const answer = testAnswer(Date.now(), BigInt(`0x${randomBytes(10).toString('hex')}`), 3)
      await store.saveQuotes(answer)
      for (const { quoteId } of answer) tell(`quote ${quoteId}`)
      const quoteId = answer[1]?.quoteId
      if (quoteId === undefined || randomInt(10) > 0) continue
      await store.saveTransfer({ ...awaitingDeposit(quoteId, 'm'), revision: 1 })
      tell(`transfer ${quoteId}`)
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
}

/** The lines of a writer that is killed `afterMs` after its start, or after its first line. */
const linesUntilKilled = async (directory: string, fromFirstLine: boolean, afterMs: number) => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(process.execPath, [import.meta.filename, 'write', directory], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  if (fromFirstLine) await Promise.race([once(child.stdout, 'data'), closed])
  await sleep(afterMs)
  child.kill('SIGKILL')
  const [, signal] = await closed
  assert.equal(signal, 'SIGKILL', 'the writer ended by itself')
  const file = join(directory, LINES)
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
}

const verify = async (directory: string, lines: readonly string[]): Promise<void> => {
  const store = await openSqliteStore({ directory, log })
  try {
    for (const line of lines) {
      const [kind, id = ''] = line.split(' ')
      assert(isQuoteId(id), `not a quote id: ${line}`)
      const found = kind === 'quote' ? await store.findQuote(id) : await store.findTransfer(id, 'm')
      assert.equal(found?.quoteId, id, `lost: ${line}`)
    }
  } finally {
    await store.close()
  }
}

const killedAtRandomMoments = (): void => {
  const { seed, of } = openSoak()
  const kills = of(100)
  test(`${kills} kills at random moments lose no acknowledged quote or transfer`, async (context) => {
    const random = seeded(seed)
    const directory = mkdtempSync(join(tmpdir(), 'openrfq-kill-'))
    context.after(() => rmSync(directory, { recursive: true, force: true }))
    const all: string[] = []
    for (let run = 0; run < kills; run += 1) {
      const fromFirstLine = random() < 0.8
      const lines = await linesUntilKilled(directory, fromFirstLine, random() * (fromFirstLine ? 60 : 250))
      await verify(directory, lines)
      all.push(...lines)
    }
    assert.ok(all.length > kills, `only ${all.length} were written`)
    await verify(directory, all)
    context.diagnostic(`${all.length} kept`)
  })
}

const [, , task, directory] = process.argv
if (task === 'write' && directory !== undefined) await writeUntilKilled(directory)
else killedAtRandomMoments()
