import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

import { childEnvironment } from '@openrfq/sandbox/src/child-environment.ts'
import { checkAnswersOf } from 'openrfq/test/checked-fetch.ts'
import { eventually } from 'openrfq/test/eventually.ts'
import { bundled } from './bundled.ts'

const ROOT = join(import.meta.dirname, '..')
const START_DEADLINE_MS = 600_000
const STOP_DEADLINE_MS = 600_000
/** More than a service logs during any test that looks for a line. */
const KEPT_CHARACTERS = 500_000

/** The service as a child process, accessed by its URL. */
export type ServiceProcess = {
  readonly url: string
  readonly processId: number
  readonly stderr: () => string
  /** SIGTERM; resolves with the exit code when it has drained. Rejects when an answer was not as described. */
  readonly stop: () => Promise<number | null>
  /** SIGKILL: no handler runs and nothing is flushed. */
  readonly kill: () => Promise<void>
}

const ended = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null)
    await once(child, 'exit', { signal: AbortSignal.timeout(STOP_DEADLINE_MS) })
  return child.exitCode
}

const addressOf = (child: ChildProcess, stderr: () => string): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    const fail = (why: string): void => reject(new Error(`${why}\n${text}\n${stderr()}`))
    const timer = setTimeout(() => fail('the service did not start in time'), START_DEADLINE_MS)
    child.once('exit', (code) => {
      clearTimeout(timer)
      fail(`the service ended with ${code}`)
    })
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const url = /listening on (http:\/\/\S+)/.exec(text)?.[1]
      if (url === undefined) return
      clearTimeout(timer)
      resolve(url)
    })
  })

/** What a start brings by itself: of a service with a sandbox also solvers and the attester, which others start elsewhere. */
const STARTING = { sandbox: /^(start$|solver |attester )/, configured: /^start$/ } as const

/**
 * Waits until a service serves everything but chains and stores that are not there: `/readyz` answers 200, or names nothing that the
 * start brings by itself.
 */
const untilServing = async (
  url: string,
  child: ChildProcess,
  { starting, stderr }: { readonly starting: RegExp; readonly stderr: () => string },
): Promise<void> => {
  let said = ''
  await eventually(
    () => `${url} serves: ${said}\n${stderr()}`,
    async () => {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`the service ended while it started\n${stderr()}`)
      const answer = await fetch(`${url}/readyz`).catch(() => undefined)
      said = (await answer?.text()) ?? ''
      if (answer?.status !== 503) return answer?.status === 200
      const { missing }: { readonly missing: readonly string[] } = JSON.parse(said)
      return missing.every((part) => !starting.test(part))
    },
    100,
    START_DEADLINE_MS,
  )
}

/** The program for an environment: without a network file it starts a sandbox. */
const programFor = (environment: Readonly<Record<string, string>>): string =>
  environment['RFQ_CONFIG'] === undefined ? 'packages/sandbox/src/main.ts' : 'packages/service/src/main.ts'

type Place = {
  /** A repository; this one by default. */
  readonly root?: string
  /** The words after `node`: a program in the repository, by default the service's, and its words. */
  readonly words?: readonly string[]
}

/**
 * Starts the service of a repository on a free port and waits until it serves. `environment` is its whole environment;
 * without a network file in it, the service starts a sandbox.
 */
export const startServiceProcess = async (
  environment: Readonly<Record<string, string>>,
  { root = ROOT, words = [programFor(environment)] }: Place = {},
): Promise<ServiceProcess> => {
  const child = spawn(process.execPath, root === ROOT ? words.map(bundled) : words, {
    cwd: root,
    // The bundle is this repository's.
    env: {
      ...childEnvironment(),
      ...(root === ROOT ? {} : { OPENRFQ_BUNDLE: '' }),
      PORT: '0',
      LOG_LEVEL: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-KEPT_CHARACTERS)
  })
  const killHard = (): void => {
    child.kill('SIGKILL')
  }
  process.once('exit', killHard)
  const start = async (): Promise<string> => {
    const address = await addressOf(child, () => errors)
    const starting = STARTING[environment['RFQ_CONFIG'] === undefined ? 'sandbox' : 'configured']
    await untilServing(address, child, { starting, stderr: () => errors })
    return address
  }
  const url = await start().catch((error: unknown) => {
    // A running child would keep the process of a failed test alive.
    killHard()
    throw error
  })
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    const code = await ended(child)
    process.off('exit', killHard)
    return code
  }
  // Another repository describes its own answers.
  const endCheck = root === ROOT ? checkAnswersOf(url) : async () => undefined
  return {
    url,
    processId: child.pid ?? 0,
    stderr: () => errors,
    stop: async () => {
      const code = await end('SIGTERM')
      await endCheck()
      return code
    },
    kill: async () => {
      await end('SIGKILL')
    },
  }
}
