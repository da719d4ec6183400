import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { rfq } from '../../test/rfq-process.ts'
import { openSqliteStore } from '../store/sqlite.ts'

test('rfq backup copies the store of a running service, and says what to do where it cannot', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'openrfq-backup-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const [DATA_DIR, to] = [join(folder, 'data'), join(folder, 'copy')]
  const environment = { DATA_DIR, DATABASE_URL: '', RFQ_CONFIG: '' }
  const early = await rfq(['backup', '--to', to], environment)
  assert.equal(early.code, 1)
  assert.match(early.notes, /There is no openrfq\.sqlite in the folder .*data\. Set DATA_DIR/)
  const store = await openSqliteStore({ directory: DATA_DIR, log: () => undefined })
  context.after(store.close)
  const made = await rfq(['backup', '--to', to, '--json'], environment)
  assert.equal(made.code, 0, made.notes)
  assert.equal(JSON.parse(made.output).file, join(to, 'openrfq.sqlite'))
  const again = await rfq(['backup', '--to', to], environment)
  assert.equal(again.code, 1)
  assert.match(again.notes, /exists already\. Name another folder/)
  const postgres = { ...environment, DATABASE_URL: 'postgres://localhost/none' }
  const refused = await rfq(['backup', '--to', to], postgres)
  assert.equal(refused.code, 2)
  assert.match(refused.notes, /pg_dump/)
})
