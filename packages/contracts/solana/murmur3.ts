const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits))

const scramble = (block: number): number => Math.imul(rotate(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593)

const finish = (hash: number): number => {
  let mixed = hash ^ (hash >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** MurmurHash3 of 32 bits with seed 0. Source: Austin Appleby, MurmurHash3_x86_32. */
export const murmur3 = (text: string): number => {
  const bytes = Buffer.from(text)
  const whole = bytes.length & ~3
  let hash = 0
  for (let offset = 0; offset < whole; offset += 4) {
    hash = rotate(hash ^ scramble(bytes.readInt32LE(offset)), 13)
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0
  }
  const rest = Buffer.alloc(4)
  bytes.copy(rest, 0, whole)
  if (bytes.length > whole) hash ^= scramble(rest.readInt32LE(0))
  return finish(hash ^ bytes.length)
}
