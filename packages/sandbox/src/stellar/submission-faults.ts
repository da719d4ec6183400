/** Injected faults for the next submissions, which are answered PENDING. */
export type SubmissionFaults = {
  readonly holdNext: (count: number) => void
  readonly dropNext: (count: number) => void
  /** The fault of the next submission, if any. */
  readonly next: () => 'hold' | 'drop' | undefined
}

/** Creates an empty list of faults; losses come before holds. */
export const createSubmissionFaults = (): SubmissionFaults => {
  let holds = 0
  let drops = 0
  return {
    holdNext: (count: number) => {
      holds = count
    },
    dropNext: (count: number) => {
      drops = count
    },
    next: (): 'hold' | 'drop' | undefined => {
      if (drops > 0) {
        drops -= 1
        return 'drop'
      }
      if (holds === 0) return undefined
      holds -= 1
      return 'hold'
    },
  }
}
