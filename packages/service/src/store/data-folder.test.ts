import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { prepareDataFile } from './data-folder.ts'

const ROOT = 0
const NOBODY = 65_534

/** Runs synchronous work as a user who may not write everywhere. */
const withoutPrivileges = (work: () => void): void => {
  if (process.geteuid?.() !== ROOT) {
    work()
    return
  }
  process.seteuid?.(NOBODY)
  try {
    work()
  } finally {
    process.seteuid?.(ROOT)
  }
}

test('rejects a folder that this user cannot write, by name', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'openrfq-folder-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  const locked = join(folder, 'locked')
  mkdirSync(locked, { mode: 0o555 })
  withoutPrivileges(() => {
    const refusal = { code: 'not_writable', message: `the folder ${locked} cannot be written by this user` }
    assert.throws(() => prepareDataFile(locked, 'database'), refusal)
  })
})

test('creates a folder with its parents, and uses an existing one', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'openrfq-folder-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const nested = join(folder, 'one', 'two')
  assert.equal(prepareDataFile(nested, 'database'), join(nested, 'database'))
  assert.equal(prepareDataFile(nested, 'database'), join(nested, 'database'))
  const file = join(nested, 'database')
  assert.throws(() => prepareDataFile(file, 'database'), { code: 'not_a_folder' })
  assert.throws(() => prepareDataFile(join(file, 'below'), 'database'), { code: 'not_a_folder' })
})

test('rejects a folder that the system cannot create at once', {
  skip: process.platform !== 'linux',
}, () => {
  for (const folder of ['/proc/openrfq', '/proc/openrfq/below'])
    assert.throws(() => prepareDataFile(folder, 'database'), {
      code: 'not_writable',
      message: `the folder ${folder} cannot be made there`,
    })
})
