import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type {
  InventoryEntry,
  ServiceMessage,
  StandingQuote,
} from 'openrfq/src/intents/solver-api/protocol.ts'
import { encodeSolverMessage } from 'openrfq/src/intents/solver-api/protocol.ts'
import { eventually } from 'openrfq/test/eventually.ts'
import { loginFrame, quotesFrame, readServiceMessage } from 'openrfq/test/test-solver.ts'
import type { PrivateKeyAccount } from 'viem/accounts'

/** The service refuses more than ten messages a second. */
const SEND_EVERY_MS = 120

/** A solver that a test speaks for. It sends in order, slowly enough that the service refuses no message. */
export type HandmadeSolver = {
  /** What the service has sent so far. */
  readonly heard: readonly ServiceMessage[]
  readonly declare: (assets: InventoryEntry[]) => Promise<void>
  readonly quote: (pairs: StandingQuote[]) => Promise<void>
  readonly stop: () => void
}

/** Logs an account in at a service, with version 2 of the protocol. */
export const connectHandmadeSolver = async (
  serviceUrl: string,
  account: PrivateKeyAccount,
): Promise<HandmadeSolver> => {
  const socket = new WebSocket(`${serviceUrl.replace(/^http/, 'ws')}/v1/solver`)
  const heard: ServiceMessage[] = []
  socket.addEventListener('message', ({ data }) => heard.push(readServiceMessage(String(data))))
  await once(socket, 'open')
  const challenge = await eventually('the challenge', async () =>
    heard.find((message) => message.type === 'challenge'),
  )
  socket.send(await loginFrame(account, challenge, { version: 2 }))
  await eventually('the welcome', async () => heard.some(({ type }) => type === 'welcome'))
  let sequence = 0
  let sent: Promise<unknown> = Promise.resolve()
  const send = (frame: () => string | Promise<string>): Promise<void> => {
    const sending = sent.then(async () => socket.send(await frame()))
    sent = sending.then(() => delay(SEND_EVERY_MS))
    return sending
  }
  return {
    heard,
    declare: (assets) => send(() => encodeSolverMessage({ type: 'inventory', assets })),
    quote: (pairs) =>
      send(() => {
        sequence += 1
        return quotesFrame(account, challenge, sequence, pairs)
      }),
    stop: () => socket.close(),
  }
}
