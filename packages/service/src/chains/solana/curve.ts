/** The field and the constant of Ed25519's curve, -x² + y² = 1 + d·x²·y². Source: RFC 8032. */
const P = 2n ** 255n - 19n
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n
const LOW_BITS = 0xffffn

const trailingZeroes = (value: number): number => 31 - Math.clz32(value & -value)

/** Whether a is a square modulo P, by the Jacobi symbol (a/P): 1, -1, or 0 for zero. */
const jacobi = (a: bigint): number => {
  let [top, bottom, symbol] = [a, P, 1]
  while (top !== 0n) {
    for (let low = Number(top & LOW_BITS); (low & 1) === 0; low = Number(top & LOW_BITS)) {
      const zeroes = low === 0 ? 16 : trailingZeroes(low)
      const residue = Number(bottom & 7n)
      if (zeroes % 2 === 1 && (residue === 3 || residue === 5)) symbol = -symbol
      top >>= BigInt(zeroes)
    }
    if ((top & 3n) === 3n && (bottom & 3n) === 3n) symbol = -symbol
    ;[top, bottom] = [bottom % top, top]
  }
  return bottom === 1n ? symbol : 0
}

/**
 * Whether 32 bytes are a point on Ed25519's curve, so that a private key may exist; program-derived addresses are not.
 * x² = (y² - 1) / (d·y² + 1) has a root exactly if the product of both is a square.
 */
export const isOnCurve = (bytes: Uint8Array): boolean => {
  const hex = Buffer.from(bytes).reverse().toString('hex')
  const y = BigInt(`0x${hex}`) & ((1n << 255n) - 1n)
  const ySquared = (y * y) % P
  return jacobi((((ySquared - 1n + P) % P) * ((D * ySquared + 1n) % P)) % P) !== -1
}
