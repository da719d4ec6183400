import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import { isSignedBy } from '../../chains/evm/message-signature.ts'
import { IntentOrder } from '../../core/intent-order.ts'
import type { Log } from '../../lib/log.ts'
import { claimText } from '../settlers/fill-claim.ts'
import { orderIdOf } from '../settlers/settler-contract.ts'
import type { ClaimAnswer, EscrowAttester, FillClaim } from './escrow-attestations.ts'

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
  readonly attest: EscrowAttester
  /** The addresses with which the network's solvers sign. */
  readonly solvers: readonly string[]
  readonly host: string
  readonly port: number
  readonly log: Log
}

type Reply = { readonly status: number; readonly body: object }

const MAX_BODY_BYTES = 16_384
const MAX_REQUESTS = 64
const REQUEST_MS = 10_000

const failed = (status: number, error: string): Reply => ({ status, body: { error } })

/** The text of a request; undefined beyond the limit. */
const readBody = async (request: IncomingMessage): Promise<string | undefined> => {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request) {
    if (!Buffer.isBuffer(part)) return undefined
    bytes += part.length
    if (bytes > MAX_BODY_BYTES) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const STATUS = { attested: 200, waiting: 202, refused: 422 } as const satisfies Record<
  ClaimAnswer['kind'],
  number
>

/** Whether a solver of the network signed the claim; false for an order that no contract accepts. */
const isOfSolver = (
  { solvers }: Pick<Deps, 'solvers'>,
  { order, transaction }: FillClaim,
  signature: string,
): boolean => {
  try {
    const text = claimText(orderIdOf(order), transaction)
    return solvers.some((address) => isSignedBy(text, signature, address))
  } catch {
    // The order has no id.
    return false
  }
}

const answer = async (deps: Deps, request: IncomingMessage): Promise<Reply> => {
  const { attest, log } = deps
  if (request.url !== '/v1/attestations') return failed(404, 'expected POST /v1/attestations')
  if (request.method !== 'POST') return failed(405, 'expected POST /v1/attestations')
  const text = await readBody(request)
  if (text === undefined) return failed(413, `expected at most ${MAX_BODY_BYTES} bytes`)
  const parsed = FillClaimBody.safeParse(parseJson(text))
  if (!parsed.success) return failed(400, z.prettifyError(parsed.error))
  const { signature, ...claim } = parsed.data
  if (!isOfSolver(deps, claim, signature))
    return failed(403, 'expected the signature of a solver of the network')
  try {
    const body = await attest(claim)
    return { status: STATUS[body.kind], body }
  } catch (error) {
    log('warn', 'claim_check_failed', { chainId: claim.order.destinationChain, error })
    return { status: STATUS.waiting, body: { kind: 'waiting', reason: 'a chain cannot be read' } }
  }
}

/**
 * Starts the server on which solvers hand their fills over. Strangers cause no read of a chain: a claim is looked at only
 * with a solver's signature. Rejects if the port is taken.
 */
export const startClaimServer = async (deps: Deps): Promise<ClaimServer> => {
  let running = 0
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const isFull = running >= MAX_REQUESTS
    running += 1
    try {
      const { status, body } = isFull
        ? failed(429, 'too many claims at the same time')
        : await answer(deps, request)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    } catch {
      // The connection broke while the body was read.
      response.destroy()
    } finally {
      running -= 1
    }
  }
  const server = createServer(
    { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS },
    (request, response) => {
      void serve(request, response)
    },
  )
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
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
  }
}
