import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { BareSizes } from './bare-server.ts'
import type { LoadJob, LoadResult } from './load.ts'

const START_DEADLINE_MS = 30_000
const LOAD_DEADLINE_MS = 30_000

/** A server under load: its URL, and a function that kills it. */
export type Target = { readonly url: string; readonly kill: () => Promise<void> }

const killed = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

/** The next message of a child. Rejects when the child exits first or sends nothing in time. */
const reply = async (child: ChildProcess, deadlineMs: number): Promise<unknown> => {
  const controller = new AbortController()
  const options = { signal: AbortSignal.any([controller.signal, AbortSignal.timeout(deadlineMs)]) }
  try {
    const ended = once(child, 'exit', options).then(([code]) => {
      throw new Error(`a child of the benchmark ended with ${code}`)
    })
    const [message] = await Promise.race([once(child, 'message', options), ended])
    return message
  } finally {
    controller.abort()
  }
}

const quiet = (promise: Promise<unknown>): void => {
  promise.catch(() => {})
}

/** Starts the bare server with these answer sizes. */
export const startBareServer = async (sizes: BareSizes): Promise<Target> => {
  const child = fork(join(import.meta.dirname, 'bare-server.ts'))
  const port = reply(child, START_DEADLINE_MS)
  quiet(port)
  child.send(sizes)
  return { url: `http://127.0.0.1:${await port}`, kill: () => killed(child) }
}

/** The process that generates the load. */
export type Loader = {
  readonly load: (job: LoadJob) => Promise<LoadResult>
  readonly kill: () => Promise<void>
}

/** Starts the process that generates the load, one job at a time. */
export const startLoader = (): Loader => {
  const child = fork(join(import.meta.dirname, 'load.ts'))
  return {
    load: async (job) => {
      const result = reply(child, LOAD_DEADLINE_MS)
      quiet(result)
      child.send(job)
      // CAST: the child is load.ts, whose only message is this one.
      return (await result) as LoadResult
    },
    kill: () => killed(child),
  }
}

const READY_POLL_MS = 100

/** Waits until every part of a service serves. */
export const untilReady = async (url: string): Promise<void> => {
  for (const deadline = performance.now() + START_DEADLINE_MS; performance.now() < deadline; ) {
    if ((await fetch(`${url}/readyz`)).status === 200) return
    await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS))
  }
  throw new Error(`${url} did not become ready`)
}

/**
 * Starts the service like an operator, for the network in a file: without rate limits, on a free port, with its store
 * in `directory`.
 */
export const startService = async (directory: string, networkFile: string): Promise<Target> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../packages/service/src/main.ts')], {
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: directory,
      RFQ_CONFIG: networkFile,
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    let said = ''
    const timer = setTimeout(
      () => reject(new Error(`the service did not listen in time: ${said}`)),
      START_DEADLINE_MS,
    )
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${said}`)))
    child.stdout.on('data', (chunk) => {
      said += chunk
      const found = /listening on (http:\/\/\S+)/.exec(said)?.[1]
      if (found === undefined) return
      clearTimeout(timer)
      resolve(found)
    })
  })
  return { url, kill: () => killed(child) }
}
