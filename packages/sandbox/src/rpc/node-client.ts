import { createHttpClient } from 'openrfq/lib/http-client'
import { z } from 'zod'
import { type AnswerCall, type JsonFormat, RpcAnswer, type RpcCall } from './rpc-message.ts'

/** A connection to a node of the sandbox. */
export type NodeClient = {
  readonly ask: AnswerCall
  readonly close: () => void
}

type Waiting = RpcCall & {
  readonly resolve: (answer: RpcAnswer) => void
  readonly reject: (error: unknown) => void
}

const DEADLINE_MS = 10_000
const MAX_BYTES = 64 * 1024 * 1024
const MAX_BATCH = 50

const Envelope = z.object({ id: z.number() }).loose()
const Batch = z.array(Envelope)

/** Asks a node, as many calls at once as came together where the node takes batches. */
export const createNodeClient = (url: string, json: JsonFormat, takesBatches: boolean): NodeClient => {
  const http = createHttpClient()
  const target = new URL(url)
  let waiting: Waiting[] = []

  const post = async (payload: unknown): Promise<unknown> => {
    const body = JSON.stringify(payload)
    const { text } = await http.send({ url: target, body, deadlineMs: DEADLINE_MS, maxBytes: MAX_BYTES })
    return json.parse(text)
  }
  const requestOf = ({ method, params }: RpcCall, id: number): object => ({
    jsonrpc: '2.0',
    id,
    method,
    params,
  })
  const sendBatch = async (calls: readonly Waiting[]): Promise<void> => {
    const answers = Batch.parse(await post(calls.map(requestOf)))
    const byId = new Map(answers.map((answer) => [answer.id, answer]))
    for (const [id, call] of calls.entries()) call.resolve(RpcAnswer.parse(byId.get(id)))
  }
  const sendOne = async (call: Waiting): Promise<void> =>
    call.resolve(RpcAnswer.parse(await post(requestOf(call, 0))))
  const send = (calls: readonly Waiting[]): void => {
    const [first] = calls
    if (first === undefined) return
    const sending = calls.length === 1 ? sendOne(first) : sendBatch(calls)
    sending.catch((error) => {
      for (const { reject } of calls) reject(error)
    })
  }
  const flush = (): void => {
    const calls = waiting
    waiting = []
    const size = takesBatches ? MAX_BATCH : 1
    for (let start = 0; start < calls.length; start += size) send(calls.slice(start, start + size))
  }
  return {
    ask: (call) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush)
        waiting.push({ ...call, resolve, reject })
      }),
    close: http.close,
  }
}
