import { createLru } from '../../lib/lru.ts'
import type { CallSearch, FoundCalls, ProgramCall, ProgramChain } from '../payment-chain.ts'
import { askFor } from '../rpc/ask-for.ts'
import { expectResult } from '../rpc/expect-result.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcAsk, RpcWork } from '../rpc/rpc-members.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import type { SolanaLimits } from './limits.ts'
import { RecordedTransaction, SignaturePage } from './rpc-answers.ts'
import { viewOf } from './transaction-view.ts'

type Deps = {
  readonly pool: RpcPool
  readonly deadlineMs: number
  readonly limits: Pick<SolanaLimits, 'pageSignatures' | 'pages'>
}

/** How far an endpoint's list of an account was read, and the oldest successful transactions up to there. */
type Place = { readonly before: string; readonly oldest: readonly string[] }

/** The oldest successful transactions of an account that are looked at: its first call is among them. */
const OLDEST = 100
const KEPT_PLACES = 1_000
const BATCH = 25
const NAME_BYTES = 8

const Fetched = RecordedTransaction.nullable()

const nameOf = (bytes: Buffer): string => bytes.toString('latin1', 0, NAME_BYTES).replace(/\0+$/, '')

/** The sought calls in one transaction. */
const callsOf = (
  recorded: RecordedTransaction,
  { program, account, places }: CallSearch,
): readonly ProgramCall[] => {
  const { addresses, instructions } = viewOf(recorded, [program])
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
      // One that is not shown may be the sought call.
      if (recorded === null)
        throw new RpcError('NODE_BEHIND', 'node does not show a transaction that it lists')
      found.push(...callsOf(recorded, search))
    }
  }
  for (const { timestampSeconds } of found) ask.checkTime(timestampSeconds)
  return found
}

const succeededOf = (page: SignaturePage): readonly string[] =>
  page.filter(({ err }) => err === null).map(({ signature }) => signature)

/**
 * Lists the newest and the oldest successful transactions of an account at one endpoint. The way down to the oldest is kept,
 * so that a long list is read in several attempts.
 */
const createLister = ({ pageSignatures, pages }: Deps['limits']) => {
  const places = createLru<string, Place>(KEPT_PLACES)

  const readPage = (ask: RpcAsk, search: CallSearch, before?: string): Promise<SignaturePage> => {
    const { account, commitment } = search
    const part = before === undefined ? {} : { before }
    const params = [account, { commitment, limit: pageSignatures, ...part }]
    return askFor(ask, { method: 'getSignaturesForAddress', params }, SignaturePage)
  }

  /** The oldest ones below a transaction. */
  const readDown = async (
    ask: RpcAsk,
    search: CallSearch,
    start: Place,
    keep: (place: Place) => void,
  ): Promise<readonly string[]> => {
    let place = start
    for (let count = 0; count < pages; count += 1) {
      const page = await readPage(ask, search, place.before)
      const oldest = [...place.oldest, ...succeededOf(page)].slice(-OLDEST)
      const last = page.at(-1)
      if (last === undefined || page.length < pageSignatures) return oldest
      place = { before: last.signature, oldest }
      keep(place)
    }
    throw new RpcError('TOO_MUCH', `more than ${pages} pages of transactions of ${search.account}`)
  }

  return async (ask: RpcAsk, endpoint: number, search: CallSearch) => {
    const newest = await readPage(ask, search)
    const last = newest.at(-1)
    if (last === undefined || newest.length < pageSignatures)
      return { signatures: succeededOf(newest), isWhole: true }
    const key = `${endpoint} ${search.account}`
    // A fork may drop a transaction that is not final, and nothing is listed below it then.
    const isFinal = search.commitment === 'finalized'
    const start = { before: last.signature, oldest: [] }
    const place = (isFinal ? places.get(key) : undefined) ?? start
    const oldest = await readDown(ask, search, place, (next) => {
      if (isFinal) places.set(key, next)
    })
    return { signatures: [...new Set([...succeededOf(newest), ...oldest])], isWhole: false }
  }
}

/**
 * Finds the calls of a program about an account, oldest first: final ones as a quorum of endpoints lists them alike,
 * confirmed ones as one does. The first call is found however many transactions others send to the account, later ones
 * among its newest thousand, so that only what is shown to people may depend on those.
 */
export const createCallFinder = ({ pool, deadlineMs, limits }: Deps): ProgramChain['findCalls'] => {
  const list = createLister(limits)
  return async (search) => {
    const work: RpcWork<FoundCalls> = async (ask, endpoint) => {
      const { signatures, isWhole } = await list(ask, endpoint, search)
      return { calls: await fetchAll(ask, signatures, search), isWhole }
    }
    const { calls, isWhole } =
      search.commitment === 'confirmed'
        ? await pool.work(work, deadlineMs)
        : await pool.agree({ work, deadlineMs })
    return { calls: calls.toSorted((one, other) => Number(one.blockNumber - other.blockNumber)), isWhole }
  }
}
