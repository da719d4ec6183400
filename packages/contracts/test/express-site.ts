import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { SIGNER_SET } from '@openrfq/sandbox/src/keys.ts'
import { encodeOperators, type GatewayCommand, signGatewayBatch } from '@openrfq/sandbox/src/relayer/sign.ts'
import type { PrivateAnvil } from 'openrfq/test/private-anvil.ts'
import {
  type Abi,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  keccak256,
  numberToHex,
  parseAbi,
  parseAbiParameters,
  toHex,
  zeroAddress,
} from 'viem'
import { type Chain, openChain } from './chain-calls.ts'

/** Deploys, owns and funds everything on a chain; impersonated. */
export const DEPLOYER: Hex = '0x6000000000000000000000000000000000000006'

/** A chain with Axelar's gateway and gas service and a Uniswap v3 exchange. */
export type Site = Chain & {
  readonly axelarChain: string
  readonly gateway: Hex
  readonly gasService: Hex
  readonly swapRouter: Hex
  readonly positions: Hex
  readonly wrapped: Hex
  readonly deploy: (name: ContractName, args?: readonly unknown[]) => Promise<Hex>
}

type Artifact = { readonly abi: Abi; readonly bytecode: Hex }
const require = createRequire(import.meta.url)
// CAST: artifacts of the packages and our own are files of this shape.
const load = (path: string): Artifact => JSON.parse(readFileSync(path, 'utf8')) as Artifact
const axelar = (path: string): Artifact =>
  load(require.resolve(`@axelar-network/axelar-cgp-solidity/artifacts/contracts/${path}`))
const uniswap = (path: string): Artifact => load(require.resolve(`@uniswap/${path}`))
const own = (name: string): Artifact => load(join(import.meta.dirname, `../artifacts/${name}.json`))

const ARTIFACTS = {
  tokenDeployer: axelar('TokenDeployer.sol/TokenDeployer.json'),
  auth: axelar('auth/AxelarAuthWeighted.sol/AxelarAuthWeighted.json'),
  gateway: axelar('AxelarGateway.sol/AxelarGateway.json'),
  gatewayProxy: axelar('AxelarGatewayProxy.sol/AxelarGatewayProxy.json'),
  gasService: axelar('gas-service/AxelarGasService.sol/AxelarGasService.json'),
  gasServiceProxy: axelar('gas-service/AxelarGasServiceProxy.sol/AxelarGasServiceProxy.json'),
  factory: uniswap('v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json'),
  swapRouter: uniswap('v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json'),
  positions: uniswap(
    'v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json',
  ),
  wrapped: own('WrappedNative'),
  router: own('express/ExpressRouter'),
  token: own('test/HostileToken'),
  puppet: own('test/Puppet'),
  prober: own('test/Prober'),
} as const
type ContractName = keyof typeof ARTIFACTS

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
  ...ARTIFACTS.gateway.abi.filter(({ type }) => type === 'event'),
  ...ARTIFACTS.gasService.abi.filter(({ type }) => type === 'event'),
  ...ARTIFACTS.gasServiceProxy.abi.filter((item) => item.type === 'function' && item.name === 'init'),
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

const nonceOn = async (chain: Chain): Promise<number> =>
  // CAST: anvil answers hex to eth_getTransactionCount.
  Number((await chain.rpc('eth_getTransactionCount', DEPLOYER, 'latest')) as Hex)

/** The address of the deployer's next deployment. */
export const nextAddress = async (chain: Chain): Promise<Hex> =>
  getContractAddress({ from: DEPLOYER, nonce: BigInt(await nonceOn(chain)) })

const deployOn =
  (chain: Chain) =>
  async (name: ContractName, args: readonly unknown[] = []): Promise<Hex> => {
    const { abi, bytecode } = ARTIFACTS[name]
    const address = await nextAddress(chain)
    const data = encodeDeployData({ abi, bytecode, args })
    const request = { from: DEPLOYER, data, gas: numberToHex(15_000_000), gasPrice: '0x0' }
    // CAST: anvil's receipt.
    const receipt = (await chain.rpc('eth_sendTransactionSync', request)) as { readonly status: Hex }
    assert.equal(receipt.status, '0x1', `${name} was not deployed`)
    return address
  }

const deployAxelar = async (
  chain: Chain,
  deploy: Site['deploy'],
): Promise<Pick<Site, 'gateway' | 'gasService'>> => {
  const auth = await deploy('auth', [[encodeOperators(SIGNER_SET)]])
  const implementation = await deploy('gateway', [auth, await deploy('tokenDeployer')])
  const setup = encodeAbiParameters(parseAbiParameters('address, address, bytes'), [DEPLOYER, DEPLOYER, '0x'])
  const gateway = await deploy('gatewayProxy', [implementation, setup])
  const transfer = { abi: ARTIFACTS.auth.abi, functionName: 'transferOwnership', args: [gateway] }
  await chain.run({ from: DEPLOYER, to: auth, data: encodeFunctionData(transfer) })
  const gasService = await deploy('gasServiceProxy')
  const data = chain.encode('init', [await deploy('gasService', [DEPLOYER]), DEPLOYER, '0x'])
  await chain.run({ from: DEPLOYER, to: gasService, data })
  return { gateway, gasService }
}

/** Deploys Axelar and Uniswap on a chain. */
export const buildSite = async (number: number, axelarChain: string, anvil: PrivateAnvil): Promise<Site> => {
  const chain = openChain(number, anvil, MERGED_ABI)
  const deploy = deployOn(chain)
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
  const input = await signGatewayBatch(SIGNER_SET, BigInt(site.number), commands)
  const data = encodeFunctionData({ abi: ARTIFACTS.gateway.abi, functionName: 'execute', args: [input] })
  await site.run({ from: DEPLOYER, to: site.gateway, data })
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
