import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

const STOP_TIMEOUT_MS = 3_000
const KEPT_CHARACTERS = 4_000

/** Reads a child's output to its end and keeps the last characters. */
export const keepEnd = ({ stdout, stderr }: ChildProcess): (() => string) => {
  let text = ''
  for (const stream of [stdout, stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-KEPT_CHARACTERS)
    })
  return () => text
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
