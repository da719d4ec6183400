import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { z } from 'zod'
import { signerOf } from '../../chains/evm/message-signature.ts'
import { IntentOrder } from '../../core/intent-order.ts'
import type { Log } from '../../lib/log.ts'
import type { AttesterStatus } from '../settlers/attester-status.ts'
import { claimText } from '../settlers/fill-claim.ts'
import { orderIdOf } from '../settlers/settler-contract.ts'
import type { ClaimAnswer, ClaimJudge } from './claim-answer.ts'
import { type Endpoint, failed, parseJson, type Reply } from './endpoint.ts'
import type { FillClaim } from './payment-fill.ts'

/** A claim as a solver sends it: `POST /v1/attestations`, JSON. */
const FillClaimBody = z.strictObject({
  order: IntentOrder,
  transaction: z.string().min(1).max(128),
  /** The solver's EIP-191 signature of `claimText`. */
  signature: z.string().regex(/^0x[0-9a-f]{130}$/),
})

/** A running server. */
export type ClaimServer = {
  readonly port: number
  /** Resolves when no request is in progress. */
  readonly stop: () => Promise<void>
}

type Deps = {
  readonly judge: ClaimJudge
  /** How far the chains are read, which everybody may ask: from memory. */
  readonly status: () => AttesterStatus
  /** The addresses with which the network's solvers sign. */
  readonly solvers: readonly string[]
  /** What the server answers besides, by path. */
  readonly furtherEndpoints?: ReadonlyMap<string, Endpoint>
  readonly host: string
  readonly port: number
  readonly log: Log
}

const REQUEST_MS = 10_000
const CHECK_MS = 1_000
/** Connections that have not brought a solver's signature yet. */
const MAX_STRANGERS = 256
/** Claims of one solver that are looked at at the same time. */
const MAX_OF_SOLVER = 16

/** The text of a request; undefined beyond the limit. */
const readBody = async (request: IncomingMessage, maximumBytes: number): Promise<string | undefined> => {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request) {
    if (!Buffer.isBuffer(part)) return undefined
    bytes += part.length
    if (bytes > maximumBytes) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

const STATUS = { attested: 200, waiting: 202, refused: 422 } as const satisfies Record<
  ClaimAnswer['kind'],
  number
>

/** The lower-case address that signed the claim; undefined for an order that no contract accepts. */
const claimantOf = ({ order, transaction }: FillClaim, signature: string): string | undefined => {
  try {
    return signerOf(claimText(orderIdOf(order), transaction), signature)
  } catch {
    // The order has no id.
    return undefined
  }
}

const look = async ({ judge, log }: Deps, claim: FillClaim): Promise<Reply> => {
  try {
    const body = await judge(claim)
    return { status: STATUS[body.kind], body }
  } catch (error) {
    log('warn', 'claim_check_failed', { chainId: claim.order.destinationChain, error })
    return { status: STATUS.waiting, body: { kind: 'waiting', reason: 'a chain cannot be read' } }
  }
}

/** Connections without a solver's signature: the one that has been here longest makes room for a new one. */
const createStrangers = () => {
  const sockets = new Set<Socket>()
  return {
    add: (socket: Socket): void => {
      const [oldest] = sockets.size < MAX_STRANGERS ? [] : sockets
      oldest?.destroy()
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    },
    /** The socket keeps its place until the work has ended. */
    whileKnown: async <Value>(socket: Socket, work: () => Promise<Value>): Promise<Value> => {
      sockets.delete(socket)
      try {
        return await work()
      } finally {
        if (!socket.destroyed) sockets.add(socket)
      }
    },
  }
}

const answerStatus = ({ status }: Deps, method: string | undefined): Reply =>
  method === 'GET' ? { status: 200, body: status() } : failed(405, 'expected GET /v1/status')

/** Takes fills from solvers: `POST /v1/attestations`. */
const claimEndpoint = (deps: Deps): Endpoint => {
  const running = new Map(deps.solvers.map((address) => [address.toLowerCase(), 0]))
  return {
    maximumBytes: 16_384,
    answer: async (text, whileKnown) => {
      const parsed = FillClaimBody.safeParse(parseJson(text))
      if (!parsed.success) return failed(400, z.prettifyError(parsed.error))
      const { signature, ...claim } = parsed.data
      const claimant = claimantOf(claim, signature) ?? ''
      const count = running.get(claimant)
      if (count === undefined) return failed(403, 'expected the signature of a solver of the network')
      if (count >= MAX_OF_SOLVER)
        return failed(429, `expected at most ${MAX_OF_SOLVER} claims at the same time`)
      running.set(claimant, count + 1)
      try {
        return await whileKnown(() => look(deps, claim))
      } finally {
        running.set(claimant, (running.get(claimant) ?? 1) - 1)
      }
    },
  }
}

const createAnswers = (deps: Deps) => {
  const endpoints = new Map([['/v1/attestations', claimEndpoint(deps)], ...(deps.furtherEndpoints ?? [])])
  const strangers = createStrangers()
  const paths = [...endpoints.keys()].join(' or ')

  const answer = async (request: IncomingMessage): Promise<Reply> => {
    if (request.url === '/v1/status') return answerStatus(deps, request.method)
    const endpoint = endpoints.get(request.url ?? '')
    if (endpoint === undefined) return failed(404, `expected POST ${paths}, or GET /v1/status`)
    if (request.method !== 'POST') return failed(405, `expected POST ${paths}`)
    const text = await readBody(request, endpoint.maximumBytes)
    if (text === undefined) return failed(413, `expected at most ${endpoint.maximumBytes} bytes`)
    return endpoint.answer(text, (work) => strangers.whileKnown(request.socket, work))
  }
  return { answer, addConnection: strangers.add }
}

/**
 * Starts the server on which solvers hand their fills over. Strangers cause no read of a chain and take no solver's place: a
 * claim is looked at only with a solver's signature. It also tells everybody how far the chains are read. Rejects if the port is taken.
 */
export const startClaimServer = async (deps: Deps): Promise<ClaimServer> => {
  const { answer, addConnection } = createAnswers(deps)
  let isStopping = false
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const { status, body } = await answer(request)
      // A client that goes on asking on its connection would keep the server open.
      if (isStopping) response.setHeader('connection', 'close')
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    } catch {
      // The connection broke while the body was read.
      response.destroy()
    }
  }
  const server = createServer(
    { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS, connectionsCheckingInterval: CHECK_MS },
    (request, response) => {
      void serve(request, response)
    },
  )
  server.on('connection', addConnection)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(deps.port, deps.host, resolve)
  })
  // CAST: a server that listens on a host and port has such an address.
  const { port } = server.address() as AddressInfo
  return {
    port,
    stop: () =>
      new Promise((resolve) => {
        isStopping = true
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
  }
}
