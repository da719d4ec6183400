import type { WebSocket } from 'ws'
import { z } from 'zod'
import { encodeJson } from './json.ts'
import { answerJsonRpc } from './json-rpc.ts'
import { parseParams } from './rpc/params.ts'
import { invalidParams, RPC_ERROR_CODES, RpcError } from './rpc-error.ts'
import type { SimulatedSolana } from './simulated-solana.ts'
import { SUBSCRIPTIONS, type Subscriber } from './subscriptions.ts'

/** The subscriptions of every connection. */
export type PubSub = { readonly accept: (socket: WebSocket) => void; readonly stop: () => void }

const MAX_SUBSCRIPTIONS = 1_000
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024

const isKind = (kind: string): kind is keyof typeof SUBSCRIPTIONS => Object.hasOwn(SUBSCRIPTIONS, kind)

const send = (socket: WebSocket, text: string): void => {
  if (socket.bufferedAmount > MAX_BUFFERED_BYTES) socket.terminate()
  else if (socket.readyState === socket.OPEN) socket.send(text)
}

/** One connection: answers its calls and holds its subscriptions. */
const createConnection = (cluster: SimulatedSolana, socket: WebSocket) => {
  const subscribers = new Map<number, Subscriber>()
  let lastId = 0

  const open = (kind: keyof typeof SUBSCRIPTIONS, params: readonly unknown[]): number => {
    if (subscribers.size >= MAX_SUBSCRIPTIONS)
      throw new RpcError(
        RPC_ERROR_CODES.internal,
        `a connection holds at most ${MAX_SUBSCRIPTIONS} subscriptions`,
      )
    lastId += 1
    const subscription = lastId
    const tell = (result: unknown): void => {
      if (!subscribers.has(subscription)) return
      send(
        socket,
        encodeJson({ jsonrpc: '2.0', method: `${kind}Notification`, params: { result, subscription } }),
      )
    }
    const finish = (): void => {
      subscribers.delete(subscription)
    }
    subscribers.set(subscription, SUBSCRIPTIONS[kind](cluster, params, { tell, finish }))
    return subscription
  }
  const close = (params: readonly unknown[]): boolean => {
    const [subscription] = parseParams(z.tuple([z.int()]), params, 1)
    if (!subscribers.delete(subscription)) throw invalidParams('Invalid subscription id.')
    return true
  }
  const call = (method: string, params: readonly unknown[]): unknown => {
    const [, kind = '', verb] = /^([a-z]+)(Subscribe|Unsubscribe)$/.exec(method) ?? []
    if (!isKind(kind)) throw new RpcError(RPC_ERROR_CODES.methodNotFound, 'Method not found')
    return verb === 'Subscribe' ? open(kind, params) : close(params)
  }
  const answer = async (text: string): Promise<void> => {
    const reply = await answerJsonRpc(text, call)
    if (reply !== undefined) send(socket, reply)
  }
  return { subscribers, answer }
}

/** Answers PubSub connections with the cluster's events until it is stopped. */
export const createPubSub = (cluster: SimulatedSolana): PubSub => {
  const connections = new Map<WebSocket, ReturnType<typeof createConnection>>()
  const each = (visit: (subscriber: Subscriber) => void): void => {
    for (const { subscribers } of connections.values())
      for (const [subscription, subscriber] of [...subscribers]) {
        try {
          visit(subscriber)
        } catch {
          // The requested encoding fails, for example base58 of an account that grew.
          subscribers.delete(subscription)
        }
      }
  }
  const endings = [
    cluster.subscribe((change) => each((subscriber) => subscriber.onChange?.(change))),
    cluster.onSubmitted((signature) => each((subscriber) => subscriber.onSubmitted?.(signature))),
  ]
  return {
    accept: (socket) => {
      const connection = createConnection(cluster, socket)
      connections.set(socket, connection)
      socket.on('error', () => socket.terminate())
      socket.once('close', () => connections.delete(socket))
      socket.on('message', (message) => void connection.answer(String(message)))
    },
    stop: () => {
      for (const end of endings) end()
    },
  }
}
