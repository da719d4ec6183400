import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findChanges, listFiles } from './changed-files.ts'

test('finds what is not committed, then what the branch adds, then the last commit on main', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'openrfq-changes-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const git = (...words: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {
      cwd: root,
      encoding: 'utf8',
    })
  const write = (name: string, content = ''): void => writeFileSync(join(root, name), content)
  const commit = (name: string): void => {
    write(name)
    git('add', '--all')
    git('commit', '--quiet', '--message', name)
  }
  git('init', '--quiet', '--initial-branch=main')
  write('.gitignore', 'ignored')
  commit('first')
  commit('second')
  assert.deepEqual(findChanges(root), { since: 'HEAD~1', files: ['second'] })

  const base = git('rev-parse', 'HEAD').slice(0, 8)
  git('switch', '--quiet', '--create', 'branch')
  commit('third')
  commit('fourth')
  assert.deepEqual(findChanges(root), { since: base, files: ['fourth', 'third'] })

  write('ignored')
  write('ä new')
  write('staged')
  git('add', 'staged')
  write('first', 'changed')
  renameSync(join(root, 'second'), join(root, 'renamed'))
  const { since, files } = findChanges(root)
  assert.equal(since, 'HEAD')
  assert.deepEqual(files.toSorted(), ['first', 'renamed', 'second', 'staged', 'ä new'])
  assert.ok(listFiles(root).includes('ä new'))
  assert.ok(!listFiles(root).includes('ignored'))
})
