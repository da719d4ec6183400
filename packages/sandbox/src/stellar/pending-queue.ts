import type { Submission } from './envelope.ts'

/** Transactions waiting for the next ledger, at most one per account, as on the network. */
export type PendingQueue = {
  readonly find: (source: string) => Submission | undefined
  readonly isFull: () => boolean
  readonly add: (submission: Submission, isHeld: boolean) => void
  /** Removes and returns the transactions for the next ledger; held ones stay until they are `lapsed`. */
  readonly take: (lapsed: (submission: Submission) => boolean) => readonly Submission[]
  readonly releaseHeld: () => void
}

const MAX_PENDING = 1000

/** Creates an empty queue of at most 1000 transactions. */
export const createPendingQueue = (): PendingQueue => {
  const waiting = new Map<string, { readonly submission: Submission; readonly isHeld: boolean }>()
  return {
    find: (source) => waiting.get(source)?.submission,
    isFull: () => waiting.size >= MAX_PENDING,
    add: (submission, isHeld) => {
      waiting.set(submission.transaction.source, { submission, isHeld })
    },
    take: (lapsed) => {
      const taken: Submission[] = []
      for (const [source, { submission, isHeld }] of waiting) {
        if (isHeld && !lapsed(submission)) continue
        waiting.delete(source)
        if (!isHeld) taken.push(submission)
      }
      return taken
    },
    releaseHeld: () => {
      for (const [source, { submission }] of waiting) waiting.set(source, { submission, isHeld: false })
    },
  }
}
