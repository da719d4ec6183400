import type { EventEmitter } from 'node:events'
import { isAbsolute, relative } from 'node:path'

/** A part of the tests by the names of its files; the first that fits counts. */
const PARTS: readonly (readonly [string, RegExp])[] = [
  ['soaks', /\.soak\.test\.ts$/],
  ['pages', /^packages\/(web|react)\/|^test\/(browser|console|docs-page|page-)|-page\.long\.test\.ts$/],
  ['contracts', /^packages\/contracts\/|^test\/contracts-/],
  ['sandbox', /^packages\/sandbox\//],
  ['service', /^packages\/service\//],
  ['sdk', /^packages\/sdk\/|^test\/sdk-/],
  ['end-to-end', /^test\//],
  ['scripts', /./],
]
const SHOWN_TESTS = 20
/** A run of fewer files is about those files; its parts are of no interest. */
const FEWEST_FILES = 10

/** An event of a test, a suite or a process of tests, which is named by its module. */
type Done = {
  readonly name: string
  readonly file?: string | undefined
  readonly nesting: number
  readonly details: { readonly duration_ms: number; readonly type?: string | undefined }
}

const partOf = (file: string): string => PARTS.find(([, pattern]) => pattern.test(file))?.[0] ?? 'scripts'

const format = (amount: number): string => amount.toFixed(1).padStart(7)

const byAmount = ([, one]: readonly [string, number], [, other]: readonly [string, number]): number =>
  other - one

/**
 * Collects the durations of runs. Returns a function that returns lines: the minutes of processes by part, and the
 * slowest tests. Processes run side by side, so the minutes add up to more than the run takes.
 */
export const createReport = (
  root: string,
  runs: readonly Pick<EventEmitter, 'on'>[],
): (() => readonly string[]) => {
  const tests: (readonly [string, number])[] = []
  const processes = new Map<string, number>()
  /** A test file of each module that groups several: its suites are named by files. */
  const groupedFiles = new Map<string, string>()
  const files = new Set<string>()
  const pathOf = (file: string): string => (isAbsolute(file) ? relative(root, file) : file)
  const addTest = ({ name, file = '', nesting, details }: Done): void => {
    if (nesting === 0 && details.type === 'suite' && !file.endsWith('.test.ts')) groupedFiles.set(file, name)
    files.add(pathOf(file))
    if (details.type !== 'suite') tests.push([`${pathOf(file)}: ${name}`, details.duration_ms / 1000])
  }
  const addProcess = ({ name, file = '', nesting, details }: Done): void => {
    if (nesting === 0 && name === file) processes.set(file, details.duration_ms / 1000)
  }
  /** The events of a process may come after the one of its end. */
  const secondsByPart = (): ReadonlyMap<string, number> => {
    const seconds = new Map<string, number>()
    for (const [file, took] of processes) {
      const part = partOf(groupedFiles.get(file) ?? pathOf(file))
      seconds.set(part, (seconds.get(part) ?? 0) + took)
    }
    return seconds
  }
  for (const run of runs) {
    run.on('test:pass', addTest)
    run.on('test:fail', addTest)
    run.on('test:complete', addProcess)
  }
  return () => {
    if (files.size < FEWEST_FILES) return []
    return [
      'minutes by part, added up over processes:',
      ...[...secondsByPart()].toSorted(byAmount).map(([part, total]) => `${format(total / 60)}  ${part}`),
      'slowest tests, in seconds:',
      ...tests
        .toSorted(byAmount)
        .slice(0, SHOWN_TESTS)
        .map(([name, took]) => `${format(took)}  ${name}`),
    ]
  }
}
