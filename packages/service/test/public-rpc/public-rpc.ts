import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { startLocalServer } from '../local-server.ts'
import { createCallWindow, type ProviderLimits, type Refusal, refusalOfBatch } from './provider-limits.ts'
import { type PublicChain, RpcFault } from './public-chain.ts'

const Request = z.object({
  id: z.union([z.number(), z.string()]),
  method: z.string(),
  params: z.array(z.unknown()),
})
type Request = z.infer<typeof Request>

/** What one endpoint was asked. */
export type EndpointCount = {
  /** HTTP requests. */
  requests: number
  /** JSON-RPC calls; providers bill them. */
  calls: number
  /** Requests that were refused for a limit. */
  refused: number
  readonly methods: Record<string, number>
}

/** One public endpoint of a chain. */
export type PublicEndpoint = {
  readonly url: string
  readonly count: EndpointCount
  /** Limits, which a test may change. */
  limits: ProviderLimits
  /** A dead endpoint closes every connection. */
  isDead: boolean
}

/** The endpoints of all chains, in the order of the chains. */
export type PublicRpc = {
  readonly endpoints: readonly (readonly PublicEndpoint[])[]
  readonly stop: () => void
}

const send = (response: ServerResponse, status: number, body: unknown, headers = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

const refuse = (response: ServerResponse, { status, error, retryAfterSeconds }: Refusal): void => {
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  send(response, status, { jsonrpc: '2.0', id: null, error }, headers)
}

const answerOf = (chain: PublicChain, { id, method, params }: Request, { logBlocks }: ProviderLimits) => {
  try {
    return { jsonrpc: '2.0', id, result: chain.call(method, params, logBlocks) }
  } catch (error) {
    const code = error instanceof RpcFault ? error.code : -32_603
    return { jsonrpc: '2.0', id, error: { code, message: String(error) } }
  }
}

const newEndpoint = (url: string, limits: ProviderLimits): PublicEndpoint => ({
  url,
  limits,
  isDead: false,
  count: { requests: 0, calls: 0, refused: 0, methods: {} },
})

/** The path of an endpoint: position of its chain, then its own. */
const PATH = /^\/(\d+)\/(\d+)$/

/**
 * Starts the endpoints of chains on one port: each answers for its chain within its provider's limits, refuses what is
 * beyond them as the provider does, and counts.
 */
export const startPublicRpc = async (
  chains: readonly PublicChain[],
  limitsOf: (position: number) => readonly ProviderLimits[],
): Promise<PublicRpc> => {
  const server = await startLocalServer(async ({ url, body }, response) => {
    const [, chainPlace, place] = PATH.exec(url) ?? []
    const endpoint = endpoints[Number(chainPlace)]?.[Number(place)]
    const chain = chains[Number(chainPlace)]
    const within = endpoint === undefined ? undefined : windows.get(endpoint)
    if (endpoint === undefined || chain === undefined || within === undefined || endpoint.isDead) {
      response.destroy()
      return
    }
    const { limits, count } = endpoint
    const parsed: unknown = JSON.parse(body)
    const requests = z.array(Request).parse(Array.isArray(parsed) ? parsed : [parsed])
    count.requests += 1
    count.calls += requests.length
    for (const { method } of requests) count.methods[method] = (count.methods[method] ?? 0) + 1
    await sleep(limits.latencyMs)
    const refusal = within(requests.length) ?? refusalOfBatch(limits, requests.length)
    if (refusal !== undefined) {
      count.refused += 1
      refuse(response, refusal)
      return
    }
    const answers = requests.map((request) => answerOf(chain, request, limits))
    send(response, 200, Array.isArray(parsed) ? answers.toReversed() : answers[0])
  })
  const endpoints = chains.map((_chain, chainPlace) =>
    limitsOf(chainPlace).map((limits, place) => newEndpoint(`${server.url}/${chainPlace}/${place}`, limits)),
  )
  const windows = new Map(
    endpoints.flat().map((endpoint) => [endpoint, createCallWindow(endpoint.limits, Date.now)] as const),
  )
  return { endpoints, stop: server.stop }
}
