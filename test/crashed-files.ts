import { basename } from 'node:path'
import type { run } from 'node:test'

type Run = ReturnType<typeof run>
type Said = {
  readonly file?: string | undefined
  readonly entryFile?: string | undefined
  readonly message: string
}
type Ended = { readonly name: string; readonly file?: string | undefined }
type Failure = Ended & {
  readonly details: {
    readonly error: {
      readonly failureType?: string
      readonly exitCode?: number | null
      readonly signal?: string | null
    }
  }
}

const SHOWN_LINES = 60

/**
 * Watches for files that fail though each of their tests passes: the process crashed, or threw after its last test. The
 * reporter gives the name of such a file only. It calls a file passed that has no tests, or whose process exited with 0 before
 * they ended. Returns a function that gives the exit code, the signal and the last output of each, in lines.
 */
export const watchCrashes = (runs: readonly Run[]): (() => readonly string[]) => {
  const said = new Map<string, readonly string[]>()
  const crashed = new Map<string, Failure['details']['error']>()
  const ended = new Set<string>()
  const counted = new Set<string>()
  const keep = ({ entryFile, file, message }: Said): void => {
    const name = entryFile ?? file
    if (name === undefined) return
    const lines = [...(said.get(name) ?? []), ...message.trimEnd().split('\n')]
    said.set(name, lines.slice(-SHOWN_LINES))
  }
  for (const one of runs) {
    one.on('test:stderr', keep)
    one.on('test:diagnostic', keep)
    one.on('test:complete', ({ name, file }: Ended) => {
      if (name === file) ended.add(name)
    })
    // A process counts its tests when all have ended.
    one.on('test:summary', ({ file }) => {
      if (file !== undefined) counted.add(file)
    })
    one.on('test:fail', ({ name, file, details: { error } }: Failure) => {
      if (name === file && error.failureType === 'testCodeFailure') crashed.set(name, error)
    })
  }
  const lastOf = (file: string): readonly string[] => (said.get(file) ?? []).map((line) => `  ${line}`)
  return () => [
    ...[...crashed].flatMap(([file, { exitCode, signal }]) => [
      `${basename(file)} ended with exit code ${exitCode ?? '-'}, signal ${signal ?? '-'}, after this output:`,
      ...lastOf(file),
    ]),
    ...[...ended]
      .filter((file) => !counted.has(file) && !crashed.has(file))
      .flatMap((file) => [
        `${basename(file)} has no tests, or exited before they ended, after this output:`,
        ...lastOf(file),
      ]),
  ]
}
