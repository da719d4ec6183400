import { canMoveMoney, endpointsOf } from '../chains/rpc/quorum.ts'
import type { Network } from '../core/network.ts'
import type { Log } from '../lib/log.ts'

/** The network without intents on chains whose only endpoint would decide about money alone. */
export const withoutIntentsByOneEndpoint = (network: Network, log: Log): Network => ({
  ...network,
  chains: network.chains.map((chain) => {
    const { chainId, intent, attested } = chain
    if (canMoveMoney(chain) || (intent === undefined && attested === undefined)) return chain
    log('warn', 'chain_without_intents', { chainId, endpoints: endpointsOf(chain).length })
    return { ...chain, intent: undefined, attested: undefined }
  }),
})
