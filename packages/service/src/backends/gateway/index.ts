import type { BackendDefinition } from '../backend-definition.ts'
import { routerBackend } from '../router/backend.ts'
import { withoutExpress } from '../router/gas-fees.ts'
import { isItself } from '../router/routes.ts'

/** The backend that moves a gateway asset between two chains, whole, at Axelar's pace. Source: docs/decisions/0101. */
export const gateway: BackendDefinition = {
  ...routerBackend({
    type: 'gateway',
    name: 'Axelar Gateway',
    reaches: isItself,
    offers: () => true,
    feesOf: withoutExpress,
    mirrorsOf: () => new Map(),
  }),
  quotes: { output: 'transferred', capacity: 'unreserved' },
  demo: { assets: 'same', crossesFamilies: false, refunds: false },
}
