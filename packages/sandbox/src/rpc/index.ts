import { type EndpointServer, startEndpointServer } from './endpoint-server.ts'
import { endpointLife } from './lateness.ts'
import type { Lie } from './lie.ts'
import type { ChainRpc, HonestEndpoint, LieSubject } from './rpc-family.ts'
import type { AnswerCall } from './rpc-message.ts'

/** The three RPC endpoints of one chain. */
export type RpcEndpoints = {
  /** For the service. */
  readonly urls: readonly string[]
  /** For solvers and attester: the same endpoints, which `setUp` does not take away. */
  readonly neutralUrls: readonly string[]
  /** Takes one endpoint, or all, away from the service until they are given back. */
  readonly setUp: (isUp: boolean, endpoint: number | undefined) => void
  /** Makes one endpoint, or all, tell a lie until they are told another. */
  readonly setLie: (lie: Lie, endpoint: number | undefined, subject: LieSubject) => void
  /** Makes every block visible at every endpoint that does not lie about it. */
  readonly settle: () => Promise<void>
  readonly stop: () => Promise<void>
}

const ENDPOINTS = 3

type Endpoint = {
  readonly server: EndpointServer
  readonly honest: HonestEndpoint
  readonly setLie: (lie: Lie, subject: LieSubject) => void
}

const startEndpoint = async (
  rpc: ChainRpc,
  life: ReturnType<typeof endpointLife>,
  now: () => number,
): Promise<Endpoint> => {
  const honest = rpc.endpoint(life)
  let current: Lie = 'none'
  let answer: AnswerCall = honest.answer
  const server = await startEndpointServer({
    json: rpc.json,
    answer: (call) => answer(call),
    lie: () => current,
    isRestarting: () => life.isRestarting(now()),
  })
  return {
    server,
    honest,
    setLie: (lie, subject) => {
      honest.sightings.freeze(lie === 'stale_head')
      current = lie
      answer = rpc.tell(lie, honest, subject)
    },
  }
}

type Options = {
  /** The chain's number among the sandbox's. */
  readonly position: number
  /** What the endpoints' lives are drawn from; without it they are never late and do not restart. */
  readonly seed: number | undefined
  readonly now: () => number
}

/** Offers a chain through three endpoints with lives of their own. */
export const startRpcEndpoints = async (
  rpc: ChainRpc,
  { position, seed, now }: Options,
): Promise<RpcEndpoints> => {
  const endpoints: Endpoint[] = []
  for (let endpoint = 0; endpoint < ENDPOINTS; endpoint += 1)
    endpoints.push(await startEndpoint(rpc, endpointLife(seed, position, endpoint), now))
  const among = (endpoint: number | undefined): readonly Endpoint[] =>
    endpoint === undefined ? endpoints : endpoints.slice(endpoint, endpoint + 1)
  return {
    urls: endpoints.map(({ server }) => server.url),
    neutralUrls: endpoints.map(({ server }) => server.neutralUrl),
    setUp: (isUp, endpoint) => {
      for (const { server } of among(endpoint)) server.setUp(isUp)
    },
    setLie: (lie, endpoint, subject) => {
      for (const { setLie } of among(endpoint)) setLie(lie, subject)
    },
    settle: async () => {
      await rpc.refresh()
      for (const { honest } of endpoints) honest.sightings.settle()
    },
    stop: async () => {
      await Promise.all(endpoints.map(({ server }) => server.stop()))
      rpc.close()
    },
  }
}
