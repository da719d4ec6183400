import type { EvmCall, EvmChain } from './evm-chain.ts'

const CALLS_PER_ROUND_TRIP = 100

/**
 * Any number of contract reads, at most 100 per round trip, answers in order; a call that reverts answers undefined. Only
 * with a block's hash are all of one block.
 */
export const readAll = async (
  chain: EvmChain,
  calls: readonly EvmCall[],
  blockHash?: string,
): Promise<readonly (string | undefined)[]> => {
  const answers: (string | undefined)[] = []
  for (let first = 0; first < calls.length; first += CALLS_PER_ROUND_TRIP)
    answers.push(...(await chain.callMany(calls.slice(first, first + CALLS_PER_ROUND_TRIP), blockHash)))
  return answers
}
