/** The interfaces of OpenRFQ's contracts, as viem and TypeScript read them. */
export { attestedSettlerAbi } from './abis/attested-settler.ts'
export { expressRouterAbi } from './abis/express-router.ts'
export { intentSettlerAbi } from './abis/intent-settler.ts'
