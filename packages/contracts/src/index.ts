/** ABIs of OpenRFQ's contracts, typed for viem. */
export { attestedSettlerAbi } from './abis/attested-settler.ts'
export { expressRouterAbi } from './abis/express-router.ts'
export { intentSettlerAbi } from './abis/intent-settler.ts'
export { settlerAbi } from './abis/settler.ts'
