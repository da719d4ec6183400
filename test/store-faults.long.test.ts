import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, type TestContext, test } from 'node:test'
import { eventually } from 'openrfq/test/eventually.ts'
import { fetchJson, type WireQuote, type WireStatus } from 'openrfq/test/wallet.ts'
import {
  accountAt,
  CHAINS,
  requestBody,
  type SandboxService,
  startSandboxService,
  temporaryDirectory,
  tokenOn,
} from './sandbox-service.ts'

/**
 * The store's faults under the real service. The full disk is a limit of the size of the process's files, which needs no
 * rights; the read-only folder is a file system of its own.
 */
const directory = temporaryDirectory()
let world: SandboxService
before(async () => {
  world = await startSandboxService({ DATA_DIR: directory.path, LOG_LEVEL: 'info' })
})
after(async () => {
  await world.stop()
  directory.remove()
})

type Fault = {
  /** Begins the fault; returns what ends it. */
  readonly begin: () => () => void
  /** What the log says of it. */
  readonly cause: RegExp
}

const databaseFile = (): string => join(directory.path, 'sandbox', 'openrfq.sqlite')

const limitFiles = (bytes: string): void => {
  const { status, stderr } = spawnSync(
    'prlimit',
    ['--pid', String(world.service.processId), `--fsize=${bytes}:unlimited`],
    { encoding: 'utf8' },
  )
  assert.equal(status, 0, stderr)
}

const FAULTS: Readonly<Record<string, Fault>> = {
  'a locked table': {
    begin: () => {
      const other = new DatabaseSync(databaseFile())
      other.exec('begin immediate')
      return () => other.close()
    },
    cause: /database is locked/,
  },
  'a disk without room for a row': {
    begin: () => {
      limitFiles('4096')
      return () => limitFiles('unlimited')
    },
    cause: /disk/,
  },
}

const ask = (): Promise<{ status: number; body: { quotes?: WireQuote[]; error?: { code: string } } }> => {
  const trade = {
    from: tokenOn(world, CHAINS.a, 'gateway', /USDC/),
    to: tokenOn(world, CHAINS.b, 'gateway', /USDC/),
    amount: 25_000_000n,
  }
  const body = requestBody(trade, accountAt(world, 0).address, accountAt(world, 1).address)
  return fetchJson(`${world.service.url}/v1/rfq/quote`, body)
}

const readiness = (): Promise<{ status: number; body: { missing: string[] } }> =>
  fetchJson(`${world.service.url}/readyz`)

/** Asks for quotes until one answer fails or succeeds as wanted. Returns the ids of all that were answered. */
const askUntil = async (isGood: boolean): Promise<readonly string[]> => {
  const ids: string[] = []
  await eventually(`an answer that ${isGood ? 'succeeds' : 'fails'}`, async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, ask))
    for (const { status, body } of answers) {
      if (status === 200) ids.push(...(body.quotes ?? []).map(({ quoteId }) => quoteId))
      else assert.deepEqual([status, body.error?.code], [500, 'INTERNAL_ERROR'])
    }
    // An answer without quotes was not written, so it says nothing about the store.
    return answers.some(({ status, body }) => (isGood ? body.quotes?.length : status !== 200))
  })
  return ids
}

for (const [name, { begin, cause }] of Object.entries(FAULTS))
  test(`${name}: /readyz and the log name it, and every answered quote is found afterwards`, async () => {
    const answered = [...(await askUntil(true))]
    await eventually('/readyz names nothing', async () => (await readiness()).status === 200)
    const said = world.service.stderr().length
    const end = begin()
    try {
      answered.push(...(await askUntil(false)))
      await eventually('/readyz names the store', async () => {
        const { status, body } = await readiness()
        return status === 503 && body.missing.includes('store')
      })
      const line = await eventually('the log names the store', () =>
        world.service
          .stderr()
          .slice(said)
          .split('\n')
          .find((text) => text.includes('store_write_failed')),
      )
      assert.match(line, cause)
    } finally {
      end()
    }
    await eventually('/readyz names nothing', async () => (await readiness()).status === 200)
    answered.push(...(await askUntil(true)))
    for (const quoteId of answered) {
      const { body } = await fetchJson<WireStatus>(`${world.service.url}/v1/rfq/status?quoteId=${quoteId}`)
      assert.equal(body.state, 'AWAITING_DEPOSIT', quoteId)
    }
  })

test('a read-only folder ends the start with a sentence that names folder and cause', (context: TestContext) => {
  const folder = temporaryDirectory()
  context.after(folder.remove)
  const mounted = 'mount -t tmpfs -o ro tmpfs "$1" || exit 77; shift; exec "$@"'
  const start = ['sh', '-c', mounted, 'sh', folder.path, process.execPath, ...process.execArgv]
  const { status, stderr } = spawnSync('unshare', ['-rm', ...start, 'packages/sandbox/src/main.ts'], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, DATA_DIR: folder.path, PORT: '0' },
    encoding: 'utf8',
  })
  if (status === null || status === 77 || /^unshare/.test(stderr)) {
    context.skip('no file system can be mounted here')
    return
  }
  assert.equal(status, 1)
  assert.match(stderr, /cannot start: The folder \S+ lies on a file system that is read-only\. /)
  assert.ok(stderr.includes(folder.path))
})
