import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const SCRIPT = join(import.meta.dirname, '../../test/full-disk.ts')

/** Runs a program with a small file system of its own at the folder; undefined where that is not allowed. */
const runOnSmallDisk = (folder: string, program: readonly string[]): string | undefined => {
  const mounted = 'mount -t tmpfs -o size=3m tmpfs "$1" || exit 77; shift; exec "$@"'
  const { status, stdout, stderr } = spawnSync(
    'unshare',
    ['-rm', 'sh', '-c', mounted, 'sh', folder, ...program],
    { encoding: 'utf8' },
  )
  if (status === 0) return stdout
  assert.ok(status === null || status === 77 || /unshare/.test(stderr), stderr)
  return undefined
}

test('a full disk ends pings until there is room again, and loses nothing that was saved', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'openrfq-disk-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const told = runOnSmallDisk(folder, [process.execPath, ...process.execArgv, SCRIPT, folder])
  if (told === undefined) {
    context.skip('no file system can be mounted here')
    return
  }
  const { saved, ...outcome } = JSON.parse(told)
  assert.deepEqual(outcome, { before: true, failed: true, whileFull: false, after: true, lost: 0 })
  assert.ok(saved > 0)
})
