import { startSandbox } from '@openrfq/sandbox/src/index.ts'
import { createEvmChain } from 'openrfq/src/chains/evm/index.ts'
import { Network } from 'openrfq/src/core/network.ts'
import { bestPathForInput } from 'openrfq/src/protocols/uniswap-v3/path-price.ts'
import type { PoolState } from 'openrfq/src/protocols/uniswap-v3/pool.ts'
import { priceExactInput, priceExactOutput } from 'openrfq/src/protocols/uniswap-v3/pool-price.ts'
import { createPoolReader } from 'openrfq/src/protocols/uniswap-v3/pool-reader.ts'
import { encodeFunctionData, getAddress, parseAbi } from 'viem'

const QUOTER_ABI = parseAbi([
  'struct Input { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 sqrtPriceLimitX96; }',
  'function quoteExactInputSingle(Input params) returns (uint256 amountOut, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)',
])

const LOCAL_RUNS = 4_000
const CALL_RUNS = 100
const WARM_RUNS = 2_000
/** The limit of the median local price, in microseconds. */
const GOAL_US = 50
/** Whole ether to sell, crossing a few to many ticks. */
const AMOUNTS = [1n, 100n, 1_000n].map((ether) => ether * 10n ** 18n)

const middle = (samples: readonly number[], part: number): number =>
  samples.toSorted((one, other) => one - other)[Math.floor(samples.length * part)] ?? Number.NaN

/** Median and 95th percentile of single runs, in microseconds. */
const timeLocal = (run: () => unknown): readonly [number, number] => {
  for (let index = 0; index < WARM_RUNS; index += 1) run()
  const samples = Array.from({ length: LOCAL_RUNS }, () => {
    const started = process.hrtime.bigint()
    run()
    return Number(process.hrtime.bigint() - started) / 1_000
  })
  return [middle(samples, 0.5), middle(samples, 0.95)]
}

const timeCall = async (run: () => Promise<unknown>): Promise<readonly [number, number]> => {
  const samples: number[] = []
  for (let index = 0; index < CALL_RUNS; index += 1) {
    const started = performance.now()
    await run()
    samples.push((performance.now() - started) * 1_000)
  }
  return [middle(samples, 0.5), middle(samples, 0.95)]
}

const say = (what: string, [median, p95]: readonly [number, number]): void => {
  process.stdout.write(`${what.padEnd(58)} ${median.toFixed(1).padStart(9)} ${p95.toFixed(1).padStart(9)}\n`)
}

const sandbox = await startSandbox({ withPaymentChains: false, log: () => undefined, now: Date.now })
const [configured] = Network.parse(sandbox.network).chains
if (configured?.exchange === undefined) throw new Error('the sandbox has no exchange')
const { exchange } = configured
const chain = createEvmChain({ ...configured, now: Date.now, log: () => undefined })
await chain.start()

const quoteCall = ({ pool }: PoolState, zeroForOne: boolean, amountIn: bigint) => {
  const [tokenIn, tokenOut] = zeroForOne ? [pool.token0, pool.token1] : [pool.token1, pool.token0]
  const params = { tokenIn: getAddress(tokenIn), tokenOut: getAddress(tokenOut), fee: pool.fee }
  const args = [{ ...params, amountIn, sqrtPriceLimitX96: 0n }] as const
  return {
    to: exchange.quoter ?? '',
    data: encodeFunctionData({ abi: QUOTER_ABI, functionName: 'quoteExactInputSingle', args }),
  }
}

/** Compares prices on one pool, on all paths, and of the exchange's own quoter. Returns the slowest local median. */
const compare = async (states: readonly PoolState[], state: PoolState, amount: bigint): Promise<number> => {
  const zeroForOne = state.pool.token0 === exchange.wrappedNative
  const [tokenIn, tokenOut] = zeroForOne
    ? [state.pool.token0, state.pool.token1]
    : [state.pool.token1, state.pool.token0]
  const price = priceExactInput(state, zeroForOne, amount)
  if (price === undefined) throw new Error(`no price for ${amount}`)
  const call = quoteCall(state, zeroForOne, amount)
  const [answer = '0x0'] = await chain.callMany([call])
  if (BigInt(answer.slice(0, 66)) !== price.amountOut)
    throw new Error("a local price differs from the quoter's")
  const name = `sell ${amount / 10n ** 18n} ETH at ${state.pool.fee / 10_000} %`
  const input = timeLocal(() => priceExactInput(state, zeroForOne, amount))
  const output = timeLocal(() => priceExactOutput(state, zeroForOne, price.amountOut))
  say(`${name}: local, exact input`, input)
  say(`${name}: local, exact output`, output)
  say(
    `${name}: local, best of all paths`,
    timeLocal(() => bestPathForInput(states, tokenIn, tokenOut, amount)),
  )
  say(`${name}: QuoterV2 by eth_call`, await timeCall(() => chain.callMany([call])))
  return Math.max(input[0], output[0])
}

try {
  const head = chain.head()
  if (head === undefined) throw new Error('the sandbox has no head')
  const states = await createPoolReader(chain, exchange)(head.hash)
  process.stdout.write(`${'microseconds'.padEnd(58)} ${'median'.padStart(9)} ${'p95'.padStart(9)}\n`)
  let slowest = 0
  for (const state of states.slice(0, 2))
    for (const amount of AMOUNTS) slowest = Math.max(slowest, await compare(states, state, amount))
  process.stdout.write(`slowest local median ${slowest.toFixed(1)} us, goal ${GOAL_US} us\n`)
  process.exitCode = slowest <= GOAL_US ? 0 : 1
} finally {
  chain.stop()
  await sandbox.stop()
}
