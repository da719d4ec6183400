const LONGEST_NAME = 20

/** Axelar's name of a chain as contracts hold it: in lower case, left-aligned in 32 bytes, `0x` hex. Throws RangeError. */
export const foldedName = (name: string): `0x${string}` => {
  const bytes = Buffer.from(name.toLowerCase(), 'ascii')
  if (bytes.length === 0 || bytes.length > LONGEST_NAME || !/^[!-~]+$/.test(name))
    throw new RangeError(`"${name}" is no Axelar name: expected 1 to ${LONGEST_NAME} printable characters`)
  return `0x${bytes.toString('hex').padEnd(64, '0')}`
}
