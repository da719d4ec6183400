/** The seed of a soak, and how much of it runs. */
export type Soak = {
  /** A whole number below 2^31. SOAK_SEED sets it; without it each run has another one. */
  readonly seed: number
  /** The part of a whole count that this run does, at least 1: all of it in `test:soak`, a tenth elsewhere. */
  readonly of: (whole: number) => number
}

const numberOf = (name: string): number => {
  const value = Number(process.env[name])
  if (!(value >= 0)) throw new Error(`${name} is not set: run this file with \`npm test -- <file>\``)
  return value
}

/** Reads what test/run.ts has set for the soaks of this run. Throws Error when the runner did not start the file. */
export const openSoak = (): Soak => {
  const share = numberOf('SOAK_SHARE')
  return { seed: numberOf('SOAK_SEED'), of: (whole) => Math.max(1, Math.ceil(whole * share)) }
}
