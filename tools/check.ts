import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { findChanges } from './changed-files.ts'
import { installTools } from './cruise.ts'

/**
 * Runs the checks, as many side by side as there are cores, and prints the seconds of each and what those that fail
 * print. `--changed` lints the changed files alone and checks types. Exits with 1 when a check fails.
 */
const ROOT = join(import.meta.dirname, '..')
/** Scripts of package.json, the slowest first. */
const ALL = ['types', 'lint', 'structure', 'unused', 'description', 'licences'] as const
/** A lower count would mean that Biome's list of files is wrong. */
const FEWEST_LINTED = 1_500

type Part = { readonly name: (typeof ALL)[number]; readonly words: readonly string[] }

const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
)

/** Runs a script in a shell with words added. Returns whether it succeeds. */
const runPart = async ({ name, words }: Part): Promise<boolean> => {
  const startedAt = performance.now()
  // The words are arguments of the shell, so that none is read as a command.
  const child = spawn('sh', ['-c', `{ ${scripts[name]} "$@"; } 2>&1`, name, ...words], { cwd: ROOT })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  const linted = Number(/Checked (\d+) files?/.exec(output)?.[1] ?? 0)
  const readsTooLittle = name === 'lint' && words.length === 0 && linted < FEWEST_LINTED
  const passes = code === 0 && !readsTooLittle
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(5)
  console.log(
    `${seconds} s  ${name}${name === 'lint' ? ` (${linted} files)` : ''}${passes ? '' : '  FAILED'}`,
  )
  if (!passes) console.error(output)
  if (readsTooLittle) console.error(`lint: read only ${linted} files`)
  return passes
}

/** Biome checks the files that are named, and the whole repository when none is. */
const chooseParts = (onlyChanged: boolean): readonly Part[] => {
  if (!onlyChanged) return ALL.map((name) => ({ name, words: [] }))
  const { since, files } = findChanges(ROOT)
  const present = files.filter((file) => existsSync(join(ROOT, file)))
  console.log(`${files.length} files differ from ${since}`)
  const types: Part = { name: 'types', words: [] }
  return present.length === 0
    ? [types]
    : [types, { name: 'lint', words: ['--no-errors-on-unmatched', '--', ...present] }]
}

const onlyChanged = process.argv.includes('--changed')
const parts = chooseParts(onlyChanged)
// Two parts need them; they would install them at the same time.
if (!onlyChanged) installTools()
const waiting = parts.values()
const work = async (): Promise<void> => {
  for (const part of waiting) if (!(await runPart(part))) process.exitCode = 1
}
await Promise.all(Array.from({ length: availableParallelism() }, work))
if (onlyChanged)
  console.log(
    `Not checked: ${ALL.slice(2).join(', ')}, and the lint of other files. \`npm run check\` checks all.`,
  )
