import type { ServerResponse } from 'node:http'
import { type Asked, type LocalServer, startLocalServer } from 'openrfq/test/local-server.ts'

/** The fate of a transaction: it passes, or its process is killed before or after the node has it. */
export type Passage = 'through' | 'killed_before' | 'killed_after'

const SENDS = /"method":\s*"(sendTransaction|eth_sendRawTransaction)"/
const DEADLINE_MS = 120_000

/**
 * Starts a gate in front of a node. `meet` is called before each transaction is passed on; `kill` ends the sending
 * process, before the node has the transaction or before the process knows that it has. The caller stops the gate.
 */
export const startSendGate = async (
  nodeUrl: string,
  meet: () => Promise<Passage>,
  kill: () => Promise<void>,
): Promise<LocalServer> => {
  const forward = async (body: string): Promise<{ readonly status: number; readonly text: string }> => {
    const headers = { 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(DEADLINE_MS)
    const answer = await fetch(nodeUrl, { method: 'POST', headers, body, signal })
    return { status: answer.status, text: await answer.text() }
  }
  const respond = async ({ body }: Asked, response: ServerResponse): Promise<void> => {
    const passage = SENDS.test(body) ? await meet() : 'through'
    if (passage === 'killed_before') {
      await kill()
      response.destroy()
      return
    }
    const { status, text } = await forward(body)
    if (passage === 'killed_after') {
      await kill()
      response.destroy()
      return
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  }
  return startLocalServer(respond)
}
