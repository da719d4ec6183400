import type { CallSearch, ProgramCall, ProgramChain } from '../payment-chain.ts'
import { expectResult } from '../rpc/expect-result.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { readFinalSlot } from './history-reader.ts'
import { RecordedTransaction, SignaturePage } from './rpc-answers.ts'
import { viewOf } from './transaction-view.ts'

type Deps = { readonly pool: RpcPool; readonly deadlineMs: number }

/** The newest transactions of an account that are looked at; a call below them is not found. */
const LISTED = 1_000
const BATCH = 25
const NAME_BYTES = 8

const Fetched = RecordedTransaction.nullable()

const nameOf = (bytes: Buffer): string => bytes.toString('latin1', 0, NAME_BYTES).replace(/\0+$/, '')

/** The sought calls in one transaction. */
const callsOf = (
  recorded: RecordedTransaction,
  { program, account, places }: CallSearch,
): readonly ProgramCall[] => {
  const { addresses, instructions } = viewOf(recorded)
  const [txHash] = recorded.transaction.signatures
  const { slot, blockTime } = recorded
  if (txHash === undefined || blockTime === null || recorded.meta.err !== null) return []
  return instructions
    .filter((one) => one.program === program)
    .map(({ bytes, accounts }) => ({ name: nameOf(bytes), accounts }))
    .filter(({ name, accounts }) => addresses[accounts[places[name] ?? -1] ?? -1] === account)
    .map(({ name }) => ({ name, txHash, blockNumber: slot, timestampSeconds: blockTime }))
}

const fetchAll = async (
  ask: RpcAsk,
  signatures: readonly string[],
): Promise<readonly RecordedTransaction[]> => {
  const found: RecordedTransaction[] = []
  for (let start = 0; start < signatures.length; start += BATCH) {
    const answers = await ask(
      signatures.slice(start, start + BATCH).map((signature) => ({
        method: 'getTransaction',
        params: [signature, { encoding: 'json', commitment: 'finalized', maxSupportedTransactionVersion: 1 }],
      })),
    )
    for (const answer of answers) {
      const recorded = expectResult(answer, Fetched)
      if (recorded !== null) found.push(recorded)
    }
  }
  return found
}

/**
 * Finds the final calls of a program about an account, oldest first, as one endpoint lists them and a quorum
 * confirms each. Others can hide a call under 1,000 transactions of their own, so that only what is shown to people may
 * depend on it.
 */
export const createCallFinder =
  ({ pool, deadlineMs }: Deps): ProgramChain['findCalls'] =>
  async (search) => {
    const calls = await pool.work(async (ask) => {
      await readFinalSlot(ask)
      const [answer] = await ask([
        {
          method: 'getSignaturesForAddress',
          params: [search.account, { commitment: 'finalized', limit: LISTED }],
        },
      ])
      const listed = expectResult(answer, SignaturePage).filter(({ err }) => err === null)
      const recorded = await fetchAll(
        ask,
        listed.map(({ signature }) => signature),
      )
      return recorded.flatMap((one) => callsOf(one, search))
    }, deadlineMs)
    const signatures = [...new Set(calls.map(({ txHash }) => txHash))]
    const confirmed = await pool.agree({
      work: async (ask) =>
        (await fetchAll(ask, signatures)).flatMap((one) => {
          const found = callsOf(one, search)
          for (const { timestampSeconds } of found) ask.checkTime(timestampSeconds)
          return found
        }),
      deadlineMs,
    })
    return confirmed.toSorted((one, other) => Number(one.blockNumber - other.blockNumber))
  }
