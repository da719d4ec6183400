import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

/**
 * Processes whose environment contains the mark, as pid and command; a zombie has no environment. The sandbox passes
 * its children only PATH and Node's settings, so the mark is in PATH.
 */
const processesOf = (mark: string): readonly { readonly id: number; readonly command: string }[] =>
  execFileSync('ps', ['axeww', '-o', 'pid=,command='], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
    .split('\n')
    .filter((line) => line.includes(mark))
    .map((line) => ({ id: Number(line.trim().split(' ')[0]), command: line.replace(/ [A-Z_]+=.*/, '') }))

/** Starts an npm script in its own process group and with its own data, as a terminal does. */
export const runScript = (...words: readonly string[]) => {
  const mark = `/openrfq-${randomUUID()}`
  const folder = mkdtempSync(join(tmpdir(), 'openrfq-start-'))
  const { OPENRFQ_STARTER: _, RFQ_CONFIG: __, DATABASE_URL: ___, ...environment } = process.env
  const npm = spawn('npm', ['run', '--silent', ...words], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...environment,
      PATH: `${process.env['PATH']}:${mark}`,
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      LOG_LEVEL: 'info',
    },
  })
  let said = ''
  for (const stream of [npm.stdout, npm.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
  /** Resolves when every process has closed its output. */
  const closed = once(npm, 'close')
  return { npm, folder, said: () => said, closed, processes: () => processesOf(mark) }
}

/** A script that was started. */
export type Started = ReturnType<typeof runScript>

/** Kills what is left of a script, and deletes its data. */
export const clear = ({ folder, processes }: Started): void => {
  for (const { id } of processes())
    try {
      process.kill(id, 'SIGKILL')
    } catch {
      // The process has ended since the table was read.
    }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
