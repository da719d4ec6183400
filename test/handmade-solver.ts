import { once } from 'node:events'
import type {
  InventoryEntry,
  ServiceMessage,
  StandingQuote,
} from 'openrfq/src/intents/solver-api/protocol.ts'
import { encodeSolverMessage } from 'openrfq/src/intents/solver-api/protocol.ts'
import { eventually } from 'openrfq/test/eventually.ts'
import { loginFrame, quotesFrame, readServiceMessage } from 'openrfq/test/test-solver.ts'
import type { PrivateKeyAccount } from 'viem/accounts'

/** A solver that a test speaks for. */
export type HandmadeSolver = {
  /** What the service has sent so far. */
  readonly heard: readonly ServiceMessage[]
  readonly declare: (assets: InventoryEntry[]) => void
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
  return {
    heard,
    declare: (assets) => socket.send(encodeSolverMessage({ type: 'inventory', assets })),
    quote: async (pairs) => {
      sequence += 1
      socket.send(await quotesFrame(account, challenge, sequence, pairs))
    },
    stop: () => socket.close(),
  }
}
