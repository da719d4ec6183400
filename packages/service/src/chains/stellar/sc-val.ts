import { strKeyBytes } from './str-key.ts'

const TYPE = {
  bool: 0,
  void: 1,
  u32: 3,
  i128: 10,
  bytes: 13,
  string: 14,
  symbol: 15,
  map: 17,
  address: 18,
} as const
const ADDRESS_TYPE = { account: 0, contract: 1 } as const
const KEY_TYPE_ED25519 = 0
const PRESENT = 1

/** A value of a contract in XDR. Source: Stellar-contract.x. */
export type ScVal = Buffer

/** An unsigned number of 32 bits in XDR. */
export const xdrUint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** Bytes of variable length in XDR: their number, the bytes, and zeros up to a multiple of four. */
export const xdrOpaque = (bytes: Uint8Array): Buffer =>
  Buffer.concat([xdrUint32(bytes.length), bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])

/** The address of a contract or an account in XDR. Throws RangeError for other text. */
export const xdrAddress = (text: string): Buffer =>
  text.startsWith('C')
    ? Buffer.concat([xdrUint32(ADDRESS_TYPE.contract), strKeyBytes('C', text)])
    : Buffer.concat([xdrUint32(ADDRESS_TYPE.account), xdrUint32(KEY_TYPE_ED25519), strKeyBytes('G', text)])

const typed = (type: number, ...parts: readonly Uint8Array[]): ScVal =>
  Buffer.concat([xdrUint32(type), ...parts])

/** Encodes values as contracts take and emit them. */
export const scVal = {
  symbol: (text: string): ScVal => typed(TYPE.symbol, xdrOpaque(Buffer.from(text, 'ascii'))),
  string: (text: string): ScVal => typed(TYPE.string, xdrOpaque(Buffer.from(text, 'utf8'))),
  bytes: (bytes: Uint8Array): ScVal => typed(TYPE.bytes, xdrOpaque(bytes)),
  address: (text: string): ScVal => typed(TYPE.address, xdrAddress(text)),
  /** Throws RangeError outside 0 to 2^127 - 1. */
  i128: (value: bigint): ScVal => {
    if (value < 0n || value >= 1n << 127n) throw new RangeError(`${value} is no amount of 127 bits`)
    return typed(TYPE.i128, Buffer.from(value.toString(16).padStart(32, '0'), 'hex'))
  },
  /** A structure: its fields in the order of their names. */
  struct: (fields: Readonly<Record<string, ScVal>>): ScVal => {
    const names = Object.keys(fields).toSorted()
    const entries = names.flatMap((name) => [scVal.symbol(name), fields[name] ?? typed(TYPE.void)])
    return typed(TYPE.map, xdrUint32(PRESENT), xdrUint32(names.length), ...entries)
  },
}

/** A value that a contract returned; undefined for one of a type that is not read. */
export type ReadScVal = boolean | number | bigint | string | Buffer | null | undefined

/** Decodes base64 XDR: void is null, an address its XDR. Reads nothing past the end: a short text is undefined. */
export const readScVal = (text: string): ReadScVal => {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length < 4) return undefined
  const rest = bytes.subarray(4)
  switch (bytes.readUInt32BE()) {
    case TYPE.void:
      return null
    case TYPE.bool:
      return rest.length === 4 ? rest.readUInt32BE() === 1 : undefined
    case TYPE.u32:
      return rest.length === 4 ? rest.readUInt32BE() : undefined
    case TYPE.i128:
      return rest.length === 16 ? (rest.readBigInt64BE() << 64n) | rest.readBigUInt64BE(8) : undefined
    case TYPE.address:
      return rest
    case TYPE.string: {
      const length = rest.length < 4 ? undefined : rest.readUInt32BE()
      if (length === undefined || rest.length < 4 + length) return undefined
      return rest.subarray(4, 4 + length).toString('utf8')
    }
    default:
      return undefined
  }
}
