import type { CallSearch, ChainAccount, ProgramCall, ProgramChain } from '../../chains/payment-chain.ts'
import { type EscrowAccount, parseEscrowAccount } from '../../chains/solana/escrow-account.ts'
import type { OrderId } from '../../core/intent-order.ts'
import { escrowAddressOf } from './escrow-program.ts'

/** What the account of an order says; `missing`: it never opened, or it is closed. */
export type EscrowState = { readonly status: 'missing' } | Pick<EscrowAccount, 'status' | 'orderId' | 'payer'>

/** The transactions that opened an order and that paid its escrow out; undefined if they are not found. */
type EscrowHistory = {
  readonly opened: ProgramCall | undefined
  readonly released: ProgramCall | undefined
  readonly refunded: ProgramCall | undefined
  /** Whether every transaction of the account was looked at. */
  readonly isWhole: boolean
}

/** Reads orders of the escrow program from their own accounts. Every read rejects if the chain cannot be read. */
export type EscrowReader = {
  /** Orders as one endpoint shows them, confirmed; without those that are missing. */
  readonly seen: (orderIds: readonly OrderId[]) => Promise<ReadonlyMap<OrderId, EscrowState>>
  /**
   * Final states that a quorum of endpoints shows, without those that are not agreed yet. An account counts as missing only
   * as of slot `after` or a later one: an endpoint that is behind does not know yet what was opened. One endpoint may have
   * named a slot that does not exist, so what endpoints show of an account counts at any slot.
   */
  readonly agreed: (orderIds: readonly OrderId[], after: bigint) => Promise<ReadonlyMap<OrderId, EscrowState>>
  /** Transactions of an order, for display: others can hide them. */
  readonly history: (orderId: OrderId, commitment: CallSearch['commitment']) => Promise<EscrowHistory>
}

/** Where the order's account stands among the accounts of an instruction. Source: contracts/solana/README.md. */
const PLACES = { open: 2, release: 0, refund: 0 } as const

const MISSING: EscrowState = { status: 'missing' }

/** An endpoint's answer; `unknown`: it is behind. */
type SeenState = EscrowState | { readonly status: 'unknown' }

/** Leaves out what strangers can change, such as lamports. */
const stateOf =
  (program: string, after: bigint) =>
  (account: ChainAccount, slot: bigint): SeenState => {
    const found = parseEscrowAccount(account, program)
    if (found !== undefined) return { status: found.status, orderId: found.orderId, payer: found.payer }
    return slot < after ? { status: 'unknown' } : MISSING
  }

/** Pairs orders with their states; an account that says another id is none of the order's. */
const byOrder = (
  orderIds: readonly OrderId[],
  states: readonly (SeenState | undefined)[],
): ReadonlyMap<OrderId, EscrowState> => {
  const found = new Map<OrderId, EscrowState>()
  for (const [position, orderId] of orderIds.entries()) {
    const state = states[position]
    if (state === undefined || state.status === 'unknown') continue
    const isOther = state.status !== 'missing' && state.orderId !== orderId
    found.set(orderId, isOther ? MISSING : state)
  }
  return found
}

/** Creates a reader of one deployment of the program. */
export const createEscrowReader = (programs: ProgramChain, program: string): EscrowReader => {
  const readOf = (orderIds: readonly OrderId[], after: bigint) => ({
    addresses: orderIds.map((orderId) => escrowAddressOf(program, orderId)),
    viewOf: stateOf(program, after),
  })
  return {
    seen: async (orderIds) => {
      const states = byOrder(orderIds, await programs.seenAccounts(readOf(orderIds, 0n)))
      return new Map([...states].filter(([, { status }]) => status !== 'missing'))
    },
    agreed: async (orderIds, after) =>
      byOrder(orderIds, await programs.agreedAccounts(readOf(orderIds, after))),
    history: async (orderId, commitment) => {
      const account = escrowAddressOf(program, orderId)
      const { calls, isWhole } = await programs.findCalls({ program, account, places: PLACES, commitment })
      const find = (wanted: string): ProgramCall | undefined => calls.find(({ name }) => name === wanted)
      return { opened: find('open'), released: find('release'), refunded: find('refund'), isWhole }
    },
  }
}
