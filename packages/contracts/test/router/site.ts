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
  encodeDeployData,
  getContractAddress,
  type Hex,
  keccak256,
  numberToHex,
  parseAbi,
  parseAbiParameters,
  toHex,
  zeroAddress,
} from 'viem'

/** A chain with Axelar's gateway and gas service, the factory, and a Uniswap v3 exchange. */
export type Site = Chain &
  AxelarContracts & {
    readonly axelarName: string
    readonly factory: Hex
    readonly pools: Hex
    readonly positions: Hex
    readonly wrapped: Hex
    readonly deploy: Deploy<keyof typeof ARTIFACTS>
  }

/** Owns the factory. */
export const OWNER: Hex = '0xf000000000000000000000000000000000000002'
/** Deploys the factory as its first transaction on every chain. */
const FOUNDER: Hex = '0xf000000000000000000000000000000000000001'

const require = createRequire(import.meta.url)
const uniswap = (path: string) => loadArtifact(require.resolve(`@uniswap/${path}`))

const ARTIFACTS = {
  ...AXELAR_ARTIFACTS,
  pools: uniswap('v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json'),
  positions: uniswap(
    'v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json',
  ),
  wrapped: ownArtifact('WrappedNative'),
  factory: ownArtifact('factory/ContractFactory'),
  router: ownArtifact('router/ExpressRouter'),
  token: ownArtifact('test/HostileToken'),
  puppet: ownArtifact('test/Puppet'),
  flash: ownArtifact('test/FlashAttacker'),
  falsePools: ownArtifact('test/FalsePools'),
  sandwich: ownArtifact('test/Sandwich'),
} as const

/** The router's artifact. */
export const ROUTER_ARTIFACT = ARTIFACTS.router

/** All functions, events and errors used by the tests; entries of Axelar's ABIs that clash are left out. */
const MERGED_ABI: Abi = [
  ...ARTIFACTS.router.abi,
  ...ARTIFACTS.factory.abi,
  ...ARTIFACTS.token.abi,
  ...ARTIFACTS.puppet.abi,
  ...ARTIFACTS.flash.abi,
  ...ARTIFACTS.sandwich.abi.filter(({ type }) => type === 'function'),
  ...ARTIFACTS.falsePools.abi.filter(
    (item) => item.type === 'function' && ['setRegistered', 'setOutput'].includes(item.name),
  ),
  ...AXELAR_ABI,
  ...parseAbi([
    'function deposit() payable',
    'function createAndInitializePoolIfNecessary(address token0,address token1,uint24 fee,uint160 sqrtPriceX96) payable returns (address pool)',
    'function mint((address token0,address token1,uint24 fee,int24 tickLower,int24 tickUpper,uint256 amount0Desired,uint256 amount1Desired,uint256 amount0Min,uint256 amount1Min,address recipient,uint256 deadline) params) payable',
    'function tokenAddresses(string symbol) view returns (address)',
    'function isCommandExecuted(bytes32 commandId) view returns (bool)',
    'function getPool(address tokenA, address tokenB, uint24 fee) view returns (address)',
    'error TokenTransferFailed()',
  ]),
].filter(({ type }) => type === 'function' || type === 'event' || type === 'error')

const deployFactory = async (chain: Chain): Promise<Hex> => {
  const { abi, bytecode } = ARTIFACTS.factory
  const data = encodeDeployData({ abi, bytecode, args: [OWNER] })
  const request = { from: FOUNDER, data, gas: numberToHex(5_000_000), gasPrice: '0x0' }
  // CAST: anvil's receipt.
  const receipt = (await chain.rpc('eth_sendTransactionSync', request)) as { readonly status: Hex }
  assert.equal(receipt.status, '0x1')
  return getContractAddress({ from: FOUNDER, nonce: 0n })
}

/** Deploys the factory, Axelar and Uniswap on a chain. */
export const buildSite = async (number: number, axelarName: string, anvil: PrivateAnvil): Promise<Site> => {
  const chain = openChain(number, anvil, MERGED_ABI)
  const deploy = createDeploy(chain, ARTIFACTS)
  await chain.rpc('anvil_setBalance', DEPLOYER, numberToHex(10n ** 30n))
  const factory = await deployFactory(chain)
  const contracts = await deployAxelar(chain, deploy)
  const wrapped = await deploy('wrapped', ['Wrapped', 'WETH'])
  const pools = await deploy('pools')
  const positions = await deploy('positions', [pools, wrapped, zeroAddress])
  return { ...chain, ...contracts, axelarName, factory, pools, positions, wrapped, deploy }
}

/** Has the factory deploy a router with a chain's facts. Returns its address. */
export const deployRouter = async (
  site: Site,
  code: Hex,
  salt: Hex,
  facts: { readonly swapFactory?: Hex; readonly wrappedNative?: Hex } = {},
): Promise<Hex> => {
  const { gateway, gasService, pools: swapFactory, wrapped: wrappedNative } = site
  const chainName = toHex(site.axelarName.toLowerCase(), { size: 32 })
  const told = { gateway, gasService, chainName, proofWindow: 600, swapFactory, wrappedNative, ...facts }
  await site.run({ from: OWNER, to: site.factory, data: site.encode('deploy', [code, salt, told]) })
  // CAST: the factory answers an address.
  return (await site.read(site.factory, 'addressOf', [keccak256(code), salt])) as Hex
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
