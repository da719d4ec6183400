import { RfqError } from '@openrfq/sdk'
import { z } from 'zod'
import type { RunningChains } from './chains.ts'
import type { SandboxChain } from './deployment-types.ts'
import { parseBody } from './parse-body.ts'
import { setGatewayPaused } from './pause-gateway.ts'
import type { CorePlace, CoreTrouble } from './relayer/core-state.ts'
import type { Relayer } from './relayer/index.ts'

type AxelarControlDeps = {
  readonly relayer: Pick<Relayer, 'core' | 'retryFailedEvents'>
  readonly running: Pick<RunningChains, 'deployment' | 'chains'>
}

/** Where a state is forced: an EVM chain, and the symbol of one of its gateway tokens. */
type CoreSite = CorePlace & { readonly evm: SandboxChain }

/** A state of axelar-core or of a gateway that a control forces, and what a request must name for it. */
type AxelarState =
  | { readonly about: 'network'; readonly apply: () => void }
  | { readonly about: 'chain' | 'token'; readonly apply: (site: CoreSite) => void | Promise<void> }

/** The states of axelar-core and of the gateways, by name. */
const coreStates = ({ core, retryFailedEvents }: AxelarControlDeps['relayer']) => {
  const about = (kind: 'chain' | 'token', trouble: CoreTrouble, act: 'force' | 'end'): AxelarState => ({
    about: kind,
    apply: ({ chain, symbol }) => core[act](trouble, symbol === undefined ? { chain } : { chain, symbol }),
  })
  const pause = (isPaused: boolean): AxelarState => ({
    about: 'chain',
    apply: ({ evm }) => setGatewayPaused(evm, isPaused),
  })
  return new Map<string, AxelarState>([
    ['chain_deactivated', about('chain', 'chain_deactivated', 'force')],
    ['chain_activated', about('chain', 'chain_deactivated', 'end')],
    ['amplifier', about('chain', 'amplifier', 'force')],
    ['consensus', about('chain', 'amplifier', 'end')],
    ['token_unconfirmed', about('token', 'token_unconfirmed', 'force')],
    ['token_confirmed', about('token', 'token_unconfirmed', 'end')],
    ['gateway_paused', pause(true)],
    ['gateway_resumed', pause(false)],
    ['retry_failed_events', { about: 'network', apply: retryFailedEvents }],
  ])
}

const AxelarBody = z.strictObject({
  /** The chain that the state is about. */
  chain: z.string().optional(),
  /** The gateway token on that chain, by its symbol or address. */
  token: z.string().min(1).max(128).optional(),
  state: z.string(),
})

const invalid = (field: string, expected: string): RfqError =>
  new RfqError('INVALID_REQUEST', `${field}: expected ${expected}`, { field })

/** Forces a state of Axelar by the body of a request. Rejects with RfqError INVALID_REQUEST for an unknown state, chain or token. */
export const createAxelarControl = ({ relayer, running }: AxelarControlDeps) => {
  const states = coreStates(relayer)
  const siteOf = (about: 'chain' | 'token', { chain, token }: z.infer<typeof AxelarBody>): CoreSite => {
    const evm = running.chains.find(({ chainId }) => chainId === chain)
    if (evm === undefined) throw invalid('chain', 'an EVM chain of the sandbox')
    if (about === 'chain') return { chain: evm.axelarName, evm }
    const symbol = running.deployment.tokens.find(
      (known) =>
        known.chainId === chain && token !== undefined && [known.symbol, known.address].includes(token),
    )?.gateway?.symbol
    if (symbol === undefined) throw invalid('token', `a gateway token of ${chain}`)
    return { chain: evm.axelarName, symbol, evm }
  }
  return async (body: unknown): Promise<void> => {
    const request = parseBody(AxelarBody, body)
    const state = states.get(request.state)
    if (state === undefined) throw invalid('state', `one of ${[...states.keys()].join(', ')}`)
    if (state.about === 'network') return state.apply()
    await state.apply(siteOf(state.about, request))
  }
}
