import { RfqError } from '@openrfq/sdk'
import { z } from 'zod'
import type { RunningChains } from './chains.ts'
import type { SandboxChain } from './deployment-types.ts'
import { parseBody } from './parse-body.ts'
import { setGatewayPaused } from './pause-gateway.ts'
import type { CorePlace, CoreTrouble } from './relayer/core-state.ts'
import { HUB_TROUBLES, type HubPlace, type HubTrouble } from './relayer/hub-state.ts'
import type { Relayer } from './relayer/index.ts'
import type { SimulatedChain } from './simulated/simulated-chain.ts'

type AxelarControlDeps = {
  readonly relayer: Pick<Relayer, 'hub' | 'executeAtHub' | 'core' | 'retryFailedEvents'>
  readonly running: Pick<RunningChains, 'deployment' | 'chains'>
  readonly simulatedChains: readonly SimulatedChain[]
}

/** Where a state of axelar-core is forced: an EVM chain, and the symbol of one of its gateway tokens. */
type CoreSite = CorePlace & { readonly evm: SandboxChain }

/** A state of Axelar that a control forces, and what a request must name for it. */
type AxelarState =
  | { readonly about: 'network'; readonly apply: () => void }
  | { readonly about: 'chain' | 'token'; readonly apply: (place: HubPlace) => void }
  | {
      readonly about: 'evm_chain' | 'gateway_token'
      readonly apply: (site: CoreSite) => void | Promise<void>
    }

/** The states of the ITS hub and the router, by name. */
const hubStates = ({ hub, executeAtHub }: AxelarControlDeps['relayer']): [string, AxelarState][] => [
  ...Object.entries(HUB_TROUBLES).map(([name, about]): [string, AxelarState] => [
    name,
    // CAST: a key of HUB_TROUBLES.
    { about, apply: (place: HubPlace = {}) => hub.force(name as HubTrouble, place) },
  ]),
  ['hub_normal', { about: 'network', apply: hub.clear }],
  ['execute_at_hub', { about: 'network', apply: executeAtHub }],
]

/** The states of axelar-core and of the gateways, by name. */
const coreStates = ({ core, retryFailedEvents }: AxelarControlDeps['relayer']): [string, AxelarState][] => {
  const about = (
    kind: 'evm_chain' | 'gateway_token',
    trouble: CoreTrouble,
    act: 'force' | 'end',
  ): AxelarState => ({
    about: kind,
    apply: ({ chain, symbol }) => core[act](trouble, symbol === undefined ? { chain } : { chain, symbol }),
  })
  const pause = (isPaused: boolean): AxelarState => ({
    about: 'evm_chain',
    apply: ({ evm }) => setGatewayPaused(evm, isPaused),
  })
  return [
    ['chain_deactivated', about('evm_chain', 'chain_deactivated', 'force')],
    ['chain_activated', about('evm_chain', 'chain_deactivated', 'end')],
    ['amplifier', about('evm_chain', 'amplifier', 'force')],
    ['consensus', about('evm_chain', 'amplifier', 'end')],
    ['token_unconfirmed', about('gateway_token', 'token_unconfirmed', 'force')],
    ['token_confirmed', about('gateway_token', 'token_unconfirmed', 'end')],
    ['gateway_paused', pause(true)],
    ['gateway_resumed', pause(false)],
    ['retry_failed_events', { about: 'network', apply: retryFailedEvents }],
  ]
}

const AxelarBody = z.strictObject({
  /** The chain that the state is about. */
  chain: z.string().optional(),
  /** The token on that chain, by its symbol or address. */
  token: z.string().min(1).max(128).optional(),
  state: z.string(),
})
type AxelarBody = z.infer<typeof AxelarBody>

const invalid = (field: string, expected: string): RfqError =>
  new RfqError('INVALID_REQUEST', `${field}: expected ${expected}`, { field })

/** Finds the chain and the token that a request names. */
const createPlaces = ({ running, simulatedChains }: Omit<AxelarControlDeps, 'relayer'>) => {
  const names = new Map<string, string>([
    ...running.chains.map(({ chainId, axelarName }) => [chainId, axelarName] as const),
    ...simulatedChains.flatMap(({ chain: { chainId, tokenReceiver } }) =>
      tokenReceiver === undefined ? [] : [[chainId, tokenReceiver.name] as const],
    ),
  ])
  const { tokens } = running.deployment
  const isNamed = (
    known: { readonly chainId: string; readonly symbol: string; readonly address: string },
    { chain, token }: AxelarBody,
  ) => known.chainId === chain && token !== undefined && [known.symbol, known.address].includes(token)
  return {
    ofHub: (about: 'chain' | 'token', request: AxelarBody): HubPlace => {
      const name = request.chain === undefined ? undefined : names.get(request.chain)
      if (name === undefined) throw invalid('chain', 'a chain with Axelar')
      if (about === 'chain') return { chain: name }
      const symbolOf = [...tokens, ...simulatedChains.flatMap((one) => one.tokens)].find((known) =>
        isNamed(known, request),
      )?.symbol
      const its = tokens.find((known) => known.symbol === symbolOf && known.its !== undefined)?.its
      if (its === undefined) throw invalid('token', `an interchain token of ${request.chain}`)
      return { chain: name, tokenId: its.tokenId }
    },
    ofCore: (about: 'evm_chain' | 'gateway_token', request: AxelarBody): CoreSite => {
      const evm = running.chains.find(({ chainId }) => chainId === request.chain)
      if (evm === undefined) throw invalid('chain', 'an EVM chain of the sandbox')
      if (about === 'evm_chain') return { chain: evm.axelarName, evm }
      const symbol = tokens.find((known) => isNamed(known, request))?.gateway?.symbol
      if (symbol === undefined) throw invalid('token', `a gateway token of ${request.chain}`)
      return { chain: evm.axelarName, symbol, evm }
    },
  }
}

/** Forces a state of Axelar by the body of a request. Rejects with RfqError INVALID_REQUEST for an unknown state, chain or token. */
export const createAxelarControl = ({ relayer, ...deps }: AxelarControlDeps) => {
  const states = new Map([...hubStates(relayer), ...coreStates(relayer)])
  const places = createPlaces(deps)
  return async (body: unknown): Promise<void> => {
    const request = parseBody(AxelarBody, body)
    const state = states.get(request.state)
    if (state === undefined) throw invalid('state', `one of ${[...states.keys()].join(', ')}`)
    if (state.about === 'network') state.apply()
    else if (state.about === 'chain' || state.about === 'token')
      state.apply(places.ofHub(state.about, request))
    else await state.apply(places.ofCore(state.about, request))
  }
}
