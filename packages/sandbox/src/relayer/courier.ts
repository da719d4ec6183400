import { backoffMs } from 'openrfq/lib/backoff'
import type { Log } from 'openrfq/lib/log'
import { HUB } from '../deployment-types.ts'
import type { Message } from './message.ts'
import type { RelayHistory } from './relay-history.ts'
import type { RelayMessage } from './relay-message.ts'

type CourierDeps = {
  readonly history: RelayHistory
  readonly relayMessage: RelayMessage
  /** The number of reorgs seen so far on a chain, by its Axelar name. */
  readonly rollbacksOf: (axelarName: string) => number
  readonly paused: () => boolean
  readonly now: () => number
  readonly log: Log
}

/** Carries due messages sequentially. A failed one is retried later and does not block others. */
export type Courier = {
  /** Takes one step for each message bound for the destination. */
  readonly work: (destination: string) => Promise<void>
  /** Takes the steps that need no destination chain: to the hub, or to a rejection. */
  readonly workElsewhere: (chains: ReadonlySet<string>) => Promise<void>
  /** Whether any message could take a step now. */
  readonly isBusy: () => boolean
}

const UNREACHABLE_RETRY = { firstMs: 500, maximumMs: 10_000 }

/** Whether the message will move on by itself; stalled and rejected ones wait for outside action. */
const isMoving = ({ fault, shortOf }: Message): boolean => fault === null && shortOf === null

/** Creates a courier over the relay history; the courier itself keeps no state. */
export const createCourier = (deps: CourierDeps): Courier => {
  const { history, now, log } = deps

  const carryMessage = async (message: Message): Promise<void> => {
    const rollbacks = deps.rollbacksOf(message.call.destination)
    try {
      const next = await deps.relayMessage(message)
      const current = history.messages.get(message.id)
      if (current === undefined) return
      const undone = deps.rollbacksOf(message.call.destination) !== rollbacks
      const { approved, executed } = undone ? current : next
      history.messages.put({ ...next, payments: current.payments, approved, executed })
    } catch (error) {
      const current = history.messages.get(message.id)
      if (current === undefined) return
      log('warn', 'message_relay_failed', { messageId: message.id, error: String(error) })
      const failures = current.failures + 1
      history.messages.put({ ...current, failures, retryAt: now() + backoffMs(UNREACHABLE_RETRY, failures) })
    }
  }

  const workFor = async (isOurs: (destination: string) => boolean): Promise<void> => {
    if (deps.paused()) return
    for (const message of history.messages.open())
      if (isOurs(message.call.destination) && message.retryAt <= now() && !deps.paused())
        await carryMessage(message)
  }

  const isBusy = (): boolean => history.messages.open().some(isMoving)

  return {
    work: (destination) => workFor((name) => name === destination),
    workElsewhere: (chains) => workFor((name) => name === HUB.chain || !chains.has(name)),
    isBusy,
  }
}
