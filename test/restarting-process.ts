import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** A process that is restarted with the same data whenever it is killed. */
export type RestartingProcess = {
  readonly name: string
  readonly isAlive: () => boolean
  /** Sends SIGKILL; resolves when the process is gone. The next life starts by itself. */
  readonly kill: () => Promise<void>
  /** Sends a message over the IPC channel; a message to an ending process is lost. */
  readonly send: (message: object) => void
  readonly said: () => string
  /** How often it exited without being killed. */
  readonly crashes: () => number
  readonly stop: () => Promise<void>
}

const KEPT_CHARACTERS = 20_000
const STOP_MS = 10_000

/** Starts a process, and restarts it whenever it is killed. */
export const startRestarting = (name: string, start: () => ChildProcess): RestartingProcess => {
  let crashes = 0
  let said = ''
  const keep = (chunk: unknown): void => {
    said = `${said}${String(chunk)}`.slice(-KEPT_CHARACTERS)
  }
  const begin = (): ChildProcess => {
    const child = start()
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    child.on('error', keep)
    child.once('exit', (code, signal) => {
      if (child !== current || isEnding) return
      crashes += 1
      keep(`\n${name} ended by itself: ${code} ${signal}\n`)
    })
    return child
  }
  let isEnding = false
  let isStopped = false
  let current: ChildProcess | undefined
  current = begin()
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const child = current
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    isEnding = true
    const gone = once(child, 'exit')
    child.kill(signal)
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    await gone
    clearTimeout(timer)
    isEnding = false
  }
  const killHard = (): void => {
    current?.kill('SIGKILL')
  }
  process.once('exit', killHard)
  return {
    name,
    isAlive: () => current?.exitCode === null && current.signalCode === null,
    kill: async () => {
      await end('SIGKILL')
      if (!isStopped) current = begin()
    },
    send: (message) => {
      if (current?.connected === true) current.send(message, () => undefined)
    },
    said: () => said,
    crashes: () => crashes,
    stop: async () => {
      isStopped = true
      await end('SIGTERM')
      process.off('exit', killHard)
    },
  }
}
