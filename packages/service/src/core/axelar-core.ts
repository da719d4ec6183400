/** The newest release of axelar-core that the service was written for and tested against. */
export const TESTED_AXELAR_CORE = '1.5.0'

const numbersOf = (version: string): readonly number[] | undefined =>
  /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?![\d.])/.exec(version)?.slice(1).map(Number)

/** Whether the first version, with or without a leading `v`, is newer than the second; false where one is no version. */
export const isNewerVersion = (one: string, other: string): boolean => {
  const [first, second] = [numbersOf(one), numbersOf(other)]
  if (first === undefined || second === undefined) return false
  const differing = first.findIndex((number, index) => number !== second[index])
  return differing !== -1 && (first[differing] ?? 0) > (second[differing] ?? 0)
}
