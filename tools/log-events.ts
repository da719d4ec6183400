import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONDITIONS } from 'openrfq/lib/log-conditions'

const ROOT = join(import.meta.dirname, '..')
const DOCUMENT = 'docs/log-events.md'
const LIST = 'packages/service/src/lib/log-conditions.ts'
/** Files that log the events of others. */
const RELAYS = ['lib/poller.ts', 'lib/kept-warm.ts', 'lib/throttled-log.ts']
/** A lower count would mean that the patterns below no longer match the code. */
const FEWEST_EVENTS = 100

const CALL = /\blog(?:\?\.)?\(\s*[^,()]+,\s*([^\s,)]+)/g
const POLLER = /\b(?:createPoller\(\{|createKeptWarm<[^(]+>\(\{|pollerOf\()\s*(?:name: )?([^\s,]+)/g
const LITERAL = /^'([a-z][a-z0-9]*(?:_[a-z0-9]+)+)'$/

const problems: string[] = []
const events = new Set<string>()
/** The ends of conditions, each with its begin. */
const polled = new Map<string, string>()
const note = (file: string, text: string, suffixes: readonly string[]): void => {
  const name = LITERAL.exec(text)?.[1]
  if (name === undefined) problems.push(`${file}: ${text} is no literal in snake_case of two words or more`)
  else for (const suffix of suffixes) events.add(`${name}${suffix}`)
}
for (const file of globSync('{packages/{service,sandbox}/src,docs/toy-backend}/**/*.ts', { cwd: ROOT })) {
  if (file.endsWith('.test.ts') || RELAYS.some((relay) => file.endsWith(relay))) continue
  const text = readFileSync(join(ROOT, file), 'utf8')
  for (const [, event = ''] of text.matchAll(CALL)) note(file, event, [''])
  for (const [, name = ''] of text.matchAll(POLLER))
    if (name !== 'name') {
      note(file, name, ['_failed', '_recovered'])
      const plain = LITERAL.exec(name)?.[1]
      polled.set(`${plain}_recovered`, `${plain}_failed`)
    }
}
const rows = [
  ...readFileSync(join(ROOT, DOCUMENT), 'utf8').matchAll(/^\| `(\w+)`(?:, `(\w+)`)? \| (\w+(?:, \w+)?) \|/gm),
]
const documented = new Set(
  rows.flatMap(([, one, other]) => [one, other].filter((name) => name !== undefined)),
)
/** Rows with two levels describe a condition: its begin and its end. */
const described = new Map(
  rows.flatMap(([, begin, end, levels]) =>
    begin !== undefined && end !== undefined && levels?.includes(', ') ? [[end, begin] as const] : [],
  ),
)
for (const [end, begin] of new Map([...polled, ...described]))
  if (CONDITIONS.get(end) !== begin) problems.push(`${LIST} does not list ${end} as the end of ${begin}`)
for (const [end, begin] of CONDITIONS)
  if (described.get(end) !== begin)
    problems.push(`${DOCUMENT} has no row of ${begin} and ${end} with both levels`)
for (const event of events) if (!documented.has(event)) problems.push(`${DOCUMENT} does not list ${event}`)
for (const event of documented)
  if (!events.has(event)) problems.push(`${DOCUMENT} lists ${event}, which nothing logs`)
if (events.size < FEWEST_EVENTS) problems.push(`found only ${events.size} events`)
for (const problem of problems) console.error(problem)
console.log(`log events: ${events.size}, ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1
