import type { EvmCall, EvmChain } from './evm-chain.ts'

const CALLS_PER_ROUND_TRIP = 100

/**
 * Reads any number of contract calls, at most 100 per round trip; results are in call order, undefined for a revert.
 * All results refer to one block only if a block hash is given.
 */
export const readAll = async (
  chain: Pick<EvmChain, 'callMany'>,
  calls: readonly EvmCall[],
  blockHash?: string,
): Promise<readonly (string | undefined)[]> => {
  const answers: (string | undefined)[] = []
  for (let first = 0; first < calls.length; first += CALLS_PER_ROUND_TRIP)
    answers.push(...(await chain.callMany(calls.slice(first, first + CALLS_PER_ROUND_TRIP), blockHash)))
  return answers
}
