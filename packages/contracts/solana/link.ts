import { type ElfObject, type Relocation, readObject, type Section } from './elf-object.ts'
import { murmur3 } from './murmur3.ts'

/**
 * Links one object file of clang into a program of sBPF v3. The file has exactly two segments: constants at address 0,
 * and code at 2^32. Source: SIMD-0189 and SIMD-0178; solana-sbpf, elf.rs.
 */
const CODE_ADDRESS = 2 ** 32
const SBPF_VERSION = 3
/** No object lies at address 0, which C takes for no object. */
const CONSTANTS_START = 8
const SLOT = 8

const FILE_HEADER = 64
const PROGRAM_HEADER = 56
const SECTION_HEADER = 64
const SEGMENTS_START = FILE_HEADER + 2 * PROGRAM_HEADER

const FLAG_WRITE = 1
const FLAG_ALLOCATE = 2
const FLAG_EXECUTE = 4
const PROGRAM_BITS = 1
const STRING_TABLE = 3
const SEGMENT_EXECUTE = 1
const SEGMENT_READ = 4

const RELOCATE_LOAD = 1
const RELOCATE_POINTER = 2
const RELOCATE_CALL = 10

const CALL = 0x85
const LOAD_WIDE = 0x18
/** Additions, subtractions and multiplications of 32 bits: sBPF extends their sign, and clang expects zeros. */
const NARROW_ARITHMETIC: ReadonlySet<number> = new Set([0x04, 0x0c, 0x14, 0x1c, 0x24, 0x2c])
const ATOMIC: ReadonlySet<number> = new Set([0xc3, 0xdb])

type Placed = {
  readonly constants: Buffer
  readonly code: Buffer
  /** The address of each section that the program keeps. */
  readonly addresses: ReadonlyMap<number, number>
}

const padded = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((SLOT - (bytes.length % SLOT)) % SLOT)])

/** Lays the constants out behind each other, and the code behind them. Throws Error for variables. */
const place = ({ sections }: ElfObject): Placed => {
  const kept = sections.filter(({ flags, bytes }) => (flags & FLAG_ALLOCATE) !== 0 && bytes.length > 0)
  const isCode = ({ flags }: Section): boolean => (flags & FLAG_EXECUTE) !== 0
  const variables = kept.find(({ name, flags }) => (flags & FLAG_WRITE) !== 0 && name !== '.data.rel.ro')
  if (variables !== undefined || sections.some(({ name }) => name === '.bss'))
    throw new Error('the program has variables outside of functions, which Solana does not allow')
  const [text, ...more] = kept.filter(isCode)
  if (text === undefined || more.length > 0) throw new Error('expected one section of code')
  const addresses = new Map([[text.index, CODE_ADDRESS]])
  let constants: Buffer = Buffer.alloc(CONSTANTS_START)
  for (const section of kept.filter((one) => !isCode(one))) {
    addresses.set(section.index, constants.length)
    constants = padded(Buffer.concat([constants, section.bytes]))
  }
  return { constants, code: padded(text.bytes), addresses }
}

const addressOf = ({ addresses }: Placed, { symbol }: Relocation): number => {
  const section = addresses.get(symbol.section)
  if (section === undefined) throw new Error(`nothing defines ${symbol.name}`)
  return section + symbol.value
}

const relocate = (placed: Placed, relocation: Relocation): void => {
  const { target, offset, type } = relocation
  const start = placed.addresses.get(target)
  // Debug information has relocations, too.
  if (start === undefined) return
  const isCode = start === CODE_ADDRESS
  const bytes = isCode ? placed.code : placed.constants
  const position = isCode ? offset : start + offset
  const address = addressOf(placed, relocation)
  if (type === RELOCATE_LOAD && isCode) {
    const value = BigInt(address) + BigInt(bytes.readUInt32LE(position + 4))
    bytes.writeUInt32LE(Number(value & 0xffff_ffffn), position + 4)
    bytes.writeUInt32LE(Number(value >> 32n), position + SLOT + 4)
  } else if (type === RELOCATE_POINTER && !isCode) {
    bytes.writeBigUInt64LE(bytes.readBigUInt64LE(position) + BigInt(address), position)
  } else if (type === RELOCATE_CALL && isCode) {
    const distance = (address - CODE_ADDRESS - position) / SLOT
    bytes.writeInt32LE(distance + bytes.readInt32LE(position + 4), position + 4)
  } else {
    throw new Error(`relocation ${type} at ${position} is not supported`)
  }
}

/** Throws Error for instructions that the machine accepts and understands in another way than the compiler. */
const checkCode = (code: Buffer, syscalls: ReadonlySet<number>): void => {
  for (let position = 0; position < code.length; position += SLOT) {
    const operation = code.readUInt8(position)
    const source = code.readUInt8(position + 1) >> 4
    const where = `at instruction ${position / SLOT}`
    if (NARROW_ARITHMETIC.has(operation)) throw new Error(`32-bit arithmetic ${where}: compile with -mcpu=v2`)
    if (ATOMIC.has(operation)) throw new Error(`an atomic operation ${where}`)
    if (operation === CALL && source === 0 && !syscalls.has(code.readUInt32LE(position + 4)))
      throw new Error(`an unknown system call ${where}`)
    if (operation === LOAD_WIDE) position += SLOT
  }
}

const fileHeader = (entry: number, sectionsStart: number): Buffer => {
  const header = Buffer.alloc(FILE_HEADER)
  header.write('7f454c46020101', 'hex')
  header.writeUInt16LE(3, 16)
  header.writeUInt16LE(247, 18)
  header.writeUInt32LE(1, 20)
  header.writeBigUInt64LE(BigInt(entry), 24)
  header.writeBigUInt64LE(BigInt(FILE_HEADER), 32)
  header.writeBigUInt64LE(BigInt(sectionsStart), 40)
  header.writeUInt32LE(SBPF_VERSION, 48)
  for (const [index, value] of [FILE_HEADER, PROGRAM_HEADER, 2, SECTION_HEADER, 4, 3].entries())
    header.writeUInt16LE(value, 52 + 2 * index)
  return header
}

/** A segment. Offset in the file, address and size in bytes. */
const programHeader = (flags: number, offset: number, address: number, size: number): Buffer => {
  const header = Buffer.alloc(PROGRAM_HEADER)
  header.writeUInt32LE(1, 0)
  header.writeUInt32LE(flags, 4)
  for (const [index, value] of [offset, address, address, size, size].entries())
    header.writeBigUInt64LE(BigInt(value), 8 + 8 * index)
  return header
}

const NAMES = '\0.rodata\0.text\0.shstrtab\0'

const sectionHeader = (name: string, type: number, flags: number, place_: readonly number[]): Buffer => {
  const header = Buffer.alloc(SECTION_HEADER)
  header.writeUInt32LE(NAMES.indexOf(`${name}\0`), 0)
  header.writeUInt32LE(type, 4)
  for (const [index, value] of [flags, ...place_].entries())
    header.writeBigUInt64LE(BigInt(value), 8 + 8 * index)
  header.writeBigUInt64LE(BigInt(type === PROGRAM_BITS ? SLOT : 1), 48)
  return header
}

/** The names of sections are for tools; the machine reads segments alone. */
const assemble = ({ constants, code }: Placed, entry: number): Buffer => {
  const codeStart = SEGMENTS_START + constants.length
  const namesStart = codeStart + code.length
  const names = padded(Buffer.from(NAMES, 'latin1'))
  return Buffer.concat([
    fileHeader(entry, namesStart + names.length),
    programHeader(SEGMENT_READ, SEGMENTS_START, 0, constants.length),
    programHeader(SEGMENT_EXECUTE, codeStart, CODE_ADDRESS, code.length),
    constants,
    code,
    names,
    Buffer.alloc(SECTION_HEADER),
    sectionHeader('.rodata', PROGRAM_BITS, FLAG_ALLOCATE, [0, SEGMENTS_START, constants.length]),
    sectionHeader('.text', PROGRAM_BITS, FLAG_ALLOCATE | FLAG_EXECUTE, [
      CODE_ADDRESS,
      codeStart,
      code.length,
    ]),
    sectionHeader('.shstrtab', STRING_TABLE, 0, [0, namesStart, NAMES.length]),
  ])
}

/**
 * Links an object file into a program that may call the named system calls. Throws Error for anything that sBPF v3 does
 * not have: variables, undefined names, 32-bit arithmetic, atomic operations, other system calls.
 */
export const link = (file: Buffer, syscalls: readonly string[]): Buffer => {
  const object = readObject(file)
  const placed = place(object)
  for (const relocation of object.relocations) relocate(placed, relocation)
  checkCode(placed.code, new Set(syscalls.map(murmur3)))
  const entry = object.symbols.find(({ name }) => name === 'entrypoint')
  if (entry === undefined || placed.addresses.get(entry.section) !== CODE_ADDRESS)
    throw new Error('expected a function named entrypoint')
  return assemble(placed, CODE_ADDRESS + entry.value)
}
