/** A section of an object file. */
export type Section = {
  readonly index: number
  readonly name: string
  readonly type: number
  readonly flags: number
  /** The section that a section of relocations changes. */
  readonly target: number
  readonly bytes: Buffer
}

/** A named place in a section. */
type ElfSymbol = { readonly name: string; readonly section: number; readonly value: number }

/** A place in a section to be filled with the address of a symbol. */
export type Relocation = {
  readonly target: number
  readonly offset: number
  readonly type: number
  readonly symbol: ElfSymbol
}

/** An object file of the compiler. */
export type ElfObject = {
  readonly sections: readonly Section[]
  readonly symbols: readonly ElfSymbol[]
  readonly relocations: readonly Relocation[]
}

/** Source: System V ABI, ELF-64. */
const SECTION_HEADER = 64
const SYMBOL_SIZE = 24
const RELOCATION_SIZE = 16
const RELOCATABLE = 1
const MACHINE_BPF = 247
/** 64 bits, little-endian, version 1. */
const IDENTITY = Buffer.from('7f454c46020101', 'hex')
const NO_BITS = 8
const SYMBOL_TABLE = 2
const RELOCATION_TABLE = 9

const number = (bytes: Buffer, offset: number): number => Number(bytes.readBigUInt64LE(offset))

const textAt = (bytes: Buffer, offset: number): string =>
  bytes.toString('latin1', offset, bytes.indexOf(0, offset))

/** The element at an index that the file names. Throws Error when there is none. */
const at = <T>(items: readonly T[], index: number): T => {
  const item = items[index]
  if (item === undefined) throw new Error(`the object file names index ${index} of ${items.length}`)
  return item
}

const records = (bytes: Buffer, size: number): readonly Buffer[] =>
  Array.from({ length: Math.floor(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )

const readSections = (file: Buffer): readonly Section[] => {
  const start = number(file, 40)
  const headers = records(
    file.subarray(start, start + file.readUInt16LE(60) * SECTION_HEADER),
    SECTION_HEADER,
  )
  const contents = headers.map((header) => {
    const offset = number(header, 24)
    return file.subarray(offset, header.readUInt32LE(4) === NO_BITS ? offset : offset + number(header, 32))
  })
  const names = at(contents, file.readUInt16LE(62))
  return headers.map((header, index) => ({
    index,
    name: textAt(names, header.readUInt32LE(0)),
    type: header.readUInt32LE(4),
    flags: number(header, 8),
    target: header.readUInt32LE(44),
    bytes: at(contents, index),
  }))
}

/** Reads a 64-bit little-endian object file for eBPF. Throws Error for any other file. */
export const readObject = (file: Buffer): ElfObject => {
  const isObject = file.subarray(0, IDENTITY.length).equals(IDENTITY) && file.readUInt16LE(16) === RELOCATABLE
  if (!isObject || file.readUInt16LE(18) !== MACHINE_BPF) throw new Error('expected an object file for eBPF')
  const sections = readSections(file)
  const table = sections.find(({ type }) => type === SYMBOL_TABLE)
  if (table === undefined) throw new Error('the object file has no symbols')
  const names = at(sections, file.readUInt32LE(number(file, 40) + table.index * SECTION_HEADER + 40)).bytes
  const symbols = records(table.bytes, SYMBOL_SIZE).map((symbol) => ({
    name: textAt(names, symbol.readUInt32LE(0)),
    section: symbol.readUInt16LE(6),
    value: number(symbol, 8),
  }))
  const relocations = sections
    .filter(({ type }) => type === RELOCATION_TABLE)
    .flatMap(({ target, bytes }) =>
      records(bytes, RELOCATION_SIZE).map((entry) => ({
        target,
        offset: number(entry, 0),
        type: entry.readUInt32LE(8),
        symbol: at(symbols, entry.readUInt32LE(12)),
      })),
    )
  return { sections, symbols, relocations }
}
