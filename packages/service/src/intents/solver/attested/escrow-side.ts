import type { PaymentChain } from '../../../chains/payment-chain.ts'
import type { SolanaMint } from '../../../chains/solana/programs.ts'
import type { Instant } from '../../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../../core/intent-order.ts'
import { createRepeatableSender, type RepeatableSender } from '../../../transactions/repeatable-sender.ts'
import type { EscrowOrder } from '../../settlers/escrow-program.ts'
import { createEscrowReader, type EscrowReader, type EscrowState } from '../../settlers/escrow-reader.ts'

/** The escrow program of a chain, as the solver uses it. */
export type EscrowSide = {
  /** Final states of orders by a quorum of endpoints, without those that are not agreed; rejects if the chain cannot be read. */
  readonly read: (orderIds: readonly OrderId[]) => Promise<ReadonlyMap<OrderId, EscrowState>>
  readonly history: EscrowReader['history']
  /** The order with the mint of its input; undefined for a token that is not configured. */
  readonly escrowOf: (order: IntentOrder) => EscrowOrder | undefined
  /** Sends calls that the solver's account signs and pays for. */
  readonly sender: RepeatableSender
}

type Deps = {
  readonly paymentChain: PaymentChain
  readonly program: string
  /** The chain's tokens. */
  readonly mints: readonly SolanaMint[]
  /** Of the solver's account. */
  readonly secret: string
  readonly now: () => Instant
}

/** Slots by which sound endpoints differ. */
const LAG_SLOTS = 16n

/** Creates the side; undefined for a chain without programs. */
export const createEscrowSide = (deps: Deps): EscrowSide | undefined => {
  const { paymentChain, program, mints, secret, now } = deps
  const { programs } = paymentChain
  if (programs === undefined) return undefined
  const reader = createEscrowReader(programs, program)
  return {
    read: async (orderIds) => {
      const head = paymentChain.head()
      if (head === undefined) return new Map()
      const after = head.finalNumber > LAG_SLOTS ? head.finalNumber - LAG_SLOTS : 0n
      return reader.agreed(orderIds, after)
    },
    history: reader.history,
    escrowOf: (order) => {
      const mint = mints.find(({ address }) => address === order.inputToken)
      return mint === undefined ? undefined : { order, mint }
    },
    sender: createRepeatableSender({ chain: paymentChain, secret, now }),
  }
}
