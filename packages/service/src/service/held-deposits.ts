import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../core/instant.ts'
import type { Lifecycle } from '../lib/lifecycle.ts'
import type { Log } from '../lib/log.ts'
import { createPoller } from '../lib/poller.ts'
import type { PaymentKey, Store, StoredPayment } from '../store/store.ts'

/** What an operator sees and does of the deposits that are held. */
export type HeldDepositList = {
  /** Held deposits, by chain, transaction and position, after the given one. */
  readonly list: Store['listHeldDeposits']
  /** Has a held deposit returned by the vault again, and returns whether it was held. */
  readonly release: (key: PaymentKey) => Promise<boolean>
}

/** The unmatched deposits that the operator has to look at, because their payers cannot be paid. */
export type HeldDeposits = Lifecycle &
  HeldDepositList & {
    /** Keeps a deposit for the operator. */
    readonly hold: (deposit: StoredPayment, why: string) => Promise<void>
    /** How many are held, by chain, as of the last minute. */
    readonly counts: () => ReadonlyMap<ChainId, number>
  }

type Deps = {
  readonly store: Pick<Store, 'holdDeposit' | 'freeDeposit' | 'listHeldDeposits' | 'countHeldDeposits'>
  readonly now: () => Instant
  readonly log: Log
}

const COUNT_MS = 60_000

/** Creates the list of held deposits over a store, which several processes may share. */
export const createHeldDeposits = ({ store, now, log }: Deps): HeldDeposits => {
  let counts: ReadonlyMap<ChainId, number> = new Map()
  const count = async (): Promise<void> => {
    counts = await store.countHeldDeposits()
  }
  const counting = createPoller({ name: 'held_deposits_count', periodMs: COUNT_MS, run: count, log })
  return {
    list: store.listHeldDeposits,
    release: async (key) => {
      const { chainId, txHash, position } = key
      if (!(await store.freeDeposit(key))) return false
      log('info', 'deposit_freed', { chainId, txHash, position })
      counting.wake()
      return true
    },
    hold: async (deposit, why) => {
      if (!(await store.holdDeposit(deposit, { heldAt: now(), why }))) return
      const { chainId, txHash, position, from, token, amount } = deposit
      const told = { chainId, txHash, position, from, token, amount: amount.toString(), why }
      log('warn', 'deposit_held', told)
      counting.wake()
    },
    counts: () => counts,
    start: counting.start,
    stop: counting.stop,
  }
}
