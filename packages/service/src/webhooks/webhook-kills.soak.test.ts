import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../test/eventually.ts'
import { startLocalServer } from '../../test/local-server.ts'
import { seeded } from '../../test/seeded.ts'
import { openSoak } from '../../test/soak.ts'
import { testAnswer } from '../../test/test-quotes.ts'
import { awaitingDeposit } from '../core/transfer.ts'
import { openSqliteStore } from '../store/sqlite.ts'
import type { Store } from '../store/store.ts'
import { createNotifier, type Notifier } from './notifier.ts'
import { Webhook } from './webhook.ts'

const NAME = 'shop'
const LINES = 'lines'
const WRITERS = 8
const CHANGES = 3
/** Longer than a claim, and than the pauses of the few attempts that fail: each life begins without a waiting delivery. */
const BETWEEN_LIVES_MS = 600_000
const log = (): void => {}

const notifierOf = (store: Store, url: string, aheadMs: number): Notifier => {
  const secrets = [`whsec_${randomBytes(32).toString('base64')}`]
  const webhook = Webhook.parse({ url, secrets, privateAddresses: true })
  return createNotifier({ store, name: NAME, webhook, now: () => Date.now() + aheadMs, log })
}

/** Saves changes of transfers and tells them, and writes each to a file once it is durable. */
const tellUntilKilled = async (directory: string, url: string, aheadMs: number): Promise<void> => {
  const lines = openSync(join(directory, LINES), 'a')
  const store = await openSqliteStore({ directory, log })
  const { start, wake } = notifierOf(store, url, aheadMs)
  await start()
  const write = async (): Promise<void> => {
    for (;;) {
      const [quote] = testAnswer(Date.now(), BigInt(`0x${randomBytes(10).toString('hex')}`), 1)
      assert(quote !== undefined)
      const { quoteId } = quote
      for (let revision = 1; revision <= CHANGES; revision += 1) {
        const body = JSON.stringify({ quoteId, revision })
        const eventId = `msg_${randomBytes(12).toString('hex')}`
        const news = { eventId, body, createdAt: Date.now() + aheadMs, webhooks: [NAME] as const }
        const transfer = { ...awaitingDeposit(quoteId, ''), revision, state: 'PENDING' } as const
        assert.equal(await store.saveTransfer(transfer, news), true)
        writeSync(lines, `${body}\n`)
        wake()
      }
      writeSync(1, '.')
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
}

const liveAndDie = async (
  directory: string,
  url: string,
  aheadMs: number,
  afterMs: number,
): Promise<void> => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(process.execPath, [import.meta.filename, 'tell', directory, url, `${aheadMs}`], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  await Promise.race([once(child.stdout, 'data'), closed])
  child.stdout.resume()
  await sleep(afterMs)
  child.kill('SIGKILL')
  const [, signal] = await closed
  assert.equal(signal, 'SIGKILL', 'the process ended by itself')
}

/** What a receiver was told of each transfer, and whether it was told a change before the one before it. */
const createBook = () => {
  const revisions = new Map<string, number>()
  let repeated = 0
  return {
    accept: (body: string): void => {
      const { quoteId, revision } = JSON.parse(body)
      const known = revisions.get(quoteId) ?? 0
      assert.ok(revision <= known + 1, `revision ${revision} of ${quoteId} after ${known}`)
      if (revision <= known) repeated += 1
      revisions.set(quoteId, Math.max(known, revision))
    },
    knows: (body: string): boolean => {
      const { quoteId, revision } = JSON.parse(body)
      return (revisions.get(quoteId) ?? 0) >= revision
    },
    repeated: () => repeated,
  }
}

const killedAtRandomMoments = (): void => {
  const { seed, of } = openSoak()
  const kills = of(50)
  test(`${kills} kill -9 of a process with webhooks lose no change and tell none before an earlier one`, async (context) => {
    const random = seeded(seed)
    const directory = mkdtempSync(join(tmpdir(), 'openrfq-webhook-kill-'))
    context.after(() => rmSync(directory, { recursive: true, force: true }))
    const book = createBook()
    const faults: unknown[] = []
    const receiver = await startLocalServer(({ body }, response) => {
      if (random() < 0.05) return void response.writeHead(500).end()
      try {
        book.accept(body)
      } catch (error) {
        faults.push(error)
      }
      // Some answers are lost.
      if (random() < 0.02) response.destroy()
      else response.writeHead(204).end()
    })
    context.after(receiver.stop)
    for (let run = 0; run < kills; run += 1)
      await liveAndDie(directory, receiver.url, run * BETWEEN_LIVES_MS, random() * 300)
    const saved = readFileSync(join(directory, LINES), 'utf8').split('\n').slice(0, -1)
    assert.ok(saved.length > kills * CHANGES, `only ${saved.length} changes were saved`)
    const store = await openSqliteStore({ directory, log })
    context.after(store.close)
    for (let run = kills; ; run += 1) {
      const last = notifierOf(store, receiver.url, run * BETWEEN_LIVES_MS)
      await last.start()
      await until(
        async () =>
          (await store.listDueNotifications(NAME, Date.now() + run * BETWEEN_LIVES_MS, 1)).length === 0,
      )
      await last.stop()
      if ((await store.listNotifications(NAME, 'pending', 1)).length === 0) break
    }
    assert.deepEqual(faults, [])
    assert.deepEqual(
      saved.filter((body) => !book.knows(body)),
      [],
    )
    context.diagnostic(`${saved.length} changes told, ${book.repeated()} of them twice`)
  })
}

const [, , task, directory, url, aheadMs] = process.argv
if (task === 'tell' && directory !== undefined && url !== undefined)
  await tellUntilKilled(directory, url, Number(aheadMs))
else killedAtRandomMoments()
