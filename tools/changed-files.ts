import { execFileSync } from 'node:child_process'

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

/** The files that differ from a commit, by their paths from the root of the repository, with deleted ones. */
export type Changes = { readonly since: string; readonly files: readonly string[] }

const git = (root: string, words: readonly string[]): string =>
  execFileSync('git', words, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT_BYTES,
    stdio: ['ignore', 'pipe', 'pipe'],
  })

const pathsOf = (output: string): readonly string[] => output.split('\0').filter((path) => path !== '')

/** All files that git tracks or would add. Throws Error outside a repository. */
export const listFiles = (root: string): readonly string[] =>
  pathsOf(git(root, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']))

const differing = (root: string, commit: string): readonly string[] => [
  ...new Set([
    ...pathsOf(git(root, ['diff', '--name-only', '--no-renames', '-z', commit, '--'])),
    ...pathsOf(git(root, ['ls-files', '-z', '--others', '--exclude-standard'])),
  ]),
]

const find = (root: string, words: readonly string[]): string | undefined => {
  try {
    return git(root, words).trim()
  } catch {
    return undefined
  }
}

/** The commit where this branch left main; on main itself, and without a main, the commit before the last. */
const baseOf = (root: string): Changes['since'] => {
  const head = git(root, ['rev-parse', 'HEAD']).trim()
  const bases = ['main', 'origin/main'].map((name) => find(root, ['merge-base', name, 'HEAD']))
  return bases.find((base) => base !== undefined && base !== head) ?? 'HEAD~1'
}

/**
 * Finds what a maintainer works on: the files not yet committed; in a clean checkout those of the branch's commits, on
 * main those of the last commit. Throws Error without a commit to compare with.
 */
export const findChanges = (root: string): Changes => {
  const uncommitted = differing(root, 'HEAD')
  if (uncommitted.length > 0) return { since: 'HEAD', files: uncommitted }
  const base = baseOf(root)
  return { since: base.startsWith('HEAD') ? base : base.slice(0, 8), files: differing(root, base) }
}
