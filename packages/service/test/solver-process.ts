import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const SHOWN_CHARACTERS = 20_000

/** `rfq solver` as a process, with an IPC channel to this one. */
export type SolverProcess = {
  /** The last part of its standard output. */
  readonly said: () => string
  /** Sends a message over the IPC channel. */
  readonly send: (message: object) => void
  /** Resolves with the next message of the IPC channel. */
  readonly message: () => Promise<unknown>
  /** Ends it and answers its exit code, null for a signal. Throws AssertionError when it had ended by itself. */
  readonly kill: (signal: NodeJS.Signals) => Promise<number | null>
}

/** Starts a solver whose configuration lies in its data directory. */
export const startSolverProcess = (
  config: { readonly dataDirectory: string },
  environment: Readonly<Record<string, string>> = {},
): SolverProcess => {
  const file = join(config.dataDirectory, 'solver.json')
  writeFileSync(file, JSON.stringify(config))
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env
  const child = spawn(process.execPath, ['src/cli/rfq.ts', 'solver', '--config', file, '--json'], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...inherited, ...environment },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  let said = ''
  child.stdout?.on('data', (chunk) => {
    said = `${said}${String(chunk)}`.slice(-SHOWN_CHARACTERS)
  })
  return {
    said: () => said,
    send: (message) => void child.send(message),
    message: async () => (await once(child, 'message'))[0],
    kill: async (signal) => {
      assert.equal(child.exitCode, null, `the solver ended by itself:\n${said}`)
      const exited = once(child, 'exit')
      child.kill(signal)
      return (await exited)[0]
    },
  }
}
