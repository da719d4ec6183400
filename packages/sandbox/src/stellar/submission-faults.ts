/** What is done to the next submissions although they are answered PENDING. */
export type SubmissionFaults = {
  readonly holdNext: (count: number) => void
  readonly dropNext: (count: number) => void
  /** What happens to this one. */
  readonly next: () => 'hold' | 'drop' | undefined
}

/** No faults yet; losing comes before holding. */
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
