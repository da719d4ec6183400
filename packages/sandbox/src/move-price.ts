import { evmChainNumberOf, RfqError } from '@openrfq/sdk'
import { mulDivDown } from 'openrfq/amount'
import { createMutex } from 'openrfq/lib/mutex'
import type { ExchangePool } from 'openrfq/network'
import { squareRoot } from 'openrfq/uniswap-v3/tick-math'
import {
  createPublicClient,
  createWalletClient,
  erc20Abi,
  http,
  maxUint256,
  parseAbi,
  zeroAddress,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { viemChain } from './deploy/account.ts'
import type { BuiltChain, Hex } from './deployment-types.ts'
import { LIQUIDITY_PROVIDER } from './keys.ts'

/** Trades in every pool of two tokens until the first token's price in the second has moved by the given bps. */
export type MovePrice = (tokenA: Hex, tokenB: Hex, moveBps: number) => Promise<void>

const POOL_ABI = parseAbi([
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16 observationIndex, uint16 observationCardinality, uint16 observationCardinalityNext, uint8 feeProtocol, bool unlocked)',
])
const ROUTER_ABI = parseAbi([
  'struct ExactInputSingleParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(ExactInputSingleParams params) payable returns (uint256 amountOut)',
])

const BPS = 10_000n
const GAS = 5_000_000n
const TIMEOUT_MS = 10_000
const POLL_MS = 50

/** The square root price after token0's, or token1's, price has moved; rounded down. */
const moved = (sqrtPrice: bigint, isToken0: boolean, moveBps: number): bigint => {
  const factor = BPS + BigInt(moveBps)
  const [numerator, denominator] = isToken0 ? [factor, BPS] : [BPS, factor]
  return squareRoot(mulDivDown(sqrtPrice * sqrtPrice, numerator, denominator))
}

const createTrader = ({ chainId, rpcUrl, exchange }: BuiltChain) => {
  const account = privateKeyToAccount(LIQUIDITY_PROVIDER.privateKey)
  const chain = viemChain(Number(evmChainNumberOf(chainId)), rpcUrl)
  const options = { chain, transport: http(rpcUrl, { retryCount: 1, timeout: TIMEOUT_MS }) }
  const client = createPublicClient({ ...options, cacheTime: 0 })
  const wallet = createWalletClient({ ...options, account })
  // CAST: the deployment's addresses were validated when it was read.
  const hex = (address: string): Hex => address as Hex

  const priceOf = async ({ address }: ExchangePool): Promise<bigint> => {
    const [price] = await client.readContract({
      address: hex(address),
      abi: POOL_ABI,
      functionName: 'slot0',
    })
    return price
  }

  /** Offers the whole balance; the pool takes only what reaching the price needs. */
  const tradeTo = async (pool: ExchangePool, price: bigint): Promise<void> => {
    const falls = price < (await priceOf(pool))
    const [tokenIn, tokenOut] = falls ? [pool.token0, pool.token1] : [pool.token1, pool.token0]
    const amountIn = await client.readContract({
      address: hex(tokenIn),
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [account.address],
    })
    const hash = await wallet.writeContract({
      address: hex(exchange.router),
      abi: ROUTER_ABI,
      functionName: 'exactInputSingle',
      args: [
        {
          tokenIn: hex(tokenIn),
          tokenOut: hex(tokenOut),
          fee: pool.fee,
          recipient: account.address,
          deadline: maxUint256,
          amountIn,
          amountOutMinimum: 0n,
          sqrtPriceLimitX96: price,
        },
      ],
      gas: GAS,
      nonce: await client.getTransactionCount({ address: account.address, blockTag: 'pending' }),
    })
    await client.waitForTransactionReceipt({ hash, pollingInterval: POLL_MS, timeout: TIMEOUT_MS })
    if ((await priceOf(pool)) !== price)
      throw new RfqError('AMOUNT_OUT_OF_RANGE', `pool ${pool.address} cannot be traded so far`, {
        pool: pool.address,
      })
  }

  return { priceOf, tradeTo }
}

/**
 * Moves prices from the liquidity provider's account; the zero address is the wrapped native asset. Throws RfqError
 * UNSUPPORTED_ROUTE when no pool trades the pair, and AMOUNT_OUT_OF_RANGE when the balance cannot reach the price.
 */
export const createMovePrice = (chain: BuiltChain): MovePrice => {
  const { pools, wrappedNative } = chain.exchange
  const { priceOf, tradeTo } = createTrader(chain)
  const inTurn = createMutex()
  const traded = (token: Hex): string => (token === zeroAddress ? wrappedNative : token).toLowerCase()

  return (tokenA, tokenB, moveBps) =>
    inTurn(async () => {
      const [a, b] = [traded(tokenA), traded(tokenB)]
      const ofBoth = pools.filter(({ token0, token1 }) => {
        const pair = [token0.toLowerCase(), token1.toLowerCase()]
        return a !== b && pair.includes(a) && pair.includes(b)
      })
      if (ofBoth.length === 0)
        throw new RfqError('UNSUPPORTED_ROUTE', `no pool trades ${tokenA} for ${tokenB}`, { tokenA, tokenB })
      for (const pool of ofBoth) {
        const price = await priceOf(pool)
        const target = moved(price, pool.token0.toLowerCase() === a, moveBps)
        if (target !== price) await tradeTo(pool, target)
      }
    })
}
