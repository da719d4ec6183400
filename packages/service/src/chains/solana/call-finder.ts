import type { CallSearch, FoundCalls, ProgramCall, ProgramChain } from '../payment-chain.ts'
import { expectResult } from '../rpc/expect-result.ts'
import type { RpcAsk, RpcWork } from '../rpc/rpc-members.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
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
  search: CallSearch,
): Promise<readonly ProgramCall[]> => {
  const { commitment } = search
  const found: ProgramCall[] = []
  for (let start = 0; start < signatures.length; start += BATCH) {
    const answers = await ask(
      signatures.slice(start, start + BATCH).map((signature) => ({
        method: 'getTransaction',
        params: [signature, { encoding: 'json', commitment, maxSupportedTransactionVersion: 1 }],
      })),
    )
    for (const answer of answers) {
      const recorded = expectResult(answer, Fetched)
      if (recorded !== null) found.push(...callsOf(recorded, search))
    }
  }
  for (const { timestampSeconds } of found) ask.checkTime(timestampSeconds)
  return found
}

/** The calls among the newest transactions of the account at one endpoint. */
const listCalls =
  (search: CallSearch): RpcWork<FoundCalls> =>
  async (ask) => {
    const { account, commitment } = search
    const [answer] = await ask([
      { method: 'getSignaturesForAddress', params: [account, { commitment, limit: LISTED }] },
    ])
    const page = expectResult(answer, SignaturePage)
    const signatures = page.filter(({ err }) => err === null).map(({ signature }) => signature)
    return { calls: await fetchAll(ask, signatures, search), isWhole: page.length < LISTED }
  }

/**
 * Finds the calls of a program about an account, oldest first: final ones as a quorum of endpoints lists them alike,
 * confirmed ones as one does. Others can hide a call under 1,000 transactions of their own, so that only what is shown to
 * people may depend on it.
 */
export const createCallFinder =
  ({ pool, deadlineMs }: Deps): ProgramChain['findCalls'] =>
  async (search) => {
    const work = listCalls(search)
    const { calls, isWhole } =
      search.commitment === 'confirmed'
        ? await pool.work(work, deadlineMs)
        : await pool.agree({ work, deadlineMs })
    return { calls: calls.toSorted((one, other) => Number(one.blockNumber - other.blockNumber)), isWhole }
  }
