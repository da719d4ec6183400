const LANE = 64n
const MASK = (1n << LANE) - 1n
const RATE_BYTES = 136
const LANE_BYTES = 8
const ROUNDS = 24

/** Rotations of the lanes in the order in which `pi` visits them, and where it moves them. Source: FIPS 202. */
const ROTATIONS = [1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44]
const MOVES = [10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1]

/** The constants of `iota`, from the shift register that defines them. */
const roundConstants = (): readonly bigint[] => {
  let register = 1
  const nextBit = (): bigint => {
    const bit = register & 1
    register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1
    return BigInt(bit)
  }
  return Array.from({ length: ROUNDS }, () => {
    let constant = 0n
    for (let power = 0; power < 7; power += 1) constant |= nextBit() << ((1n << BigInt(power)) - 1n)
    return constant
  })
}

const CONSTANTS = roundConstants()

const rotate = (lane: bigint, by: number): bigint =>
  ((lane << BigInt(by)) | (lane >> (LANE - BigInt(by)))) & MASK

const at = (lanes: readonly bigint[], index: number): bigint => lanes[index] ?? 0n

const permute = (state: bigint[]): void => {
  for (const constant of CONSTANTS) {
    const parity = [0, 1, 2, 3, 4].map((x) =>
      [0, 5, 10, 15, 20].reduce((sum, y) => sum ^ at(state, x + y), 0n),
    )
    for (let index = 0; index < 25; index += 1) {
      const x = index % 5
      state[index] = at(state, index) ^ at(parity, (x + 4) % 5) ^ rotate(at(parity, (x + 1) % 5), 1)
    }
    let carried = at(state, 1)
    for (const [step, place] of MOVES.entries()) {
      const next = at(state, place)
      state[place] = rotate(carried, ROTATIONS[step] ?? 0)
      carried = next
    }
    for (let row = 0; row < 25; row += 5) {
      const lanes = state.slice(row, row + 5)
      for (let x = 0; x < 5; x += 1)
        state[row + x] = at(lanes, x) ^ (~at(lanes, (x + 1) % 5) & MASK & at(lanes, (x + 2) % 5))
    }
    state[0] = at(state, 0) ^ constant
  }
}

/** Keccak-256 of a text in UTF-8, as 64 hex digits. Meant for short texts: it takes about a millisecond. Source: FIPS 202. */
export const keccakOfText = (text: string): string => {
  const bytes = [...new TextEncoder().encode(text)]
  bytes.push(1)
  while (bytes.length % RATE_BYTES !== 0) bytes.push(0)
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 0x80
  const state: bigint[] = Array.from({ length: 25 }, () => 0n)
  for (let start = 0; start < bytes.length; start += RATE_BYTES) {
    for (let lane = 0; lane < RATE_BYTES / LANE_BYTES; lane += 1)
      for (let byte = 0; byte < LANE_BYTES; byte += 1) {
        const value = BigInt(bytes[start + lane * LANE_BYTES + byte] ?? 0)
        state[lane] = at(state, lane) ^ (value << BigInt(8 * byte))
      }
    permute(state)
  }
  return [0, 1, 2, 3].map((lane) => littleEndian(at(state, lane))).join('')
}

const littleEndian = (lane: bigint): string =>
  Array.from({ length: LANE_BYTES }, (_, byte) =>
    ((lane >> BigInt(8 * byte)) & 0xffn).toString(16).padStart(2, '0'),
  ).join('')
