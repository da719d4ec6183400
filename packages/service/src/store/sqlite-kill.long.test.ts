import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testAnswer } from '../../test/test-quotes.ts'
import { isQuoteId } from '../core/quote-id.ts'
import { awaitingDeposit } from '../core/transfer.ts'
import { openSqliteStore } from './sqlite.ts'

const RUNS = Number(process.env['STORE_KILLS'] ?? 8)
const WRITERS = 16
const log = (): void => {}

/** Saves quotes and transfers in a loop and prints each id once it is durable. */
const writeUntilKilled = async (directory: string): Promise<void> => {
  const store = await openSqliteStore({ directory, log })
  const write = async (): Promise<void> => {
    for (;;) {
      const answer = testAnswer(Date.now(), BigInt(`0x${randomBytes(10).toString('hex')}`), 3)
      await store.saveQuotes(answer)
      for (const { quoteId } of answer) writeSync(1, `quote ${quoteId}\n`)
      const quoteId = answer[1]?.quoteId
      if (quoteId === undefined || randomInt(10) > 0) continue
      await store.saveTransfer({ ...awaitingDeposit(quoteId, 'm'), revision: 1 })
      writeSync(1, `transfer ${quoteId}\n`)
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
}

/** What a writer printed until it was killed `afterMs` after its start, or after its first line. */
const printedUntilKilled = async (directory: string, fromFirstLine: boolean, afterMs: number) => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(process.execPath, [import.meta.filename, 'write', directory], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    printed += chunk
  })
  if (fromFirstLine) await once(child.stdout, 'data', { signal: AbortSignal.timeout(10_000) })
  await sleep(afterMs)
  child.kill('SIGKILL')
  await closed
  return printed.split('\n').slice(0, -1)
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

/** A seeded random generator (mulberry32), so that a run can be reproduced. */
const randomFrom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const killedAtRandomMoments = (): void => {
  test(`${RUNS} kills at random moments lose no acknowledged quote or transfer`, async (context) => {
    const seed = Number(process.env['KILL_SEED'] ?? randomInt(2 ** 31))
    context.diagnostic(`KILL_SEED=${seed}`)
    const random = randomFrom(seed)
    const directory = mkdtempSync(join(tmpdir(), 'openrfq-kill-'))
    context.after(() => rmSync(directory, { recursive: true, force: true }))
    const all: string[] = []
    for (let run = 0; run < RUNS; run += 1) {
      const fromFirstLine = random() < 0.8
      const lines = await printedUntilKilled(directory, fromFirstLine, random() * (fromFirstLine ? 60 : 250))
      await verify(directory, lines)
      all.push(...lines)
    }
    assert.ok(all.length > 1000, `only ${all.length} were written`)
    await verify(directory, all)
    context.diagnostic(`${all.length} kept`)
  })
}

const [, , task, directory] = process.argv
if (task === 'write' && directory !== undefined) await writeUntilKilled(directory)
else killedAtRandomMoments()
