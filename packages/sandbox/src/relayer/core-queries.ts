import type { GatewayAsset, SandboxChain } from '../deployment-types.ts'
import type { CoreState } from './core-state.ts'
import type { Message } from './message.ts'
import type { RelayHistory } from './relay-history.ts'
import type { Method, Parameters, ScanError } from './scan.ts'
import { isUnconfirmed } from './through-core.ts'

type CoreQueryDeps = {
  readonly chains: readonly SandboxChain[]
  readonly assets: readonly GatewayAsset[]
  readonly history: RelayHistory
  readonly core: CoreState
  readonly tokens: readonly { readonly chainId: string; readonly address: string; readonly symbol: string }[]
}

const notFound = (message: string): ScanError => ({
  refused: true,
  status: 404,
  body: { code: 5, message, details: [] },
})

const textOf = (parameters: Parameters, name: string): string => {
  const value = parameters[name]
  return typeof value === 'string' ? value : ''
}

/** The chains of x/evm by status; 1 is activated. Amplifier chains are unknown there. */
const listChains =
  ({ chains, core }: CoreQueryDeps): Method =>
  (parameters) => ({
    chains: chains
      .map(({ axelarName }) => axelarName)
      .filter((chain) => !core.has('amplifier', { chain }))
      .filter((chain) => {
        const isActive = !core.has('chain_deactivated', { chain })
        const status = textOf(parameters, 'status')
        return status === '' || status === '0' || isActive === (status === '1')
      }),
  })

const chainOf = ({ chains, core }: CoreQueryDeps, parameters: Parameters): SandboxChain | undefined => {
  const [name = ''] = textOf(parameters, 'rest').toLowerCase().split('/')
  return chains.find(
    ({ axelarName }) => axelarName.toLowerCase() === name && !core.has('amplifier', { chain: name }),
  )
}

const chainState =
  (deps: CoreQueryDeps): Method =>
  (parameters) => {
    const chain = chainOf(deps, parameters)
    if (chain === undefined) return notFound('chain not registered')
    const { axelarName } = chain
    return {
      state: {
        chain: {
          name: axelarName,
          supports_foreign_assets: true,
          key_type: 'KEY_TYPE_MULTISIG',
          module: 'evm',
        },
        activated: !deps.core.has('chain_deactivated', { chain: axelarName }),
        assets: deps.assets
          .filter(({ symbols }) => symbols[axelarName] !== undefined)
          .map(({ denom }) => ({ denom, is_native_asset: false })),
        maintainer_states: [],
      },
    }
  }

const tokenInfo =
  (deps: CoreQueryDeps): Method =>
  (parameters) => {
    const chain = chainOf(deps, parameters)
    const symbol = textOf(parameters, 'symbol')
    const asset = chain && deps.assets.find(({ symbols }) => symbols[chain.axelarName] === symbol)
    if (chain === undefined || asset === undefined) return notFound(`token ${symbol} is not found`)
    const known = deps.tokens.find((token) => token.chainId === chain.chainId && token.symbol === symbol)
    return {
      asset: asset.denom,
      details: {
        token_name: symbol,
        symbol,
        decimals: asset.decimals,
        capacity: '0',
      },
      address: known?.address ?? '',
      confirmed: !deps.core.has('token_unconfirmed', { chain: chain.axelarName, symbol }),
      is_external: false,
      burner_code_hash: '',
    }
  }

/** A message of x/evm by its event, which core knows once it has confirmed it. */
const confirmedMessage = ({ history, core }: CoreQueryDeps, id: string): Message | undefined => {
  const message = history.messages.get(id) ?? history.messages.get(id.toLowerCase())
  return message === undefined || (!message.isRouted && isUnconfirmed(core, message)) ? undefined : message
}

const statusOfEvent = ({ isRouted, hasFailedAtCore }: Message): string => {
  if (hasFailedAtCore) return 'STATUS_FAILED'
  return isRouted ? 'STATUS_COMPLETED' : 'STATUS_CONFIRMED'
}

const eventOf =
  (deps: CoreQueryDeps): Method =>
  (parameters) => {
    const [, eventId = ''] = textOf(parameters, 'rest').split('/')
    const chain = chainOf(deps, parameters)
    const message = confirmedMessage(deps, eventId)
    if (chain === undefined || message === undefined || message.call.source !== chain.axelarName)
      return notFound(`no event with ID ${eventId} found for chain ${chain?.axelarName ?? ''}`)
    const { call } = message
    const sent = {
      sender: call.sender,
      destination_chain: call.destination,
      contract_address: call.destinationAddress,
      payload_hash: call.payloadHash,
    }
    return {
      event: {
        chain: chain.axelarName,
        tx_id: call.landing.txHash,
        index: `${call.eventIndex}`,
        status: statusOfEvent(message),
        ...(call.token === undefined
          ? { contract_call: sent }
          : {
              contract_call_with_token: {
                ...sent,
                symbol: call.token.symbol,
                amount: `${call.token.amount}`,
              },
            }),
      },
    }
  }

/** A message of x/nexus, which exists once its event was routed. */
const messageOf =
  (deps: CoreQueryDeps): Method =>
  (parameters) => {
    const message = confirmedMessage(deps, textOf(parameters, 'id'))
    if (message === undefined || !message.isRouted) return notFound('message not found')
    const { call, id, approved } = message
    return {
      message: {
        sender: { chain: { name: call.source }, address: call.sender },
        recipient: { chain: { name: call.destination }, address: call.destinationAddress },
        payload_hash: Buffer.from(call.payloadHash.slice(2), 'hex').toString('base64'),
        status: approved === null ? 'STATUS_PROCESSING' : 'STATUS_EXECUTED',
        id,
      },
    }
  }

/** The queries of axelar-core that the service makes, by path; one that ends with a slash answers all behind it. */
export const coreQueries = (deps: CoreQueryDeps): ReadonlyMap<string, Method> =>
  new Map([
    ['/axelar/evm/v1beta1/chains', listChains(deps)],
    ['/axelar/nexus/v1beta1/chain_state/', chainState(deps)],
    ['/axelar/evm/v1beta1/token_info/', tokenInfo(deps)],
    ['/axelar/evm/v1beta1/event/', eventOf(deps)],
    ['/axelar/nexus/v1beta1/message', messageOf(deps)],
  ])
