import { createPoolMirror } from '../../protocols/uniswap-v3/pool-mirror.ts'
import type { BackendDefinition } from '../backend-definition.ts'
import { routerBackend } from '../router/backend.ts'
import { isItself, swapsInto } from '../router/routes.ts'

/**
 * The backend that swaps, bridges and swaps again, between any two tokens that the pools connect, and that executors deliver early. A
 * gateway asset itself is for the backend `gateway` where they do not. Pools are mirrored. Source: docs/decisions/0012 and 0101.
 */
export const gatewayExpress: BackendDefinition = {
  ...routerBackend({
    type: 'gateway-express',
    name: 'Gateway Express',
    reaches: swapsInto,
    offers: ({ from, to, input, output }, isExpress) =>
      isExpress || !isItself(input, from) || !isItself(output, to),
    feesOf: (fees) => fees,
    mirrorsOf: (bridges, { now, log }) =>
      new Map(
        bridges.flatMap(({ chain: { chainId }, evm: chain, exchange }) =>
          exchange === undefined ? [] : [[chainId, createPoolMirror({ chain, exchange, now, log })]],
        ),
      ),
  }),
  quotes: { output: 'priced', capacity: 'unreserved' },
  demo: { assets: 'other', crossesFamilies: false, refunds: false },
}
