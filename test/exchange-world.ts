import { createRequire } from 'node:module'
import { createEvmChain } from 'openrfq/src/chains/evm/index.ts'
import type { ExchangePool } from 'openrfq/src/core/network.ts'
import { createPoolReader } from 'openrfq/src/protocols/uniswap-v3/pool-reader.ts'
import { amount0Up, amount1Up } from 'openrfq/src/protocols/uniswap-v3/price-range.ts'
import { sqrtPriceAtTick } from 'openrfq/src/protocols/uniswap-v3/tick-math.ts'
import { startAnvil } from 'openrfq/test/private-anvil.ts'
import {
  type Abi,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  type Hex,
  maxUint256,
  parseAbi,
  zeroAddress,
} from 'viem'
import { z } from 'zod'

const require = createRequire(import.meta.url)
const HexText = z.templateLiteral(['0x', z.string()])
const Artifact = z.object({ abi: z.custom<Abi>(Array.isArray), bytecode: HexText })
const artifact = (path: string) => Artifact.parse(require(path))

const CORE = '@uniswap/v3-core/artifacts/contracts'
const PERIPHERY = '@uniswap/v3-periphery/artifacts/contracts'
const CHAIN_NUMBER = 31_400
/** The first account of anvil's well-known mnemonic; anvil signs for it. */
const ACCOUNT = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const GAS = '0x989680'
const SUPPLY = 1n << 220n
const SPACINGS = { 100: 1, 500: 10, 3000: 60, 10000: 200 } as const
const TICKS_PER_WORD = 256

const TOKEN_ABI = parseAbi([
  'function mint(address account, uint256 amount)',
  'function approve(address spender, uint256 amount) returns (bool)',
])
const FACTORY_ABI = parseAbi([
  'function enableFeeAmount(uint24 fee, int24 tickSpacing)',
  'function createPool(address tokenA, address tokenB, uint24 fee) returns (address)',
  'function getPool(address tokenA, address tokenB, uint24 fee) view returns (address)',
])
const POOL_ABI = parseAbi(['function initialize(uint160 sqrtPriceX96)'])
const POSITIONS_ABI = parseAbi([
  'struct MintParams { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'struct DecreaseParams { uint256 tokenId; uint128 liquidity; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }',
  'function mint(MintParams params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)',
  'function decreaseLiquidity(DecreaseParams params) payable returns (uint256 amount0, uint256 amount1)',
])
const ROUTER_ABI = parseAbi([
  'struct ExactInputSingleParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(ExactInputSingleParams params) payable returns (uint256 amountOut)',
])
const INCREASED = '0x3067048beee31b25b2f1681f88dac838c8bba36af25bfb2b7cf7473a5847e35f'

const Block = z.object({ hash: HexText })
const Receipts = z.array(
  z.object({
    contractAddress: HexText.nullish(),
    logs: z.array(z.object({ topics: z.array(HexText), data: HexText })),
  }),
)

/** A pool of the world; its positions keep the price between the two ticks. */
export type WorldPool = ExchangePool & {
  readonly address: Hex
  readonly lowest: number
  readonly highest: number
}

/** A position: half-open, in ticks. */
export type Range = { readonly lower: number; readonly upper: number }

/** A transaction of the world's account. */
export type Call = { readonly to: Hex; readonly data: Hex }

/** A real Uniswap v3 with pools of three tokens in four fee tiers at the given ticks, and calls that change them. */
export const startExchangeWorld = async (ticks: readonly number[]) => {
  const anvil = await startAnvil(
    CHAIN_NUMBER,
    '--gas-price',
    '0',
    '--base-fee',
    '0',
    '--prune-history',
    '--gas-limit',
    '1000000000',
  )
  const { rpc, rpcUrl } = anvil
  const chain = createEvmChain({
    chainId: `eip155:${CHAIN_NUMBER}`,
    rpcUrls: [rpcUrl],
    finality: 0,
    now: Date.now,
    log: () => undefined,
    timing: { readMs: 20_000 },
  })

  let nonce = 0
  /** Mines calls in one block; some may revert. */
  const mine = async (calls: readonly { readonly to?: Hex; readonly data: Hex }[]) => {
    const sent = calls.map((call) => {
      const request = { from: ACCOUNT, gas: GAS, gasPrice: '0x0', nonce: `0x${nonce.toString(16)}`, ...call }
      nonce += 1
      return rpc('eth_sendTransaction', request)
    })
    await Promise.all(sent)
    await rpc('evm_mine')
    const { hash: blockHash } = Block.parse(await rpc('eth_getBlockByNumber', 'latest', false))
    return { blockHash, receipts: Receipts.parse(await rpc('eth_getBlockReceipts', 'latest')) }
  }
  const deploy = async (path: string, args: readonly unknown[]): Promise<Hex> => {
    const { abi, bytecode } = artifact(path)
    const data = args.length === 0 ? bytecode : encodeDeployData({ abi, bytecode, args })
    const [receipt] = (await mine([{ data }])).receipts
    return getAddress(receipt?.contractAddress ?? '')
  }

  await rpc('evm_setAutomine', false)
  const factory = await deploy(`${CORE}/UniswapV3Factory.sol/UniswapV3Factory.json`, [])
  const positions = await deploy(
    `${PERIPHERY}/NonfungiblePositionManager.sol/NonfungiblePositionManager.json`,
    [factory, zeroAddress, zeroAddress],
  )
  const router = await deploy(`${PERIPHERY}/SwapRouter.sol/SwapRouter.json`, [factory, zeroAddress])
  const quoter = await deploy(`${PERIPHERY}/lens/QuoterV2.sol/QuoterV2.json`, [factory, zeroAddress])
  const tickLens = await deploy(`${PERIPHERY}/lens/TickLens.sol/TickLens.json`, [])
  const tokens: Hex[] = []
  for (const symbol of ['ONE', 'TWO', 'SIX'])
    tokens.push(await deploy('@openrfq/contracts/artifacts/OwnedToken.json', [symbol, symbol, 18]))
  const [a = zeroAddress, b = zeroAddress, c = zeroAddress] = tokens
  await mine([
    ...tokens.flatMap((to) => [
      { to, data: encodeFunctionData({ abi: TOKEN_ABI, functionName: 'mint', args: [ACCOUNT, SUPPLY] }) },
      ...[positions, router].map((spender) => ({
        to,
        data: encodeFunctionData({ abi: TOKEN_ABI, functionName: 'approve', args: [spender, maxUint256] }),
      })),
    ]),
    {
      to: factory,
      data: encodeFunctionData({ abi: FACTORY_ABI, functionName: 'enableFeeAmount', args: [100, 1] }),
    },
  ])

  const createPool = async (
    pair: readonly Hex[],
    fee: keyof typeof SPACINGS,
    tick: number,
  ): Promise<WorldPool> => {
    const [token0 = zeroAddress, token1 = zeroAddress] = pair.toSorted((x, y) =>
      BigInt(x) < BigInt(y) ? -1 : 1,
    )
    const args = [token0, token1, fee] as const
    await mine([
      { to: factory, data: encodeFunctionData({ abi: FACTORY_ABI, functionName: 'createPool', args }) },
    ])
    const [found] = await chain.callMany([
      { to: factory, data: encodeFunctionData({ abi: FACTORY_ABI, functionName: 'getPool', args }) },
    ])
    const address = getAddress(`0x${found?.slice(-40)}`)
    await mine([
      {
        to: address,
        data: encodeFunctionData({
          abi: POOL_ABI,
          functionName: 'initialize',
          args: [sqrtPriceAtTick(tick)],
        }),
      },
    ])
    const tickSpacing = SPACINGS[fee]
    const wordTicks = TICKS_PER_WORD * tickSpacing
    const word = Math.floor(tick / wordTicks)
    return {
      address,
      token0,
      token1,
      fee,
      tickSpacing,
      lowest: (word - 2) * wordTicks,
      highest: (word + 3) * wordTicks,
    }
  }
  const pools: WorldPool[] = []
  for (const [index, tick] of ticks.entries())
    pools.push(
      await createPool(
        index % 2 === 0 ? [a, b] : [b, c],
        ([100, 500, 3000, 10_000] as const)[(index >> 1) % 4] ?? 500,
        tick,
      ),
    )

  return {
    chain,
    pools,
    tokens: [a, b, c] as const,
    quoter,
    mine,
    read: createPoolReader(chain, { pools, tickLens }),
    mintCall: (pool: WorldPool, { lower, upper }: Range, sqrtPrice: bigint, liquidity: bigint): Call => {
      const [bottom, top] = [sqrtPriceAtTick(lower), sqrtPriceAtTick(upper)]
      const inside = sqrtPrice < bottom ? bottom : sqrtPrice > top ? top : sqrtPrice
      const params = {
        ...{ token0: getAddress(pool.token0), token1: getAddress(pool.token1), fee: pool.fee },
        ...{ tickLower: lower, tickUpper: upper },
        amount0Desired: amount0Up(inside, top, liquidity),
        amount1Desired: amount1Up(bottom, inside, liquidity),
        ...({ amount0Min: 0n, amount1Min: 0n, recipient: ACCOUNT, deadline: maxUint256 } as const),
      }
      return {
        to: positions,
        data: encodeFunctionData({ abi: POSITIONS_ABI, functionName: 'mint', args: [params] }),
      }
    },
    burnCall: (tokenId: bigint, liquidity: bigint): Call => ({
      to: positions,
      data: encodeFunctionData({
        abi: POSITIONS_ABI,
        functionName: 'decreaseLiquidity',
        args: [{ tokenId, liquidity, amount0Min: 0n, amount1Min: 0n, deadline: maxUint256 }],
      }),
    }),
    /** A swap of at most the amount, limited by the pool's bounds. */
    swapCall: (pool: WorldPool, zeroForOne: boolean, amountIn: bigint): Call => {
      const [tokenIn, tokenOut] = zeroForOne ? [pool.token0, pool.token1] : [pool.token1, pool.token0]
      const params = {
        ...{ tokenIn: getAddress(tokenIn), tokenOut: getAddress(tokenOut), fee: pool.fee, amountIn },
        ...({ recipient: ACCOUNT, deadline: maxUint256, amountOutMinimum: 0n } as const),
        sqrtPriceLimitX96: sqrtPriceAtTick(zeroForOne ? pool.lowest : pool.highest),
      }
      return {
        to: router,
        data: encodeFunctionData({ abi: ROUTER_ABI, functionName: 'exactInputSingle', args: [params] }),
      }
    },
    /** Positions created or increased by a block's transactions, with the added liquidity. */
    increased: ({ receipts }: { readonly receipts: z.infer<typeof Receipts> }) =>
      receipts
        .flatMap(({ logs }) => logs)
        .filter(({ topics }) => topics[0] === INCREASED)
        .map(({ topics, data }) => ({
          tokenId: BigInt(topics[1] ?? '0x0'),
          liquidity: BigInt(data.slice(0, 66)),
        })),
    stop: async () => {
      chain.stop()
      await anvil.stop()
    },
  }
}
