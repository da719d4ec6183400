import { FUTURE_SECONDS, type Lie } from '../lie.ts'
import { type AnswerCall, itemsOf, mapResult, membersOf, type RpcAnswer } from '../rpc-message.ts'
import { exaggerateCall, exaggerateReceipt } from './evm-amounts.ts'
import { numberOf, quantity } from './evm-endpoint.ts'
import type { ForgedLogs } from './forged-logs.ts'

/** What a lying endpoint knows. */
export type EvmLiarDeps = {
  readonly honest: AnswerCall
  /** The newest block when the lie began. */
  readonly since: number
  /** Logs of orders that are open, made up. */
  readonly forged: ForgedLogs
}

const NO_BLOOM = `0x${'00'.repeat(256)}`
const FULL_BLOOM = `0x${'ff'.repeat(256)}`
const WRONG_CHAIN = '0x270f'

const isReceipt = (method: string): boolean => method === 'eth_getTransactionReceipt'
const isBlock = (method: string): boolean => method.startsWith('eth_getBlockBy')

const change = (value: unknown, members: (known: Readonly<Record<string, unknown>>) => object): unknown =>
  value === null ? null : { ...membersOf(value), ...members(membersOf(value)) }

const withoutLogs = (value: unknown): unknown => change(value, () => ({ logs: [], logsBloom: NO_BLOOM }))
const withoutBloom = (value: unknown): unknown => change(value, () => ({ logsBloom: NO_BLOOM }))
const failed = (value: unknown): unknown =>
  change(value, () => ({ status: '0x0', logs: [], logsBloom: NO_BLOOM }))

const later = (timestamp: unknown): string => quantity((numberOf(timestamp) ?? 0) + FUTURE_SECONDS)

const hideLogs =
  ({ honest }: EvmLiarDeps): AnswerCall =>
  async (call) => {
    const answer = await honest(call)
    if (call.method === 'eth_getLogs') return mapResult(answer, () => [])
    if (isReceipt(call.method)) return mapResult(answer, withoutLogs)
    return isBlock(call.method) ? mapResult(answer, withoutBloom) : answer
  }

const fakeLogs =
  ({ honest, forged }: EvmLiarDeps): AnswerCall =>
  async (call) => {
    const [asked] = itemsOf(call.params)
    const answer = await honest(call)
    if (call.method === 'eth_getLogs') {
      const additional = await forged.logs(asked)
      return mapResult(answer, (logs) => [...itemsOf(logs), ...additional])
    }
    if (isReceipt(call.method)) return mapResult(answer, (found) => found ?? forged.receipt(asked))
    if (call.method === 'eth_getTransactionByHash')
      return mapResult(answer, (found) => found ?? forged.transaction(asked))
    if (!isBlock(call.method)) return answer
    return mapResult(answer, (block) =>
      change(block, ({ hash }) => (forged.isIn(hash) ? { logsBloom: FULL_BLOOM } : {})),
    )
  }

const futureTime =
  ({ honest, since }: EvmLiarDeps): AnswerCall =>
  async (call) => {
    const answer = await honest(call)
    if (call.method === 'eth_getLogs')
      return mapResult(answer, (logs) =>
        itemsOf(logs).map((log) =>
          change(log, ({ blockTimestamp, blockNumber }) =>
            (numberOf(blockNumber) ?? 0) < since ? {} : { blockTimestamp: later(blockTimestamp) },
          ),
        ),
      )
    if (!isBlock(call.method)) return answer
    return mapResult(answer, (block) =>
      change(block, ({ number, timestamp }) =>
        (numberOf(number) ?? 0) < since ? {} : { timestamp: later(timestamp) },
      ),
    )
  }

const onReceipts =
  ({ honest }: EvmLiarDeps, lie: (receipt: unknown) => unknown): AnswerCall =>
  async (call) => {
    const answer = await honest(call)
    return isReceipt(call.method) ? mapResult(answer, lie) : answer
  }

const nullReceipts =
  ({ honest }: EvmLiarDeps): AnswerCall =>
  async (call): Promise<RpcAnswer> =>
    isReceipt(call.method) || call.method === 'eth_getTransactionByHash' ? { result: null } : honest(call)

const wrongChain =
  ({ honest }: EvmLiarDeps): AnswerCall =>
  async (call) => {
    if (call.method === 'eth_chainId') return { result: WRONG_CHAIN }
    return call.method === 'net_version' ? { result: `${Number(WRONG_CHAIN)}` } : honest(call)
  }

/** The answers of an endpoint that tells the lie; honest ones for what lies below JSON-RPC. */
export const tellEvmLie = (lie: Lie, deps: EvmLiarDeps): AnswerCall => {
  switch (lie) {
    case 'hide_logs':
      return hideLogs(deps)
    case 'fake_logs':
      return fakeLogs(deps)
    case 'failed_receipts':
      return onReceipts(deps, failed)
    case 'null_receipts':
      return nullReceipts(deps)
    case 'fake_receipts':
      return onReceipts(deps, exaggerateReceipt)
    case 'fake_calls':
      return async (call) => exaggerateCall(call, await deps.honest(call))
    case 'future_time':
      return futureTime(deps)
    case 'wrong_chain':
      return wrongChain(deps)
    default:
      return deps.honest
  }
}
