import { COMPONENT_PREFIX, describeSchemas, type JsonSchema } from 'openrfq/src/http/openapi/json-schemas.ts'
import type { Operation } from 'openrfq/src/http/operation.ts'
import type { Picks } from './picks.ts'

/** Values that a running service told: by the name of their member, and all of them. */
export type KnownValues = {
  readonly of: (name: string) => readonly string[]
  readonly all: readonly string[]
}

type Body = Readonly<Record<string, unknown>>

// biome-ignore format: a table of texts
const TEXTS = [
  '', ' ', '0', '00', '-1', '+1', '1.0', '1e3', '0x10', '1'.repeat(78), '9'.repeat(79), '١', 'true', 'TRUE', 'null',
  'eip155:31337', 'eip155:', ':1', 'eip155:1:2', 'EIP155:1', 'solana:x', 'a'.repeat(129), 'a'.repeat(5000), '\u0000',
  '\u202e', '😀', "' or 1=1 --", '<script>', '../../etc/passwd', '{7*7}', '%00', '%zz', '__proto__', 'constructor',
  '0x0000000000000000000000000000000000000000', `0x${'f'.repeat(40)}`, `0x${'a'.repeat(39)}`, 'intent', 'ITS',
  'EXACT_INPUT', 'exact_output', '\\', '"', '\r\n', 'x&y=z', '#', '?', '1000000', 'toString', 'hasOwnProperty',
  '1'.repeat(32), '1'.repeat(33), '1'.repeat(44), 'z'.repeat(44), '1'.repeat(64), 'z'.repeat(88), '0'.repeat(64), 'f'.repeat(64),
  `G${'A'.repeat(55)}`, `C${'A'.repeat(55)}`, `M${'A'.repeat(68)}`, `0x${'f'.repeat(64)}-0`, `0x${'0'.repeat(64)}`,
  `quote_${'7'.repeat(26)}`, `quote_${'0'.repeat(26)}`, `0x${'1b'.repeat(65)}`, `0x${'00'.repeat(65)}`, `0x${'ff'.repeat(2048)}`,
] as const

// biome-ignore format: a table of values
const JSON_TEXTS = [
  'null', 'true', '0', '-0', '1e400', '-1e400', '1.5', '9007199254740993', '[]', '{}', '[[[[]]]]', '""', '{"a":{}}',
  '[1,"2",null]', '{"__proto__":{"x":1}}', '"\\ud800"', '"\\u0000"', '{"approvalMode":"MAX"}', '{"approvalMode":1}',
] as const

const STRANGE_NAMES = ['unknown', '__proto__', '']

const { components, parameters } = describeSchemas()
const COMPONENTS: Readonly<Record<string, JsonSchema>> = components

/** The members of an operation's query or body, each with its schema. */
const membersOf = ({ query, body }: Operation): readonly (readonly [string, JsonSchema])[] => [
  ...(query === undefined ? [] : parameters[query].map(({ name, schema }) => [name, schema] as const)),
  ...(body === undefined ? [] : Object.entries(COMPONENTS[body]?.properties ?? {})),
]

const listed = ({ $ref, enum: own = [] }: JsonSchema): readonly string[] =>
  ($ref === undefined ? own : (COMPONENTS[$ref.slice(COMPONENT_PREFIX.length)]?.enum ?? [])).map(String)

/** Almost the text: another digit, case or length, or something before or after it. */
const misspell = ({ below, pick }: Picks, text: string): string => {
  const at = below(text.length + 1)
  const [before, after] = [text.slice(0, at), text.slice(at)]
  switch (below(7)) {
    case 0:
      return before + after.slice(1)
    case 1:
      return `${before}${pick(['0', 'O', 'l', 'A', 'f', '-', '.', '_', '😀'])}${after.slice(1)}`
    case 2:
      return `${before}${after.slice(0, 1)}${after}`
    case 3:
      return pick([text.toUpperCase(), text.toLowerCase()])
    case 4:
      return before
    case 5:
      return text + pick(['-0', '-99999999999', '-1.1', '0', ' ', '=', text])
    default:
      return pick(['0x', '1', ' ', 'G', text.slice(0, 1)]) + text
  }
}

/** A text for a member: a value of its own kind, one of another kind, or what looks like one. */
const textFor = (dice: Picks, known: KnownValues, name: string, schema: JsonSchema): string => {
  const own = [...known.of(name), ...listed(schema)]
  const pool = own.length > 0 && dice.below(3) > 0 ? own : dice.below(2) === 0 ? known.all : TEXTS
  const text = dice.pick(pool)
  return dice.below(3) === 0 ? misspell(dice, text) : text
}

const jsonFor = (dice: Picks, known: KnownValues, name: string, schema: JsonSchema): string => {
  const text = JSON.stringify(textFor(dice, known, name, schema))
  switch (dice.below(8)) {
    case 0:
      return dice.pick(JSON_TEXTS)
    case 1:
      return `[${Array.from({ length: dice.below(4) }, () => text).join(',')}]`
    case 2:
      return `{${JSON.stringify(dice.pick([name, 'approvalMode']))}:${text}}`
    default:
      return text
  }
}

/** Up to four bytes changed, and sometimes the end cut off. */
export const damageBytes = ({ below }: Picks, bytes: Buffer): Buffer => {
  const damaged = Buffer.from(bytes)
  for (let count = below(4); count >= 0; count -= 1) damaged[below(damaged.length)] = below(256)
  return below(3) === 0 ? damaged.subarray(0, below(damaged.length)) : damaged
}

/** A good body of an operation with one or two members changed, dropped or repeated; sometimes with damaged bytes. */
export const badBody = (dice: Picks, operation: Operation, good: Body, known: KnownValues): Buffer => {
  const members = membersOf(operation)
  const goodMembers = Object.entries(good).map(([name, value]) => [name, JSON.stringify(value)] as const)
  const changes = Array.from({ length: 1 + dice.below(2) }, () => {
    const [name, schema] =
      dice.below(8) === 0 ? ([dice.pick(STRANGE_NAMES), {}] as const) : dice.pick(members)
    return [name, jsonFor(dice, known, name, schema)] as const
  })
  const doubled = dice.below(8) === 0
  const kept = goodMembers.filter(([name]) => doubled || changes.every(([changed]) => changed !== name))
  const added = changes.filter(() => dice.below(4) > 0)
  const unique = doubled ? added : [...new Map(added)]
  const text = `{${[...kept, ...unique].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`
  switch (dice.below(12)) {
    case 0:
      return damageBytes(dice, Buffer.from(text))
    case 1:
      return Buffer.from(dice.pick(JSON_TEXTS))
    case 2:
      return Buffer.from(dice.pick(['[', '{"a":']).repeat(dice.below(3000)))
    case 3:
      return Buffer.from(Array.from({ length: dice.below(200) }, () => dice.below(256)))
    default:
      return Buffer.from(text)
  }
}

/** The text as a query or path has it, sometimes not or badly encoded. */
const encode = (dice: Picks, drawn: string): string => {
  const text = drawn.toWellFormed()
  switch (dice.below(8)) {
    case 0:
      return encodeURI(text).replaceAll(/[ #]/g, '%20')
    case 1:
      return Array.from({ length: dice.below(40) }, () => String.fromCharCode(0x24 + dice.below(0x5a))).join(
        '',
      )
    default:
      return encodeURIComponent(text)
  }
}

const MOST_QUERY_CHARACTERS = 6_000

/** A query of an operation: a good one with up to two parameters changed, dropped or repeated, or one at random. */
export const badQuery = (dice: Picks, operation: Operation, good: Body, known: KnownValues): string => {
  const members = membersOf(operation)
  const draw = (): readonly [string, string] => {
    const [name, schema] =
      members.length === 0 || dice.below(4) === 0 ? ([dice.pick(TEXTS), {}] as const) : dice.pick(members)
    return [name, textFor(dice, known, name, schema)]
  }
  const changes = Array.from({ length: dice.below(3) }, draw)
  const isRandom = dice.below(3) === 0
  const kept = isRandom
    ? members
        .filter(() => dice.below(3) > 0)
        .map(([name, schema]) => [name, textFor(dice, known, name, schema)] as const)
    : Object.entries(good)
        .filter(([name]) => dice.below(12) === 0 || changes.every(([changed]) => changed !== name))
        .map(([name, value]) => [name, String(value)] as const)
  return [...kept, ...changes.filter(() => dice.below(4) > 0)]
    .map(([name, text]) => {
      const written = dice.below(16) === 0 ? encode(dice, name) : encodeURIComponent(name.toWellFormed())
      return dice.below(16) === 0
        ? written
        : `${written}=${dice.below(8) === 0 ? encode(dice, text) : encodeURIComponent(text.toWellFormed())}`
    })
    .join(dice.pick(['&', '&', '&', '&', '&&', ';']))
    .slice(0, MOST_QUERY_CHARACTERS)
}

/** A path that is almost one of the given, or one of a page or logo with a value in it. */
export const badPath = (dice: Picks, paths: readonly string[], known: KnownValues): string => {
  const text = (): string => encode(dice, dice.pick(dice.below(3) === 0 ? TEXTS : known.all))
  const path = dice.pick(paths)
  switch (dice.below(6)) {
    case 0:
      return `/logos/${text()}`
    case 1:
      return `/logos/${dice.pick([...known.of('chain'), text()])}/${text()}`
    case 2:
      return `/t/${text()}`
    case 3:
      return `/assets/${text()}`
    case 4:
      return `${path}/${text()}`
    default:
      return `/${encode(dice, misspell(dice, path)).replaceAll('%2F', '/')}`
  }
}
