import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openOwnedFolder } from './owned-folder.ts'

const NAME = `openrfq-owned-${process.pid}`

/** The id of a process that has just ended. */
const endedProcess = (): number => spawnSync(process.execPath, ['--eval', '']).pid

test('remove deletes a folder and may be called twice', () => {
  const { path, remove } = openOwnedFolder(NAME)
  writeFileSync(join(path, 'file'), 'content')
  remove()
  remove()
  assert.equal(existsSync(path), false)
})

test('opening a folder deletes those of ended processes only', (context) => {
  const make = (name: string): string => mkdtempSync(join(tmpdir(), name))
  const left = make(`${NAME}-${endedProcess()}-`)
  mkdirSync(join(left, 'sub'))
  writeFileSync(join(left, 'sub', 'file'), 'content')
  const kept = [
    make(`${NAME}-${process.ppid}-`),
    make(`${NAME}-1-`),
    make(`${NAME}-other-`),
    make(`${NAME}x-`),
  ]
  const { path, remove } = openOwnedFolder(NAME)
  context.after(() => {
    remove()
    for (const folder of kept) rmSync(folder, { recursive: true })
  })
  assert.equal(existsSync(left), false)
  for (const folder of [...kept, path]) assert.equal(existsSync(folder), true, folder)
})
