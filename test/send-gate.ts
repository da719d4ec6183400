import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** What becomes of a transaction that a process sends: it goes through, or the process is killed around it. */
export type Passage = 'through' | 'killed_before' | 'killed_after'

/** Stands between one process and one chain. */
export type SendGate = { readonly url: string; readonly stop: () => void }

const SENDS = /"method":\s*"(sendTransaction|eth_sendRawTransaction)"/
const DEADLINE_MS = 20_000

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

/**
 * Starts a gate in front of a node; `meet` is asked before each transaction is handed over, and `kill` ends the process
 * that sent it: before the node has it, or after, when the process does not know yet. The caller stops the gate.
 */
export const startSendGate = async (
  nodeUrl: string,
  meet: () => Promise<Passage>,
  kill: () => Promise<void>,
): Promise<SendGate> => {
  const forward = async (body: string): Promise<{ readonly status: number; readonly text: string }> => {
    const headers = { 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(DEADLINE_MS)
    const answer = await fetch(nodeUrl, { method: 'POST', headers, body, signal })
    return { status: answer.status, text: await answer.text() }
  }
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request)
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
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
