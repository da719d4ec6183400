import { isHash } from '../../core/hex.ts'
import { createLru } from '../../lib/lru.ts'
import { shareInFlight } from '../../lib/share-in-flight.ts'
import { askFor } from '../rpc/ask-for.ts'
import { expectResult } from '../rpc/expect-result.ts'
import type { RpcAnswer, RpcCall } from '../rpc/json-rpc.ts'
import { RpcError, rpcErrorCode } from '../rpc/rpc-error.ts'
import type { RpcAsk, RpcWork } from '../rpc/rpc-members.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { blockCall, parseBlock } from './block-calls.ts'
import { expectCaughtUp } from './caught-up.ts'
import type { EvmChain, EvmHead, EvmReceipt } from './evm-chain.ts'
import { expectFinal, type Finality, finalityCall } from './finality.ts'
import { RpcBlock, RpcReceipt, RpcTransaction } from './rpc-answers.ts'

type Deps = {
  readonly pool: RpcPool
  readonly finality: Finality
  readonly head: () => EvmHead | undefined
  readonly deadlineMs: number
}

/** A block in which an endpoint has shown a transaction. */
type SeenIn = Pick<EvmReceipt, 'blockNumber' | 'blockHash'>
/** The receipt of a transaction as read under one head, and where it was seen last. */
type Settled = {
  readonly headHash: string | undefined
  readonly receipt: EvmReceipt | undefined
  readonly seenIn: SeenIn | undefined
}
/** A transaction to read under a head, and the block that is not final yet in which an endpoint has shown it. */
type Sought = {
  readonly txHash: string
  readonly headNumber: bigint
  readonly seenIn: SeenIn | undefined
}
type Mined = { readonly receipt: RpcReceipt; readonly transaction: RpcTransaction }

const MAX_SETTLED = 5_000
/** An endpoint that shows a transaction further above the known head makes the others wait for nothing. */
const MAX_BLOCKS_AHEAD = 64n

const byHash = (method: string, txHash: string): RpcCall => ({ method, params: [txHash] })
const calls = (txHash: string): readonly RpcCall[] => [
  byHash('eth_getTransactionReceipt', txHash),
  byHash('eth_getTransactionByHash', txHash),
]
const HEAD_CALL: RpcCall = { method: 'eth_blockNumber', params: [] }

const parseMined = (answers: readonly RpcAnswer[], txHash: string): Mined | undefined => {
  const receipt = expectResult(answers[0], RpcReceipt.nullable())
  if (receipt === null) return undefined
  const transaction = expectResult(answers[1], RpcTransaction)
  if (receipt.transactionHash !== txHash || transaction.hash !== txHash)
    throw new RpcError('MALFORMED', `answer about another transaction than ${txHash}`)
  if (transaction.blockHash !== receipt.blockHash)
    throw new RpcError('CHAIN_CHANGED', `${txHash} moved between two blocks`)
  return { receipt, transaction }
}

const present = ({ receipt, transaction }: Mined, timestampSeconds: number): EvmReceipt => ({
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
  firstLogIndex: Number(receipt.logs[0]?.logIndex ?? 0n),
  final: false,
})

/** The receipt; undefined if the endpoint's chain has another block at its number than the one that it names. */
const canonicalReceipt = async (ask: RpcAsk, mined: Mined): Promise<EvmReceipt | undefined> => {
  const { blockNumber, blockHash } = mined.receipt
  const block = await askFor(ask, blockCall(blockNumber), RpcBlock)
  if (block.hash !== blockHash) return undefined
  ask.checkTime(block.timestamp)
  return present(mined, block.timestamp)
}

/**
 * Throws RpcError NODE_BEHIND if an endpoint that has no receipt of a transaction is below the head or the block in which the
 * transaction was seen, or still has that block.
 */
const expectAbsent = async (
  ask: RpcAsk,
  reached: RpcAnswer | undefined,
  { txHash, headNumber, seenIn }: Sought,
): Promise<void> => {
  expectCaughtUp(reached, headNumber)
  if (seenIn === undefined) return
  expectCaughtUp(reached, seenIn.blockNumber)
  const [block] = await ask([blockCall(seenIn.blockNumber)])
  if (block !== undefined && parseBlock(block)?.hash === seenIn.blockHash) throw withoutReceipt(txHash)
}

const orphaned = (txHash: string): RpcError =>
  new RpcError('CHAIN_CHANGED', `${txHash} is in a block that left the chain`)

const withoutReceipt = (txHash: string): RpcError =>
  new RpcError('NODE_BEHIND', `node is behind, without the receipt of ${txHash}`)

/**
 * Reads a receipt from one endpoint that has reached the head. One whose block left the endpoint's chain is none up to block
 * `absentUpTo`; above it the work throws RpcError CHAIN_CHANGED.
 */
const readUnder =
  (sought: Sought, absentUpTo = -1n): RpcWork<EvmReceipt | undefined> =>
  async (ask) => {
    const [reached, ...answers] = await ask([HEAD_CALL, ...calls(sought.txHash)])
    const mined = parseMined(answers, sought.txHash)
    if (mined === undefined) {
      const transaction = expectResult(answers[1], RpcTransaction.nullable())
      if (transaction?.blockHash != null) throw withoutReceipt(sought.txHash)
    } else {
      const receipt = await canonicalReceipt(ask, mined)
      if (receipt !== undefined) return receipt
      if (mined.receipt.blockNumber > absentUpTo) throw orphaned(sought.txHash)
    }
    await expectAbsent(ask, reached, sought)
    return undefined
  }

/** Reads a receipt from one endpoint on whose chain its block is that deep. */
const readDeep =
  (txHash: string, finality: Finality, blockNumber: bigint): RpcWork<EvmReceipt | undefined> =>
  async (ask) => {
    const [final, ...answers] = await ask([finalityCall(finality), ...calls(txHash)])
    const mined = parseMined(answers, txHash)
    const claimed = mined?.receipt.blockNumber ?? blockNumber
    expectFinal(final, finality, claimed > blockNumber ? claimed : blockNumber)
    if (mined === undefined) return undefined
    const receipt = await canonicalReceipt(ask, mined)
    if (receipt === undefined) throw orphaned(txHash)
    return receipt
  }

/** Without an agreement nothing is final, and the next reading may reach one. */
const isDisagreement = (error: unknown): boolean => {
  const code = rpcErrorCode(error)
  return code === 'NO_AGREEMENT' || code === 'NODE_BEHIND'
}

/** Reads one receipt, from the first endpoint that answers or from a quorum. */
const createReader = ({ pool, finality, head, deadlineMs }: Deps) => {
  /** The receipt as a quorum calls it final, if its block may be final and they do. */
  const settle = async (
    seen: EvmReceipt | undefined,
    known: EvmHead | undefined,
  ): Promise<EvmReceipt | undefined> => {
    if (seen === undefined && known === undefined)
      throw new RpcError('NO_HEAD', 'no head to tell a node that lags by')
    if (seen === undefined || known === undefined || seen.blockNumber > known.finalNumber) return seen
    try {
      const work = readDeep(seen.txHash, finality, seen.blockNumber)
      const agreed = await pool.agree({ work, deadlineMs })
      return agreed === undefined ? undefined : { ...agreed, final: true }
    } catch (error) {
      if (isDisagreement(error)) return seen
      throw error
    }
  }
  const readOne = async (sought: Sought, absentUpTo: bigint | undefined): Promise<EvmReceipt | undefined> => {
    try {
      return await pool.work(readUnder(sought), deadlineMs)
    } catch (error) {
      const isOrphaned = error instanceof RpcError && rpcErrorCode(error.cause) === 'CHAIN_CHANGED'
      if (!isOrphaned) throw error
      return pool.work(readUnder(sought, absentUpTo), deadlineMs)
    }
  }
  return {
    /** From one endpoint; one that has a canonical receipt is preferred to those that keep an orphaned one. */
    one: async (sought: Sought): Promise<EvmReceipt | undefined> => {
      const known = head()
      return settle(await readOne(sought, known?.finalNumber), known)
    },
    under: async (txHash: string, confirmations: number): Promise<EvmReceipt | undefined> => {
      const known = head()
      const lowest = known === undefined ? undefined : known.number - BigInt(confirmations)
      if (lowest === undefined || lowest < 0n) return undefined
      try {
        // A block below the one sought is deep enough too: the receipt's own block decides.
        return await pool.agree({ work: readDeep(txHash, confirmations, 0n), deadlineMs })
      } catch (error) {
        if (isDisagreement(error)) return undefined
        throw error
      }
    },
    agreed: async (sought: Sought): Promise<EvmReceipt | undefined> => {
      const known = head()
      const seen = await pool.agree({
        work: readUnder(sought, known?.finalNumber),
        keyOf: outcomeOf,
        blames: false,
        deadlineMs,
      })
      const receipt = await settle(seen, known)
      if (receipt === undefined && seen !== undefined)
        throw new RpcError('NO_AGREEMENT', `endpoints have ${sought.txHash} at the head and not below it`)
      return receipt
    },
  }
}

const outcomeOf = (receipt: EvmReceipt | undefined): string => {
  if (receipt === undefined) return 'absent'
  return receipt.succeeded ? 'succeeded' : 'reverted'
}

/**
 * Reads receipts with their transactions, from one endpoint or a quorum. A receipt is valid only while the chain's block
 * at its number is the one it names; it is final only when a quorum of endpoints gives the same one under a final block
 * of its own. Final ones are cached, others are read once per head. Undefined means that an endpoint that has reached the
 * known head does not know the transaction; rejects if no endpoint can say.
 */
export const createReceiptReader = (
  deps: Deps,
): Pick<EvmChain, 'receipt' | 'agreedReceipt' | 'receiptUnder'> => {
  const { head } = deps
  const read = createReader(deps)
  const settled = createLru<string, Settled>(MAX_SETTLED)
  const share = shareInFlight<string, EvmReceipt | undefined>()
  const shareAgreed = shareInFlight<string, EvmReceipt | undefined>()

  const soughtOf = (txHash: string): Sought => {
    const { number: headNumber = 0n, finalNumber = 0n } = head() ?? {}
    const seenIn = settled.get(txHash)?.seenIn
    const isTentative =
      seenIn !== undefined &&
      seenIn.blockNumber > finalNumber &&
      seenIn.blockNumber <= headNumber + MAX_BLOCKS_AHEAD
    return { txHash, headNumber, seenIn: isTentative ? seenIn : undefined }
  }
  const readAndKeep = async (
    txHash: string,
    reading: (sought: Sought) => Promise<EvmReceipt | undefined>,
  ): Promise<EvmReceipt | undefined> => {
    const headHash = head()?.hash
    const receipt = await reading(soughtOf(txHash))
    settled.set(txHash, { headHash, receipt, seenIn: receipt ?? settled.get(txHash)?.seenIn })
    return receipt
  }

  return {
    receipt: async (text) => {
      const txHash = expectHash(text)
      const headHash = head()?.hash
      const known = settled.get(txHash)
      if (known?.receipt?.final === true) return known.receipt
      if (known !== undefined && headHash !== undefined && known.headHash === headHash) return known.receipt
      return share(txHash, () => readAndKeep(txHash, read.one))
    },
    receiptUnder: (text, confirmations) => read.under(expectHash(text), confirmations),
    agreedReceipt: async (text) => {
      const txHash = expectHash(text)
      return shareAgreed(txHash, () => readAndKeep(txHash, read.agreed))
    },
  }
}

const expectHash = (text: string): string => {
  const txHash = text.toLowerCase()
  if (!isHash(txHash)) throw new RangeError(`expected a transaction hash: ${text}`)
  return txHash
}
