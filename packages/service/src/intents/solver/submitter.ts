import type { ChainId } from '@openrfq/sdk'
import type { Log } from '../../lib/log.ts'
import type { StoredPayout, StoredTransaction } from '../../store/store.ts'
import type { TransactionStates } from './transaction-states.ts'

/** A transaction or payout to sign under a key; `submit` returns undefined if the solver has no account on the chain. */
type Submission = {
  readonly chainId: ChainId
  readonly key: string
  readonly submit: () => Promise<StoredTransaction | StoredPayout | undefined> | undefined
}

/** Has something signed once; never rejects. */
export type Submitter = (submission: Submission) => Promise<void>

/** A submitter that records submissions in the states of transactions. */
export const createSubmitter =
  ({ states, log }: { readonly states: Pick<TransactionStates, 'note'>; readonly log: Log }): Submitter =>
  async ({ chainId, key, submit }) => {
    // Counted immediately, because a balance signed for one order is unavailable for the next.
    states.note({ key, outcome: 'open' })
    try {
      const entry = await submit()
      if (entry === undefined) throw new Error(`no account on ${chainId}`)
      states.note(entry)
      log('info', 'transaction_signed', { key, chainId, txHash: entry.txHash })
    } catch (error) {
      // The store knows whether it was signed; the next round looks it up.
      log('warn', 'transaction_submit_failed', { key, chainId, error })
    }
  }
