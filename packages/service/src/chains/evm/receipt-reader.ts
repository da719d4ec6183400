import { createLru } from '../../lib/lru.ts'
import { shareInFlight } from '../../lib/share-in-flight.ts'
import { expectResult } from '../rpc/expect-result.ts'
import type { RpcAnswer, RpcCall } from '../rpc/json-rpc.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { expectCaughtUp } from './caught-up.ts'
import type { EvmHead, EvmReceipt } from './evm-chain.ts'
import { RpcBlock, RpcReceipt, RpcTransaction } from './rpc-answers.ts'

type Deps = {
  readonly pool: RpcPool
  readonly head: () => EvmHead | undefined
  readonly deadlineMs: number
}

/** The receipt of a transaction as read under one head. */
type Settled = { readonly headHash: string | undefined; readonly receipt: EvmReceipt | undefined }
type Mined = { readonly receipt: RpcReceipt; readonly transaction: RpcTransaction }

const TX_HASH = /^0x[0-9a-f]{64}$/
const MAX_SETTLED = 5_000

const calls = (txHash: string): readonly RpcCall[] => [
  { method: 'eth_blockNumber', params: [] },
  { method: 'eth_getTransactionReceipt', params: [txHash] },
  { method: 'eth_getTransactionByHash', params: [txHash] },
]

const parseMined = (answers: readonly RpcAnswer[], txHash: string, headNumber: bigint): Mined | undefined => {
  const receipt = expectResult(answers[1], RpcReceipt.nullable())
  if (receipt === null) {
    expectCaughtUp(answers[0], headNumber)
    return undefined
  }
  const transaction = expectResult(answers[2], RpcTransaction)
  if (receipt.transactionHash !== txHash || transaction.hash !== txHash)
    throw new RpcError('MALFORMED', `answer about another transaction than ${txHash}`)
  if (transaction.blockHash !== receipt.blockHash)
    throw new RpcError('CHAIN_CHANGED', `${txHash} moved between two blocks`)
  return { receipt, transaction }
}

const present = ({ receipt, transaction }: Mined, timestampSeconds: number, final: boolean): EvmReceipt => ({
  txHash: receipt.transactionHash,
  blockNumber: receipt.blockNumber,
  blockHash: receipt.blockHash,
  timestampSeconds,
  succeeded: receipt.status === '0x1',
  from: transaction.from,
  to: transaction.to,
  input: transaction.input,
  value: transaction.value,
  logs: receipt.logs.map(({ address, topics, data }) => ({ address, topics, data })),
  final,
})

/** Reads one receipt from the chain. */
const createReader = ({ pool, head, deadlineMs }: Deps) => {
  const readBlock = (number: bigint, leftMs: number): Promise<RpcBlock> =>
    pool.read({
      calls: [{ method: 'eth_getBlockByNumber', params: [`0x${number.toString(16)}`, false] }],
      parse: ([answer]) => expectResult(answer, RpcBlock),
      deadlineMs: leftMs,
    })

  return async (txHash: string): Promise<EvmReceipt | undefined> => {
    const started = performance.now()
    const known = head()
    const mined = await pool.read({
      calls: calls(txHash),
      parse: (answers) => parseMined(answers, txHash, known?.number ?? 0n),
      deadlineMs,
    })
    if (mined === undefined && known === undefined)
      throw new RpcError('NO_HEAD', 'no head to tell a node that lags by')
    if (mined === undefined) return undefined
    const { blockNumber, blockHash } = mined.receipt
    const block = await readBlock(blockNumber, deadlineMs - (performance.now() - started))
    if (block.hash !== blockHash)
      throw new RpcError('CHAIN_CHANGED', `${txHash} is in a block that left the chain`)
    return present(mined, block.timestamp, known !== undefined && blockNumber <= known.finalNumber)
  }
}

/**
 * Reads receipts with their transactions. A receipt is valid only while the chain's block at its number is the one it
 * names; final ones are cached, others are read once per head. Undefined means that an endpoint that has reached the
 * known head does not know the transaction; rejects if no endpoint can say.
 */
export const createReceiptReader = (deps: Deps) => {
  const read = createReader(deps)
  const settled = createLru<string, Settled>(MAX_SETTLED)
  const share = shareInFlight<string, EvmReceipt | undefined>()

  const readAndKeep = async (txHash: string): Promise<EvmReceipt | undefined> => {
    const headHash = deps.head()?.hash
    const receipt = await read(txHash)
    settled.set(txHash, { headHash, receipt })
    return receipt
  }

  return async (text: string): Promise<EvmReceipt | undefined> => {
    const txHash = text.toLowerCase()
    if (!TX_HASH.test(txHash)) throw new RangeError(`expected a transaction hash: ${text}`)
    const headHash = deps.head()?.hash
    const known = settled.get(txHash)
    if (known?.receipt?.final === true) return known.receipt
    if (known !== undefined && headHash !== undefined && known.headHash === headHash) return known.receipt
    return share(txHash, () => readAndKeep(txHash))
  }
}
