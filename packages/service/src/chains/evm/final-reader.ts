import type { RpcAnswer } from '../rpc/json-rpc.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcAsk, RpcWork } from '../rpc/rpc-members.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { blockCall, expectBlock, logsCall, parseBlock, parseLogs, quantity } from './block-calls.ts'
import type { EvmBlock, EvmBlockLog, EvmChain, EvmLogFilter, WatchedLog } from './evm-chain.ts'
import { expectFinal, type Finality, finalityCall } from './finality.ts'

type Deps = { readonly pool: RpcPool; readonly finality: Finality; readonly deadlineMs: number }

type BlockRange = { readonly first: bigint; readonly last: bigint }

/** One endpoint's answer about the blocks above a root. */
type FinalRange = {
  /** The hash of its block at the root's number. */
  readonly rootHash: string
  readonly last: EvmBlock
  readonly logs: readonly WatchedLog[]
}

/** Adds block times to logs; throws if a log's block is not the chain's block at its number. */
export const datedLogs = (
  logs: readonly EvmBlockLog[],
  blocks: readonly EvmBlock[],
): readonly WatchedLog[] => {
  const byHash = new Map(blocks.map((block) => [block.hash, block]))
  return logs.map((log) => {
    const block = byHash.get(log.blockHash)
    if (block?.number !== log.blockNumber)
      throw new RpcError('CHAIN_CHANGED', `block ${log.blockNumber} changed while it was read`)
    return { ...log, timestampSeconds: block.timestampSeconds }
  })
}

/** A node so far past a block that it does not have keeps no such old blocks; one behind the same URL may only be late. */
const PRUNED_BLOCKS = 256n

/** The block at a number up to which the node calls blocks final. Throws RpcError NODE_PRUNED or NODE_BEHIND without it. */
const expectKept = (answer: RpcAnswer | undefined, number: bigint, final: bigint): EvmBlock => {
  if (final - number > PRUNED_BLOCKS && answer?.ok === true && answer.result === null)
    throw new RpcError('NODE_PRUNED', `node no longer has block ${number}`)
  return expectBlock(answer, number)
}

/** The code of an answer without pruned history, and what nodes say that have another. Source: EIP-4444. */
const PRUNED_CODE = 4444
const PRUNED = /prun|histor(?:y|ical).*(?:not available|unavailable)/i

/**
 * The logs; throws RpcError NODE_PRUNED if the node has the blocks but keeps their logs no longer, MALFORMED for logs of
 * other blocks.
 */
const expectKeptLogs = (
  answer: RpcAnswer | undefined,
  filter: EvmLogFilter,
  { first, last }: BlockRange,
): readonly EvmBlockLog[] => {
  if (answer?.ok === false && (answer.code === PRUNED_CODE || PRUNED.test(answer.message)))
    throw new RpcError('NODE_PRUNED', `node no longer has the logs: it refused with code ${answer.code}`)
  const logs = parseLogs(answer, filter)
  if (!logs.every(({ blockNumber }) => blockNumber >= first && blockNumber <= last))
    throw new RpcError('MALFORMED', 'logs that were not asked for')
  return logs
}

/** The block; throws RpcError AHEAD_OF_CLOCK for one whose time is too far ahead of our clock. */
const expectPast = (ask: RpcAsk, block: EvmBlock): EvmBlock => {
  ask.checkTime(block.timestampSeconds)
  return block
}

const readBlocks = async (ask: RpcAsk, numbers: readonly bigint[]): Promise<readonly EvmBlock[]> => {
  if (numbers.length === 0) return []
  const answers = await ask(numbers.map(blockCall))
  return numbers.map((number, index) => expectPast(ask, expectBlock(answers[index], number)))
}

/** Reads the range from one endpoint that considers its last block final. */
const readRange =
  (finality: Finality, root: bigint, last: bigint, filter: EvmLogFilter): RpcWork<FinalRange> =>
  async (ask) => {
    const range = { fromBlock: quantity(root + 1n), toBlock: quantity(last) }
    const [final, rootAnswer, lastAnswer, logsAnswer] = await ask([
      finalityCall(finality),
      blockCall(root),
      blockCall(last),
      logsCall(filter, range),
    ])
    const finalNumber = expectFinal(final, finality, last)
    const lastBlock = expectPast(ask, expectKept(lastAnswer, last, finalNumber))
    const logs = expectKeptLogs(logsAnswer, filter, { first: root + 1n, last })
    const others = new Set(logs.map(({ blockNumber }) => blockNumber).filter((number) => number !== last))
    return {
      rootHash: expectKept(rootAnswer, root, finalNumber).hash,
      last: lastBlock,
      logs: datedLogs(logs, [lastBlock, ...(await readBlocks(ask, [...others]))]),
    }
  }

/**
 * Reads blocks and logs that a quorum of endpoints returns alike, each of them only from blocks that are final to it.
 */
export const createFinalReader = ({
  pool,
  finality,
  deadlineMs,
}: Deps): Pick<EvmChain, 'finalBlock' | 'finalLogs' | 'finalLogsOfEach' | 'genesisHash'> => ({
  finalLogsOfEach: pool.each.map((work) => ({ first, last }, filter) => {
    const range = { fromBlock: quantity(first), toBlock: quantity(last) }
    return work(async (ask) => {
      const [final, logs] = await ask([finalityCall(finality), logsCall(filter, range)])
      expectFinal(final, finality, last)
      return expectKeptLogs(logs, filter, { first, last })
    }, deadlineMs)
  }),
  genesisHash: () =>
    pool.agree({
      work: async (ask) => {
        const [first] = await ask([blockCall(0n)])
        return first?.ok === true ? parseBlock(first)?.hash : undefined
      },
      deadlineMs,
    }),
  finalBlock: (number) =>
    pool.agree({
      work: async (ask) => {
        const [final, block] = await ask([finalityCall(finality), blockCall(number)])
        const finalNumber = expectFinal(final, finality, number)
        return expectPast(ask, expectKept(block, number, finalNumber))
      },
      deadlineMs,
    }),
  finalLogs: async (root, last, filter) => {
    const { rootHash, ...found } = await pool.agree({
      work: readRange(finality, root.number, last, filter),
      deadlineMs,
    })
    return rootHash === root.hash ? found : undefined
  },
})
