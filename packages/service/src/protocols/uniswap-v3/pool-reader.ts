import { addressWord, uintAt, uintWord } from '../../chains/evm/abi-words.ts'
import type { EvmCall, EvmChain } from '../../chains/evm/evm-chain.ts'
import { readAll } from '../../chains/evm/read-all.ts'
import { RpcError } from '../../chains/rpc/rpc-error.ts'
import type { Exchange, ExchangePool } from '../../core/network.ts'
import { createDepth, type InitializedTick, type PoolDepth, type PoolState, wordOfTick } from './pool.ts'

/** Reads the state of every priced pool as of the block with the given hash. Rejects on failure. */
export type PoolReader = (blockHash: string) => Promise<readonly PoolState[]>

type Price = Pick<PoolState, 'sqrtPrice' | 'tick' | 'liquidity'>
type Words = { readonly first: number; readonly last: number }
type KnownDepth = { readonly source: string; readonly depth: PoolDepth }

/** Source: Uniswap v3-core, IUniswapV3PoolState; v3-periphery, ITickLens. */
const SLOT0 = '0x3850c7bd'
const LIQUIDITY = '0x1a686502'
const POPULATED_TICKS = '0x351fb478'

const TICKS_PER_WORD = 256
/** Ticks within which the price halves or doubles on each side; quotes never move a price further. */
const WANTED_TICKS = 6_932
/** Covers less with a narrow spacing: four words of spacing 1 are ten percent. */
const MAX_WORDS_EACH_SIDE = 4
/** The maximum number of initialized ticks in one word. */
const MAX_TICKS_OF_WORD = 256

const signed = (bits: number, value: bigint): bigint => BigInt.asIntN(bits, value)

const priceCalls = ({ address }: ExchangePool): readonly EvmCall[] => [
  { to: address, data: SLOT0 },
  { to: address, data: LIQUIDITY },
]

const expectUint = (answer: string | undefined, position: number, what: string): bigint => {
  const value = answer === undefined ? undefined : uintAt(answer, position)
  if (value === undefined) throw new RpcError('REFUSED', `${what} cannot be read`)
  return value
}

/** The pool's price; undefined before the pool is initialized. */
const parsePrice = (
  { address }: ExchangePool,
  slot0: string | undefined,
  liquidity: string | undefined,
): Price | undefined => {
  const sqrtPrice = expectUint(slot0, 0, `price of pool ${address}`)
  if (sqrtPrice === 0n) return undefined
  return {
    sqrtPrice,
    tick: Number(signed(24, expectUint(slot0, 1, `tick of pool ${address}`))),
    liquidity: expectUint(liquidity, 0, `liquidity of pool ${address}`),
  }
}

const wordsAround = (tick: number, tickSpacing: number): Words => {
  const wanted = Math.ceil(WANTED_TICKS / (TICKS_PER_WORD * tickSpacing))
  const eachSide = Math.min(wanted, MAX_WORDS_EACH_SIDE)
  const middle = wordOfTick(tick, tickSpacing)
  return { first: middle - eachSide, last: middle + eachSide }
}

const wordCalls = (tickLens: string, pool: ExchangePool, { first, last }: Words): readonly EvmCall[] =>
  Array.from({ length: last - first + 1 }, (_, index) => ({
    to: tickLens,
    data: POPULATED_TICKS + addressWord(pool.address) + uintWord(BigInt.asUintN(256, BigInt(first + index))),
  }))

/** Parses the initialized ticks of one word, as `getPopulatedTicksInWord` returns them. */
const parseTicks = (answer: string | undefined): readonly InitializedTick[] => {
  const length = expectUint(answer, 1, 'ticks of a pool')
  if (length > MAX_TICKS_OF_WORD)
    throw new RpcError('MALFORMED', `a word of a pool cannot hold ${length} ticks`)
  return Array.from({ length: Number(length) }, (_, index) => ({
    tick: Number(signed(24, expectUint(answer, 2 + 3 * index, 'tick of a pool'))),
    liquidityNet: signed(128, expectUint(answer, 3 + 3 * index, 'liquidity of a tick')),
  }))
}

/** Caches depths per pool; a depth is rebuilt only when the data it came from changes. */
const createDepths = () => {
  const known = new Map<string, KnownDepth>()
  return (pool: ExchangePool, words: Words, answers: readonly (string | undefined)[]): PoolDepth => {
    const source = `${words.first} ${answers.join(' ')}`
    const found = known.get(pool.address)
    if (found?.source === source) return found.depth
    const depth = createDepth({
      tickSpacing: pool.tickSpacing,
      firstWord: words.first,
      lastWord: words.last,
      ticks: answers.flatMap(parseTicks),
    })
    known.set(pool.address, { source, depth })
    return depth
  }
}

/**
 * Creates a reader of an exchange's pools that takes two round trips: first the prices, then the liquidity around them.
 */
export const createPoolReader = (
  chain: EvmChain,
  { pools, tickLens }: Pick<Exchange, 'pools' | 'tickLens'>,
): PoolReader => {
  const depthOf = createDepths()

  const readPrices = async (blockHash: string) => {
    const answers = await readAll(chain, pools.flatMap(priceCalls), blockHash)
    return pools.flatMap((pool, position) => {
      const price = parsePrice(pool, answers[2 * position], answers[2 * position + 1])
      return price === undefined ? [] : [{ pool, price, words: wordsAround(price.tick, pool.tickSpacing) }]
    })
  }

  return async (blockHash) => {
    const priced = await readPrices(blockHash)
    const calls = priced.map(({ pool, words }) => wordCalls(tickLens, pool, words))
    const answers = await readAll(chain, calls.flat(), blockHash)
    let next = 0
    return priced.map(({ pool, price, words }, position) => {
      const first = next
      next += calls[position]?.length ?? 0
      return { pool, ...price, depth: depthOf(pool, words, answers.slice(first, next)) }
    })
  }
}
