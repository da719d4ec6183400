/** A soak's seed and its share of the whole. */
export type Soak = {
  /** A whole number below 2^31, set by SOAK_SEED; otherwise each run has a new one. */
  readonly seed: number
  /** This run's part of a whole count, at least 1: all of it in `test:soak`, a tenth elsewhere. */
  readonly of: (whole: number) => number
}

const numberOf = (name: string): number => {
  const value = Number(process.env[name])
  if (!(value >= 0)) throw new Error(`${name} is not set: run this file with \`npm test -- <file>\``)
  return value
}

/** Reads the settings that test/run.ts passes to the soaks. Throws Error when another program started the file. */
export const openSoak = (): Soak => {
  const share = numberOf('SOAK_SHARE')
  return { seed: numberOf('SOAK_SEED'), of: (whole) => Math.max(1, Math.ceil(whole * share)) }
}
