import { askFor } from '../rpc/ask-for.ts'
import { expectResult } from '../rpc/expect-result.ts'
import type { RpcAnswer, RpcCall } from '../rpc/json-rpc.ts'
import { countedByQuorum } from '../rpc/quorum.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import type { EvmChain, EvmSent } from './evm-chain.ts'
import { expectFinal, type Finality, finalityCall } from './finality.ts'
import { Quantity, RpcReceipt } from './rpc-answers.ts'

type Deps = { readonly pool: RpcPool; readonly finality: Finality; readonly deadlineMs: number }

const Receipt = RpcReceipt.nullable()
const MAX_REFUSAL_CHARACTERS = 200
/** Messages of geth, reth, erigon, nethermind, besu and anvil for a transaction that is already pending. */
const KNOWN_ALREADY = /already ?(known|imported|exists|in (the )?mempool)|known transaction/i

const expectTaken = (answer: RpcAnswer): 'taken' => {
  if (answer.ok || KNOWN_ALREADY.test(answer.message)) return 'taken'
  throw new RpcError('REFUSED', answer.message.slice(0, MAX_REFUSAL_CHARACTERS))
}

/**
 * Sends a signed transaction to all endpoints at once, because a single one may not propagate it. Rejects if none
 * answers; a refusal is a value because only the chain decides the transaction's outcome.
 */
const createSend =
  ({ pool, deadlineMs }: Deps) =>
  async (rawTransaction: string): Promise<EvmSent> => {
    const call: RpcCall = { method: 'eth_sendRawTransaction', params: [rawTransaction] }
    try {
      return await Promise.any(
        pool.askEach(call, deadlineMs).map(async (answer) => expectTaken(await answer)),
      )
    } catch (cause) {
      const errors: readonly unknown[] = cause instanceof AggregateError ? cause.errors : []
      const refusal = errors
        .filter((error) => error instanceof RpcError)
        .find(({ code }) => code === 'REFUSED')
      if (refusal !== undefined) return { refused: refusal.message }
      throw new RpcError('NO_ANSWER', 'no endpoint answered to a transaction', { cause })
    }
  }

const countCall = (address: string, at: string): RpcCall => ({
  method: 'eth_getTransactionCount',
  params: [address, at],
})

/** Sound endpoints differ by their newest transactions, and one may lie in either direction: a low count signs one call twice. */
const createCount =
  ({ pool, deadlineMs }: Deps): EvmChain['transactionCount'] =>
  async (address) => {
    const counts = await Promise.allSettled(
      pool.workEach((ask) => askFor(ask, countCall(address, 'latest'), Quantity), deadlineMs),
    )
    const told = counts.flatMap((count) => (count.status === 'fulfilled' ? [count.value] : []))
    return Number(countedByQuorum(told, { quorum: pool.quorum, endpoints: counts.length }))
  }

/** One endpoint could hide the receipts of our own signatures, so a quorum must miss them. */
const createReplaced =
  ({ pool, finality, deadlineMs }: Deps): EvmChain['isReplaced'] =>
  ({ sender, nonce, txHashes }, number) =>
    pool.agree({
      work: async (ask) => {
        const [final, count, ...receipts] = await ask([
          finalityCall(finality),
          countCall(sender, `0x${number.toString(16)}`),
          ...txHashes.map((txHash) => ({ method: 'eth_getTransactionReceipt', params: [txHash] })),
        ])
        expectFinal(final, finality, number)
        const isUsed = Number(expectResult(count, Quantity)) > nonce
        return isUsed && txHashes.every((_, index) => expectResult(receipts[index], Receipt) === null)
      },
      deadlineMs,
    })

/** Sends signed transactions and counts those of an address. Source: Ethereum JSON-RPC. */
export const createTransactionSender = (
  deps: Deps,
): Pick<EvmChain, 'sendRawTransaction' | 'transactionCount' | 'isReplaced'> => ({
  sendRawTransaction: createSend(deps),
  transactionCount: createCount(deps),
  isReplaced: createReplaced(deps),
})
