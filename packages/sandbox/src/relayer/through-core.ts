import type { CoreState } from './core-state.ts'
import type { Message } from './message.ts'
import type { RelayHistory } from './relay-history.ts'
import type { RelayMessage } from './relay-message.ts'

/** A message that waits for its source is looked at again after so long. */
const WAIT_MS = 500

/** Whether core refuses to confirm the messages of a deactivated source. */
export const isUnconfirmed = (core: CoreState, { call }: Pick<Message, 'call'>): boolean =>
  core.has('chain_deactivated', { chain: call.source })

/** Whether core cannot route a message: its event is FAILED after the tokens are taken. */
const isUnroutable = (core: CoreState, { call: { source, destination, token } }: Message): boolean => {
  if (core.has('chain_deactivated', { chain: destination })) return true
  if (token === undefined) return false
  const sides = [source, destination]
  return (
    core.has('token_unconfirmed', { chain: source, symbol: token.symbol }) ||
    sides.some((chain) => core.has('amplifier', { chain }))
  )
}

/**
 * Relays what core confirms and routes. A message of a deactivated source does not start; one that cannot be routed fails until
 * RetryFailedEvent. What core has routed goes on whatever changes there.
 */
export const throughCore =
  (core: CoreState, now: () => number, relay: RelayMessage): RelayMessage =>
  (message) => {
    if (message.isRouted) return relay(message)
    if (isUnconfirmed(core, message)) return Promise.resolve({ ...message, retryAt: now() + WAIT_MS })
    if (isUnroutable(core, message)) return Promise.resolve({ ...message, hasFailedAtCore: true })
    return relay({ ...message, isRouted: true })
  }

/** RetryFailedEvent for every failed event, as any account of Axelar may send it; one whose cause remains fails again. */
export const retryFailedEvents = ({ messages }: RelayHistory): void => {
  for (const message of [...messages.all()])
    if (message.hasFailedAtCore) messages.put({ ...message, hasFailedAtCore: false })
}
