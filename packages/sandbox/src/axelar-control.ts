import { RfqError } from '@openrfq/sdk'
import { z } from 'zod'
import type { RunningChains } from './chains.ts'
import { parseBody } from './parse-body.ts'
import { HUB_TROUBLES, type HubPlace, type HubTrouble } from './relayer/hub-state.ts'
import type { Relayer } from './relayer/index.ts'
import type { SimulatedChain } from './simulated/simulated-chain.ts'

type AxelarControlDeps = {
  readonly relayer: Pick<Relayer, 'hub' | 'executeAtHub'>
  readonly running: Pick<RunningChains, 'deployment' | 'chains'>
  readonly simulatedChains: readonly SimulatedChain[]
}

/** A state of Axelar that a control forces, and what a request must name for it. */
type AxelarState = {
  readonly about: 'network' | 'chain' | 'token'
  readonly apply: (place: HubPlace) => void
}

/** The states of the ITS hub and the router, by name. */
const hubStates = ({
  hub,
  executeAtHub,
}: Pick<Relayer, 'hub' | 'executeAtHub'>): ReadonlyMap<string, AxelarState> =>
  new Map([
    ...Object.entries(HUB_TROUBLES).map(([name, about]): readonly [string, AxelarState] => [
      name,
      // CAST: a key of HUB_TROUBLES.
      { about, apply: (place) => hub.force(name as HubTrouble, place) },
    ]),
    ['hub_normal', { about: 'network', apply: hub.clear }],
    ['execute_at_hub', { about: 'network', apply: executeAtHub }],
  ])

const AxelarBody = z.strictObject({
  /** The chain that the state is about. */
  chain: z.string().optional(),
  /** The token on that chain, by its symbol or address. */
  token: z.string().min(1).max(128).optional(),
  state: z.string(),
})

const invalid = (field: string, expected: string): RfqError =>
  new RfqError('INVALID_REQUEST', `${field}: expected ${expected}`, { field })

/** Forces a state of Axelar by the body of a request. Throws RfqError INVALID_REQUEST for an unknown state, chain or token. */
export const createAxelarControl = ({ relayer, running, simulatedChains }: AxelarControlDeps) => {
  const states = hubStates(relayer)
  const names = new Map<string, string>([
    ...running.chains.map(({ chainId, axelarName }) => [chainId, axelarName] as const),
    ...simulatedChains.flatMap(({ chain: { chainId, tokenReceiver } }) =>
      tokenReceiver === undefined ? [] : [[chainId, tokenReceiver.name] as const],
    ),
  ])
  const { tokens } = running.deployment
  const idOf = (chainId: string, token: string): string | undefined => {
    const symbolOf = [...tokens, ...simulatedChains.flatMap((one) => one.tokens)].find(
      (known) => known.chainId === chainId && [known.symbol, known.address].includes(token),
    )?.symbol
    return tokens.find(({ symbol, its }) => symbol === symbolOf && its !== undefined)?.its?.tokenId
  }
  const placeOf = (about: AxelarState['about'], { chain, token }: z.infer<typeof AxelarBody>): HubPlace => {
    if (about === 'network') return {}
    const name = chain === undefined ? undefined : names.get(chain)
    if (chain === undefined || name === undefined) throw invalid('chain', 'a chain with Axelar')
    if (about === 'chain') return { chain: name }
    const tokenId = token === undefined ? undefined : idOf(chain, token)
    if (tokenId === undefined) throw invalid('token', `an interchain token of ${chain}`)
    return { chain: name, tokenId }
  }
  return (body: unknown): void => {
    const request = parseBody(AxelarBody, body)
    const state = states.get(request.state)
    if (state === undefined) throw invalid('state', `one of ${[...states.keys()].join(', ')}`)
    state.apply(placeOf(state.about, request))
  }
}
