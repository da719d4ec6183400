/** What a generated network file does not hold, and why. */
export type LeftOut = {
  /** The chain or token, by name. */
  readonly entry: string
  readonly reason: string
}
