import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { ChildEnd } from './kept-child.ts'

const STOP_TIMEOUT_MS = 3_000
const KEPT_CHARACTERS = 4_000

/** Reads a child's output to its end and keeps the last characters. */
const keepEnd = ({ stdout, stderr }: ChildProcess): (() => string) => {
  let text = ''
  for (const stream of [stdout, stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-KEPT_CHARACTERS)
    })
  return () => text
}

/** Resolves when a child has ended or could not be started, with its exit and its last output. */
export const endOf = (child: ChildProcess): Promise<ChildEnd> => {
  const said = keepEnd(child)
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal, said: said() }))
    child.once('error', ({ message }) => resolve({ code: null, signal: null, said: message }))
  })
}

/** Whether a child has exited or was killed. */
export const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

/** Ends a child with SIGTERM, and with SIGKILL after three seconds. */
export const endChild = async (child: ChildProcess): Promise<void> => {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await ended
  clearTimeout(timer)
}
