import type { PaymentChain, ProgramCall } from '../../chains/payment-chain.ts'
import { RpcError } from '../../chains/rpc/rpc-error.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import { createLru } from '../../lib/lru.ts'
import type { EscrowReader } from './escrow-reader.ts'

/** A transaction of an order; `final`: a quorum of endpoints shows its effect in a final block. */
type EscrowEvent = Pick<ProgramCall, 'txHash' | 'timestampSeconds'> & { readonly final: boolean }

/**
 * What happened to an order of the escrow program; at most one of `released` and `refunded` is there. The transaction of a
 * release is not looked for, because others can bury it.
 */
type EscrowFacts = {
  readonly opened: EscrowEvent | undefined
  readonly released: Pick<EscrowEvent, 'final'> | undefined
  readonly refunded: EscrowEvent | undefined
}

/**
 * Reads the facts about an order, whether or not anybody follows it. Rejects if the chain cannot be read, and while a
 * transaction that the order's account proves is hidden by others.
 */
export type EscrowFactsOf = (
  orderId: OrderId,
  order: Pick<IntentOrder, 'openDeadline'>,
) => Promise<EscrowFacts>

type Deps = {
  readonly chain: Pick<PaymentChain, 'chainId' | 'head'>
  readonly reader: EscrowReader
}

/** Slots by which sound endpoints differ. */
const LAG_SLOTS = 16n
/** An account that is missing this long after `openDeadline`, by the chain's clock, never opened or is closed. */
const MARGIN_SECONDS = 30
const REMEMBERED = 20_000

const NOTHING: EscrowFacts = { opened: undefined, released: undefined, refunded: undefined }

/** Creates the reader; final facts that cannot change are remembered. */
export const createEscrowFacts = ({ chain, reader }: Deps): EscrowFactsOf => {
  const ended = createLru<OrderId, EscrowFacts>(REMEMBERED)
  const openings = createLru<OrderId, EscrowEvent>(REMEMBERED)

  const eventOf = (orderId: OrderId, call: ProgramCall | undefined, final: boolean): EscrowEvent => {
    if (call === undefined)
      throw new RpcError(
        'TOO_MUCH',
        `a transaction of order ${orderId} is not among the newest of its account`,
      )
    return { txHash: call.txHash, timestampSeconds: call.timestampSeconds, final }
  }

  const seenFacts = async (orderId: OrderId): Promise<EscrowFacts> => {
    if (!(await reader.seen([orderId])).has(orderId)) return NOTHING
    const { opened } = await reader.history(orderId, 'confirmed')
    return { ...NOTHING, opened: eventOf(orderId, opened, false) }
  }

  const openFacts = async (orderId: OrderId): Promise<EscrowFacts> => {
    const known = openings.get(orderId)
    if (known !== undefined) return { ...NOTHING, opened: known }
    const opened = eventOf(orderId, (await reader.history(orderId, 'finalized')).opened, true)
    openings.set(orderId, opened)
    return { ...NOTHING, opened }
  }

  const endedFacts = async (orderId: OrderId, end: 'released' | 'refunded'): Promise<EscrowFacts> => {
    const history = await reader.history(orderId, 'finalized')
    const opened = openings.get(orderId) ?? eventOf(orderId, history.opened, true)
    const facts =
      end === 'released'
        ? { ...NOTHING, opened, released: { final: true } }
        : { ...NOTHING, opened, refunded: eventOf(orderId, history.refunded, true) }
    ended.set(orderId, facts)
    return facts
  }

  /** An order whose account is gone for good: it never opened, or its history says how it ended. */
  const closedFacts = async (orderId: OrderId): Promise<EscrowFacts> => {
    const { opened, released, refunded, isWhole } = await reader.history(orderId, 'finalized')
    if (opened === undefined && isWhole) return NOTHING
    eventOf(orderId, released ?? refunded, true)
    return endedFacts(orderId, released === undefined ? 'refunded' : 'released')
  }

  return async (orderId, { openDeadline }) => {
    const known = ended.get(orderId)
    if (known !== undefined) return known
    const head = chain.head()
    if (head === undefined) throw new RpcError('NO_HEAD', `the head of ${chain.chainId} is not known`)
    const after = head.finalNumber > LAG_SLOTS ? head.finalNumber - LAG_SLOTS : 0n
    const state = (await reader.agreed([orderId], after)).get(orderId)
    if (state === undefined)
      throw new RpcError('NO_AGREEMENT', `endpoints do not agree on order ${orderId} yet`)
    if (state.status === 'open') return openFacts(orderId)
    if (state.status !== 'missing') return endedFacts(orderId, state.status)
    return head.finalTimestampSeconds > openDeadline + MARGIN_SECONDS
      ? closedFacts(orderId)
      : seenFacts(orderId)
  }
}
