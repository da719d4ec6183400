import type { ChainId } from '@openrfq/sdk'
import type { Payment } from '../../core/payment.ts'
import { createLru } from '../../lib/lru.ts'
import { CLOCK_MARGIN_SECONDS, type PaymentSearch } from '../absence-statements.ts'
import type { PaymentAbsence } from '../payment-chain.ts'
import { askFor } from '../rpc/ask-for.ts'
import { expectResult } from '../rpc/expect-result.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import { SOLANA_NATIVE_TOKEN } from './address.ts'
import { associatedTokenOf } from './associated-token.ts'
import { expectRange } from './history-reader.ts'
import type { SolanaLimits } from './limits.ts'
import { paymentsOfTransaction } from './payments-of-transaction.ts'
import { programOf, type SolanaMint } from './programs.ts'
import { BlockTime, RecordedTransaction, SignaturePage, SignatureStatuses } from './rpc-answers.ts'

/** How far one way has come: downwards from the newest transaction of one address after the other. */
type WayPlace = {
  /** The place of the address among those of the way. */
  readonly address: number
  /** The transaction below which the way goes on; undefined at the newest. */
  readonly before: string | undefined
}

/** How far a search has come on each of its ways. */
export type SearchPlace = {
  /** The slot after which the payment may be. */
  readonly after: bigint
  /** The slot from which the search began; undefined to begin at the endpoint's newest final one. */
  readonly upTo: bigint | undefined
  readonly ways: readonly WayPlace[]
}

/** The bounds of a search at one endpoint. */
type Bounds = { readonly after: bigint; readonly upTo: bigint }

type Deps = {
  readonly chainId: ChainId
  readonly mints: readonly SolanaMint[]
  readonly limits: Pick<SolanaLimits, 'pageSignatures'>
}

type Listed = SignaturePage[number]

/** Transactions that are read at once, in requests beside each other. */
const GROUP = 200
/** Those of a busy account in an hour or so. */
const REMEMBERED_TRANSACTIONS = 100_000
const COMMITMENT = 'finalized'
const START: WayPlace = { address: 0, before: undefined }

const pageCall = (address: string, before: string | undefined, upTo: bigint, limit: number) => ({
  method: 'getSignaturesForAddress',
  params: [
    address,
    {
      commitment: COMMITMENT,
      limit,
      minContextSlot: Number(upTo),
      ...(before === undefined ? {} : { before }),
    },
  ],
})

/** A node that does not know the transaction lists nothing below it, like one that has nothing there. */
const expectKnown = (before: string, statuses: SignatureStatuses): void => {
  if (statuses.value[0] === null)
    throw new RpcError('CHAIN_CHANGED', `node lists nothing below ${before}, which it does not know`)
}

const readPage = async (
  ask: RpcAsk,
  address: string,
  { before, upTo }: { readonly before: string | undefined; readonly upTo: bigint },
  limit: number,
): Promise<SignaturePage> => {
  const call = pageCall(address, before, upTo, limit)
  const page = await askFor(ask, call, SignaturePage)
  if (page.length > 0 || before === undefined) return page
  const status = { method: 'getSignatureStatuses', params: [[before], { searchTransactionHistory: true }] }
  const [statuses, again] = await ask([status, call])
  expectKnown(before, expectResult(statuses, SignatureStatuses))
  return expectResult(again, SignaturePage)
}

const fetchCall = ({ signature }: Listed) => ({
  method: 'getTransaction',
  params: [signature, { encoding: 'json', commitment: COMMITMENT, maxSupportedTransactionVersion: 1 }],
})

/** Creates a reader of the payments to accounts in listed transactions, each as an endpoint tells it and asked for once. */
const createListedReader = (chainId: ChainId) => {
  const known = createLru<string, readonly Payment[]>(REMEMBERED_TRANSACTIONS)
  return async (
    { ask, endpoint }: { readonly ask: RpcAsk; readonly endpoint: number },
    group: readonly Listed[],
    accounts: ReadonlySet<string>,
  ) => {
    const keyOf = ({ signature, slot }: Listed): string => [endpoint, signature, slot, ...accounts].join(' ')
    const found = new Map(group.map((listed) => [keyOf(listed), known.get(keyOf(listed))]))
    const unknown = group.filter((listed) => found.get(keyOf(listed)) === undefined)
    const answers = unknown.length === 0 ? [] : await ask(unknown.map(fetchCall))
    for (const [index, listed] of unknown.entries()) {
      const recorded = expectResult(answers[index], RecordedTransaction.nullable())
      // One that is not shown may be the sought payment.
      if (recorded?.slot !== listed.slot)
        throw new RpcError('NODE_BEHIND', 'node does not show a transaction that it lists')
      const payments = paymentsOfTransaction(recorded, chainId, accounts)
      found.set(keyOf(listed), payments)
      known.set(keyOf(listed), payments)
    }
    return [...found.values()].flatMap((payments) => payments ?? [])
  }
}

/** Creates a search of one list after the other, from a place downwards. */
const createWalk = (read: ReturnType<typeof createListedReader>, limits: Deps['limits']) =>
  async function* (
    { from, to, sinceSeconds, untilSeconds, isSought }: PaymentAbsence,
    { ask, endpoint }: { readonly ask: RpcAsk; readonly endpoint: number },
    { after, upTo }: Bounds,
    addresses: readonly string[],
    start: WayPlace,
  ): AsyncGenerator<WayPlace, 'found' | 'absent'> {
    let place = start
    const accounts = new Set([to?.account ?? from, from])
    const canBe = ({ err, slot, blockTime }: Listed): boolean =>
      err === null &&
      slot > after &&
      slot <= upTo &&
      (typeof blockTime !== 'number' ||
        (blockTime <= untilSeconds && blockTime >= sinceSeconds - CLOCK_MARGIN_SECONDS))

    for (const [index, address] of addresses.entries()) {
      if (index < place.address) continue
      for (let isDown = false; !isDown; ) {
        const { before } = place
        const page = await readPage(ask, address, { before, upTo }, limits.pageSignatures)
        const last = page.at(-1)
        // Not the page's length: a provider may give fewer than it is asked for.
        isDown = last === undefined || last.slot <= after
        for (let first = 0; first < page.length; first += GROUP) {
          const group = page.slice(first, first + GROUP)
          const payments = await read({ ask, endpoint }, group.filter(canBe), accounts)
          if (payments.some(isSought)) return 'found'
          place = { ...place, before: group.at(-1)?.signature }
          yield place
        }
      }
      place = { address: index + 1, before: undefined }
    }
    return 'absent'
  }

/**
 * Searches the transactions of the account that a payment credits and, beside them, of the payer, who signs every payment with a
 * memo: a sought payment is in both lists, so the end of either proves its absence. The recipient may be busy, and strangers make
 * the search long only by transactions that name both. Each list goes down from the newest final transaction, so that later ones
 * change nothing. Source: Solana RPC "getSignaturesForAddress".
 */
export const createPaymentSearch = ({ chainId, mints, limits }: Deps): PaymentSearch<SearchPlace> => {
  /** Lists of addresses; every sought payment names an address of each list. */
  const waysOf = ({ from, to, memo }: PaymentAbsence): readonly (readonly string[])[] => {
    const account = to?.account ?? from
    const payer = to === undefined || memo === undefined ? [] : [[from]]
    if (to?.token === SOLANA_NATIVE_TOKEN) return [[account], ...payer]
    const credited = to && mints.find(({ address }) => address === to.token)
    const holdings = (credited === undefined ? mints : [credited]).map((mint) =>
      associatedTokenOf(account, mint.address, programOf(mint)),
    )
    return [credited === undefined ? [account, ...holdings] : holdings, ...payer]
  }

  const walk = createWalk(createListedReader(chainId), limits)

  return async function* (absence, { ask, endpoint, place: kept, start }) {
    const { untilSeconds } = absence
    const after = kept?.after ?? (await start())
    const final = await expectRange(ask, { after, upTo: kept?.upTo ?? after })
    const upTo = kept?.upTo ?? final
    const ways = waysOf(absence)
    const places = ways.map((_, index) => kept?.ways[index] ?? START)
    const walks = ways.map((way, index) =>
      walk(absence, { ask, endpoint }, { after, upTo }, way, places[index] ?? START),
    )
    for (let isAbsent = false; !isAbsent; ) {
      // A step on every way before the end of one counts: both lists show the newest transactions.
      for (const [index, steps] of walks.entries()) {
        const step = await steps.next()
        if (step.done === true && step.value === 'found') return 'found'
        if (step.done === true) isAbsent = true
        else places[index] = step.value
      }
      if (!isAbsent) yield { after, upTo, ways: [...places] }
    }

    const seconds = await askFor(ask, { method: 'getBlockTime', params: [Number(upTo)] }, BlockTime)
    ask.checkTime(seconds)
    if (seconds > untilSeconds) return 'absent'
    yield { after: upTo, upTo: undefined, ways: [] }
    throw new RpcError('NODE_BEHIND', `payments until ${untilSeconds} are wanted, the node is at ${seconds}`)
  }
}
