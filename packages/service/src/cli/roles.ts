import { EventEmitter } from 'node:events'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { systemClock } from '../lib/clock.ts'
import { messageWithCauses } from '../lib/log.ts'
import { createLineLog } from './log-lines.ts'
import { runAttester } from './run-attester.ts'
import type { RunRole } from './run-role.ts'
import { runSolver } from './run-solver.ts'
import { createTerminal } from './terminal.ts'

// Runs solvers and attesters in one process for the process that forked this one, each as `rfq solver` and `rfq attester` do.
// Messages name the role by the id that the parent gave it; what a role and its parent say to each other is `message`.

const RUN = { solver: runSolver, attester: runAttester } as const satisfies Record<string, RunRole>

const FromParent = z.union([
  z.object({ id: z.string(), start: z.enum(['solver', 'attester']), config: z.string() }),
  z.object({ id: z.string(), stop: z.literal(true) }),
  z.object({ id: z.string(), message: z.unknown() }),
])

/** A role with the promise of how to stop it, which is kept once the role works. */
type Role = { readonly inbox: EventEmitter; readonly started: ReturnType<RunRole> }

const roles = new Map<string, Role>()
const log = createLineLog({
  terminal: createTerminal(process.stdout, process.stderr),
  json: false,
  now: systemClock.now,
})

const send = (message: object): void => {
  if (process.connected) process.send?.(message)
}

const start = async (id: string, role: keyof typeof RUN, config: string): Promise<void> => {
  const inbox = new EventEmitter()
  const parent = {
    on: (event: string, listener: (message: unknown) => void) => inbox.on(event, listener),
    send: (message: object) => send({ id, message }),
  }
  const begin = async () =>
    RUN[role](await readFile(config, 'utf8'), {
      ...systemClock,
      environment: process.env,
      log,
      parent,
      onGone: () => undefined,
    })
  const started = begin()
  roles.set(id, { inbox, started })
  await started
}

const stop = async (id: string): Promise<void> => {
  const role = roles.get(id)
  roles.delete(id)
  const stopRole = await role?.started
  await stopRole?.()
  send({ id, ended: '' })
}

const endOf = (error: unknown): string => (error instanceof Error ? messageWithCauses(error) : String(error))

const pass = async (id: string, message: unknown): Promise<void> => {
  const role = roles.get(id)
  // A role listens from its start on.
  await role?.started
  role?.inbox.emit('message', message)
}

const obey = (order: z.infer<typeof FromParent>): Promise<void> => {
  if ('start' in order) return start(order.id, order.start, order.config)
  if ('stop' in order) return stop(order.id)
  return pass(order.id, order.message)
}

process.on('message', (message) => {
  const order = FromParent.parse(message)
  obey(order).catch((error: unknown) => {
    roles.delete(order.id)
    send({ id: order.id, ended: endOf(error) })
  })
})
// Each role gives up what it holds, such as its database, when nobody is left to talk to.
process.once('disconnect', () => {
  void Promise.allSettled([...roles.keys()].map(stop)).then(() => process.exit())
})
