import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Abi } from 'viem'
import { z } from 'zod'
import type { Hex } from '../deployment-types.ts'

const Artifact = z.object({
  abi: z.custom<Abi>(Array.isArray),
  bytecode: z.custom<Hex>((value) => typeof value === 'string' && /^0x([0-9a-f]{2})+$/.test(value)),
})

/** A contract's ABI and creation code. */
export type Artifact = z.infer<typeof Artifact>

const require = createRequire(import.meta.url)
const CGP = '@axelar-network/axelar-cgp-solidity/artifacts/contracts'
const SDK = '@axelar-network/axelar-gmp-sdk-solidity/artifacts/contracts'
const UNISWAP = '@uniswap/v3-periphery/artifacts/contracts'
const ITS = '@axelar-network/interchain-token-service/artifacts/contracts'

const read = (path: string): Artifact => Artifact.parse(JSON.parse(readFileSync(path, 'utf8')))
const packaged = (path: string): Artifact => read(require.resolve(path))
const own = (name: string): Artifact => packaged(`@openrfq/contracts/artifacts/${name}.json`)

/** Reads the artifacts of Axelar's and Uniswap's contracts from their packages, and ours from @openrfq/contracts. */
export const readArtifacts = () => ({
  create3Deployer: packaged(`${SDK}/deploy/Create3Deployer.sol/Create3Deployer.json`),
  tokenDeployer: packaged(`${CGP}/TokenDeployer.sol/TokenDeployer.json`),
  auth: packaged(`${CGP}/auth/AxelarAuthWeighted.sol/AxelarAuthWeighted.json`),
  gateway: packaged(`${CGP}/AxelarGateway.sol/AxelarGateway.json`),
  gatewayProxy: packaged(`${CGP}/AxelarGatewayProxy.sol/AxelarGatewayProxy.json`),
  gasService: packaged(`${CGP}/gas-service/AxelarGasService.sol/AxelarGasService.json`),
  gasServiceProxy: packaged(`${CGP}/gas-service/AxelarGasServiceProxy.sol/AxelarGasServiceProxy.json`),
  its: packaged(`${ITS}/InterchainTokenService.sol/InterchainTokenService.json`),
  itsFactory: packaged(`${ITS}/InterchainTokenFactory.sol/InterchainTokenFactory.json`),
  itsProxy: packaged(`${ITS}/proxies/InterchainProxy.sol/InterchainProxy.json`),
  tokenManager: packaged(`${ITS}/token-manager/TokenManager.sol/TokenManager.json`),
  tokenHandler: packaged(`${ITS}/TokenHandler.sol/TokenHandler.json`),
  tokenManagerDeployer: packaged(`${ITS}/utils/TokenManagerDeployer.sol/TokenManagerDeployer.json`),
  interchainToken: packaged(`${ITS}/interchain-token/InterchainToken.sol/InterchainToken.json`),
  interchainTokenDeployer: packaged(`${ITS}/utils/InterchainTokenDeployer.sol/InterchainTokenDeployer.json`),
  exchangeFactory: packaged(
    '@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json',
  ),
  positionManager: packaged(`${UNISWAP}/NonfungiblePositionManager.sol/NonfungiblePositionManager.json`),
  swapRouter: packaged(`${UNISWAP}/SwapRouter.sol/SwapRouter.json`),
  quoter: packaged(`${UNISWAP}/lens/QuoterV2.sol/QuoterV2.json`),
  tickLens: packaged(`${UNISWAP}/lens/TickLens.sol/TickLens.json`),
  authorizedToken: own('AuthorizedToken'),
  ownedToken: own('OwnedToken'),
  resettingToken: own('ResettingToken'),
  wrappedNative: own('WrappedNative'),
  contractFactory: own('factory/ContractFactory'),
  intentSettler: own('settlers/IntentSettler'),
  expressRouter: own('router/ExpressRouter'),
  attestedSettler: own('settlers/AttestedSettler'),
})
export type Artifacts = ReturnType<typeof readArtifacts>
