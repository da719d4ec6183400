import { parseArgs } from 'node:util'
import { nearest } from './nearest.ts'
import { UsageError } from './usage-error.ts'

/** A flag of a command; one without `value` is a switch. `value` is the placeholder in help. */
export type FlagSpec = {
  readonly name: string
  readonly value?: string
  readonly help: string
}

/** The given flags. */
export type Flags = {
  readonly text: (name: string) => string | undefined
  /** Throws UsageError if the flag was not given. */
  readonly required: (name: string) => string
  readonly has: (name: string) => boolean
}

/**
 * Parses `--name value`, `--name=value` and switches. Throws UsageError for unknown flags (with a suggestion), extra
 * words, repeated flags and missing values.
 */
export const parseFlags = (specs: readonly FlagSpec[], words: readonly string[]): Flags => {
  const options = Object.fromEntries(
    specs.map(({ name, value }) => [name, { type: value === undefined ? 'boolean' : 'string' } as const]),
  )
  const { tokens } = parseArgs({ args: [...words], options, strict: false, tokens: true })
  const given = new Map<string, string>()
  for (const token of tokens) {
    if (token.kind === 'positional') throw new UsageError(`unexpected word "${token.value}"`)
    if (token.kind === 'option-terminator') throw new UsageError('unexpected "--"')
    const spec = specs.find(({ name }) => name === token.name)
    if (spec === undefined) throw unknownFlag(token.rawName, specs)
    if (given.has(spec.name)) throw new UsageError(`--${spec.name} is given twice`)
    given.set(spec.name, argumentOf(spec, token.value, token.inlineValue === true))
  }
  return {
    text: (name) => given.get(name),
    required: (name) => {
      const value = given.get(name)
      if (value === undefined) throw new UsageError(`--${name} is missing`)
      return value
    },
    has: (name) => given.has(name),
  }
}

const argumentOf = (spec: FlagSpec, value: string | undefined, inline: boolean): string => {
  if (spec.value === undefined) {
    if (value !== undefined) throw new UsageError(`--${spec.name} takes no value, got "${value}"`)
    return ''
  }
  if (value === undefined || value === '' || (!inline && value.startsWith('--')))
    throw new UsageError(`--${spec.name} needs a value: --${spec.name} <${spec.value}>`)
  return value
}

const unknownFlag = (given: string, specs: readonly FlagSpec[]): UsageError => {
  const meant = nearest(
    given.replace(/^-+/, ''),
    specs.map(({ name }) => name),
  )
  const known = specs.map(({ name }) => `--${name}`).join(' ')
  return new UsageError(
    `unknown flag ${given}; ${meant === undefined ? `known are ${known}` : `did you mean --${meant}?`}`,
  )
}
