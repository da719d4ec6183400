import { type ChildProcess, fork } from 'node:child_process'
import { programFile } from 'openrfq/lib/program-file'
import { z } from 'zod'
import { childEnvironment } from './child-environment.ts'
import { endChild, endOf, hasEnded } from './child-process.ts'
import type { ChildEnd } from './kept-child.ts'

/** A solver or the attester, in a child process. */
export type RoleProcess = {
  /** Null when the role has ended. */
  readonly processId: () => number | null
  readonly ended: Promise<ChildEnd>
  readonly onMessage: (listener: (message: unknown) => void) => void
  readonly send: (message: object) => void
  readonly stop: () => Promise<void>
}

/** Starts roles by the files of their configurations. They end with this process, whose death closes their channel. */
export type RoleStarter = {
  /** Starts to load the roles' code, where they share it. */
  readonly load: () => void
  readonly start: (role: 'solver' | 'attester', config: string) => RoleProcess
  readonly stop: () => Promise<void>
}

const RFQ = programFile('packages/service/src/cli/rfq.ts', import.meta.resolve('openrfq/rfq'))
const ROLES = programFile('packages/service/src/cli/roles.ts', import.meta.resolve('openrfq/roles'))
const STOP_TIMEOUT_MS = 3_000

const FromRoles = z.union([
  z.object({ id: z.string(), ended: z.string() }),
  z.object({ id: z.string(), message: z.unknown() }),
])

const forkProgram = (file: string, words: readonly string[]): ChildProcess =>
  fork(file, words, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: [],
    // A separate process group: Ctrl-C reaches only this process, which ends its children in order.
    detached: true,
    env: childEnvironment(),
  })

/** Starts each role as a process of its own, which a signal reaches alone. */
export const rolesApart: RoleStarter = {
  load: () => undefined,
  start: (role, config) => {
    const child = forkProgram(RFQ, [role, '--config', config])
    return {
      processId: () => (hasEnded(child) ? null : (child.pid ?? null)),
      ended: endOf(child),
      onMessage: (listener) => child.on('message', listener),
      send: (message) => child.send(message),
      stop: () => endChild(child),
    }
  },
  stop: () => Promise.resolve(),
}

/** A process with roles. */
type Host = { readonly child: ChildProcess; readonly ended: Promise<ChildEnd> }

const startIn = ({ child, ended }: Host, id: string, role: string, config: string): RoleProcess => {
  const listeners = new Set<(message: unknown) => void>()
  const over = Promise.withResolvers<ChildEnd>()
  let isOver = false
  const take = (received: unknown): void => {
    const answer = FromRoles.parse(received)
    if (answer.id !== id) return
    if ('ended' in answer) over.resolve({ code: null, signal: null, said: answer.ended })
    else for (const listener of listeners) listener(answer.message)
  }
  const send = (message: object): void => {
    if (child.connected) child.send({ id, ...message })
  }
  child.on('message', take)
  void ended.then(over.resolve)
  void over.promise.then(() => {
    isOver = true
    child.off('message', take)
  })
  send({ start: role, config })
  return {
    processId: () => (isOver ? null : (child.pid ?? null)),
    ended: over.promise,
    onMessage: (listener) => listeners.add(listener),
    send: (message) => send({ message }),
    stop: async () => {
      send({ stop: true })
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
      await over.promise
      clearTimeout(timer)
    },
  }
}

/** Starts all roles in one process, which loads their code once, and a new one whenever that has ended. */
export const rolesTogether = (): RoleStarter => {
  let host: Host | undefined
  let count = 0
  const startHost = (): Host => {
    const child = forkProgram(ROLES, [])
    const started = { child, ended: endOf(child) }
    void started.ended.then(() => {
      if (host === started) host = undefined
    })
    return started
  }
  return {
    load: () => {
      host ??= startHost()
    },
    start: (role, config) => {
      host ??= startHost()
      count += 1
      return startIn(host, `${count}`, role, config)
    },
    stop: async () => {
      if (host !== undefined) await endChild(host.child)
    },
  }
}
