import { createRequire } from 'node:module'
import { type Abi, encodeAbiParameters, encodeFunctionData, type Hex, parseAbiParameters } from 'viem'
import { SIGNER_SET } from '../src/keys.ts'
import { encodeOperators, type GatewayCommand, signGatewayBatch } from '../src/relayer/sign.ts'
import type { Chain } from './chain-calls.ts'
import { DEPLOYER, type Deploy, loadArtifact } from './contract-deployer.ts'

const require = createRequire(import.meta.url)
const packaged = (path: string) =>
  loadArtifact(require.resolve(`@axelar-network/axelar-cgp-solidity/artifacts/contracts/${path}`))

/** Artifacts of Axelar's gateway and gas service and of their parts. */
export const AXELAR_ARTIFACTS = {
  tokenDeployer: packaged('TokenDeployer.sol/TokenDeployer.json'),
  auth: packaged('auth/AxelarAuthWeighted.sol/AxelarAuthWeighted.json'),
  gateway: packaged('AxelarGateway.sol/AxelarGateway.json'),
  gatewayProxy: packaged('AxelarGatewayProxy.sol/AxelarGatewayProxy.json'),
  gasService: packaged('gas-service/AxelarGasService.sol/AxelarGasService.json'),
  gasServiceProxy: packaged('gas-service/AxelarGasServiceProxy.sol/AxelarGasServiceProxy.json'),
} as const

/** Axelar's events and the call that sets up the gas service; other entries clash with the ABIs of our contracts. */
export const AXELAR_ABI: Abi = [
  ...AXELAR_ARTIFACTS.gateway.abi.filter(({ type }) => type === 'event'),
  ...AXELAR_ARTIFACTS.gasService.abi.filter(({ type }) => type === 'event'),
  ...AXELAR_ARTIFACTS.gasServiceProxy.abi.filter((item) => item.type === 'function' && item.name === 'init'),
]

/** Addresses of Axelar's contracts on a chain. */
export type AxelarContracts = { readonly gateway: Hex; readonly gasService: Hex }

/** Deploys Axelar's contracts on a chain whose ABI contains `AXELAR_ABI`, with the sandbox's signers. */
export const deployAxelar = async (
  chain: Chain,
  deploy: Deploy<keyof typeof AXELAR_ARTIFACTS>,
): Promise<AxelarContracts> => {
  const auth = await deploy('auth', [[encodeOperators(SIGNER_SET)]])
  const implementation = await deploy('gateway', [auth, await deploy('tokenDeployer')])
  const setup = encodeAbiParameters(parseAbiParameters('address, address, bytes'), [DEPLOYER, DEPLOYER, '0x'])
  const gateway = await deploy('gatewayProxy', [implementation, setup])
  const transfer = { abi: AXELAR_ARTIFACTS.auth.abi, functionName: 'transferOwnership', args: [gateway] }
  await chain.run({ from: DEPLOYER, to: auth, data: encodeFunctionData(transfer) })
  const gasService = await deploy('gasServiceProxy')
  const data = chain.encode('init', [await deploy('gasService', [DEPLOYER]), DEPLOYER, '0x'])
  await chain.run({ from: DEPLOYER, to: gasService, data })
  return { gateway, gasService }
}

/** Signs a batch of commands as the gateway's signers and executes it. */
export const executeBatch = async (
  chain: Chain & Pick<AxelarContracts, 'gateway'>,
  commands: readonly GatewayCommand[],
): Promise<void> => {
  const input = await signGatewayBatch(SIGNER_SET, BigInt(chain.number), commands)
  const batch = { abi: AXELAR_ARTIFACTS.gateway.abi, functionName: 'execute', args: [input] }
  await chain.run({ from: DEPLOYER, to: chain.gateway, data: encodeFunctionData(batch) })
}
