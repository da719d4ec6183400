const PARTS = 1000n
/** The bridge keeps one part in a thousand, rounded up. */
const PAID_PARTS = 999n

/** The output for an input, in base units, rounded down. */
export const outputOf = (input: bigint): bigint => (input * PAID_PARTS) / PARTS

/** The smallest input that delivers at least the output, in base units. */
export const inputFor = (output: bigint): bigint => (output * PARTS + PAID_PARTS - 1n) / PAID_PARTS

/**
 * The smallest and largest output of a bridge, and the inputs for them, in base units; undefined if it cannot pay
 * anything.
 */
export const rangesOf = (balance: bigint) =>
  balance === 0n
    ? undefined
    : {
        output: { minimum: 1n, maximum: balance },
        // The largest input whose output the balance covers.
        input: { minimum: inputFor(1n), maximum: inputFor(balance + 1n) - 1n },
      }
