import type { ServerResponse } from 'node:http'
import { type Asked, type LocalServer, startLocalServer } from 'openrfq/test/local-server.ts'

/** What becomes of a transaction that a process sends: it goes through, or the process is killed around it. */
export type Passage = 'through' | 'killed_before' | 'killed_after'

const SENDS = /"method":\s*"(sendTransaction|eth_sendRawTransaction)"/
const DEADLINE_MS = 20_000

/**
 * Starts a gate in front of a node; `meet` is asked before each transaction is handed over, and `kill` ends the process
 * that sent it: before the node has it, or after, when the process does not know yet. The caller stops the gate.
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
