import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import type { GatewayCommand } from '@openrfq/sandbox/src/relayer/sign.ts'
import {
  AXELAR_ABI,
  AXELAR_ARTIFACTS,
  type AxelarContracts,
  deployAxelar,
  executeBatch,
} from '@openrfq/sandbox/test/axelar-contracts.ts'
import { type Chain, openChain } from '@openrfq/sandbox/test/chain-calls.ts'
import {
  createDeploy,
  DEPLOYER,
  type Deploy,
  loadArtifact,
  ownArtifact,
} from '@openrfq/sandbox/test/contract-deployer.ts'
import type { PrivateAnvil } from 'openrfq/test/private-anvil.ts'
import {
  type Abi,
  encodeAbiParameters,
  type Hex,
  keccak256,
  numberToHex,
  parseAbi,
  parseAbiParameters,
  toHex,
  zeroAddress,
} from 'viem'

/** A chain with Axelar's gateway and gas service and a Uniswap v3 exchange. */
export type Site = Chain &
  AxelarContracts & {
    readonly axelarChain: string
    readonly swapRouter: Hex
    readonly positions: Hex
    readonly wrapped: Hex
    readonly deploy: Deploy<keyof typeof ARTIFACTS>
  }

const require = createRequire(import.meta.url)
const uniswap = (path: string) => loadArtifact(require.resolve(`@uniswap/${path}`))

const ARTIFACTS = {
  ...AXELAR_ARTIFACTS,
  factory: uniswap('v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json'),
  swapRouter: uniswap('v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json'),
  positions: uniswap(
    'v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json',
  ),
  wrapped: ownArtifact('WrappedNative'),
  router: ownArtifact('express/ExpressRouter'),
  token: ownArtifact('test/HostileToken'),
  puppet: ownArtifact('test/Puppet'),
  prober: ownArtifact('test/Prober'),
} as const

/** ABIs of the router and of the contract that tries many calls at once. */
export const ROUTER_ABI = ARTIFACTS.router.abi
export const PROBER_ABI = ARTIFACTS.prober.abi

/**
 * All functions, events and errors used by the tests; entries of Axelar's ABIs that clash with the router's are left
 * out.
 */
const MERGED_ABI: Abi = [
  ...ROUTER_ABI,
  ...ARTIFACTS.token.abi,
  ...ARTIFACTS.puppet.abi,
  ...ARTIFACTS.prober.abi,
  ...AXELAR_ABI,
  ...parseAbi([
    'function deposit() payable',
    'function exactInput((bytes path,address recipient,uint256 deadline,uint256 amountIn,uint256 amountOutMinimum) params) payable returns (uint256 amountOut)',
    'function refundETH() payable',
    'function createAndInitializePoolIfNecessary(address token0,address token1,uint24 fee,uint160 sqrtPriceX96) payable returns (address pool)',
    'function mint((address token0,address token1,uint24 fee,int24 tickLower,int24 tickUpper,uint256 amount0Desired,uint256 amount1Desired,uint256 amount0Min,uint256 amount1Min,address recipient,uint256 deadline) params) payable',
    'function tokenAddresses(string symbol) view returns (address)',
    'function isCommandExecuted(bytes32 commandId) view returns (bool)',
    'error TokenTransferFailed()',
  ]),
].filter(({ type }) => type === 'function' || type === 'event' || type === 'error')

/** Deploys Axelar and Uniswap on a chain. */
export const buildSite = async (number: number, axelarChain: string, anvil: PrivateAnvil): Promise<Site> => {
  const chain = openChain(number, anvil, MERGED_ABI)
  const deploy = createDeploy(chain, ARTIFACTS)
  await chain.rpc('anvil_setBalance', DEPLOYER, numberToHex(10n ** 30n))
  const contracts = await deployAxelar(chain, deploy)
  const wrapped = await deploy('wrapped', ['Wrapped', 'WETH'])
  const factory = await deploy('factory')
  const swapRouter = await deploy('swapRouter', [factory, wrapped])
  const positions = await deploy('positions', [factory, wrapped, zeroAddress])
  return { ...chain, ...contracts, axelarChain, swapRouter, positions, wrapped, deploy }
}

/** Signs a batch of commands as the gateway's signers and executes it; every command must succeed. */
export const command = async (site: Site, ...commands: readonly GatewayCommand[]): Promise<void> => {
  await executeBatch(site, commands)
  for (const { id, name } of commands)
    assert.ok(await site.read(site.gateway, 'isCommandExecuted', [id]), `the gateway refused ${name}`)
}

/** Registers a token with the gateway, which deploys one when none is given. Returns its address. */
export const register = async (site: Site, symbol: string, external: Hex = zeroAddress): Promise<Hex> => {
  const params = encodeAbiParameters(parseAbiParameters('string, string, uint8, uint256, address, uint256'), [
    symbol,
    symbol,
    18,
    0n,
    external,
    0n,
  ])
  await command(site, { id: keccak256(toHex(`deploy ${symbol}`)), name: 'deployToken', params })
  // CAST: the gateway answers an address.
  return (await site.read(site.gateway, 'tokenAddresses', [symbol])) as Hex
}

/** A Uniswap path: a token, then for each pool its fee in hundredths of a basis point and the next token. */
export const pathOf = (first: Hex, ...rest: readonly (readonly [fee: number, token: Hex])[]): Hex =>
  `${first}${rest.map(([fee, token]) => fee.toString(16).padStart(6, '0') + token.slice(2)).join('')}`

const FULL_RANGE = { 500: 887_270, 3000: 887_220 } as const

/** Opens a pool at price one with equal amounts of both tokens from the deployer, over all ticks or a range. */
export const openPool = async (
  site: Site,
  one: Hex,
  other: Hex,
  fee: keyof typeof FULL_RANGE,
  amount: bigint,
  range: number = FULL_RANGE[fee],
): Promise<void> => {
  const { positions } = site
  const [token0, token1] = BigInt(one) < BigInt(other) ? [one, other] : [other, one]
  const by = (to: Hex, name: string, args: readonly unknown[]) =>
    site.run({ from: DEPLOYER, to, data: site.encode(name, args) })
  await by(token0, 'approve', [positions, amount])
  await by(token1, 'approve', [positions, amount])
  await by(positions, 'createAndInitializePoolIfNecessary', [token0, token1, fee, 2n ** 96n])
  await by(positions, 'mint', [
    {
      token0,
      token1,
      fee,
      tickLower: -range,
      tickUpper: range,
      amount0Desired: amount,
      amount1Desired: amount,
      amount0Min: 0n,
      amount1Min: 0n,
      recipient: DEPLOYER,
      deadline: 2n ** 40n,
    },
  ])
}
