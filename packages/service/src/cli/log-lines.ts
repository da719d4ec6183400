import type { Instant } from '../core/instant.ts'
import { type Log, messageWithCauses } from '../lib/log.ts'
import type { Terminal, Tone } from './terminal.ts'

type LogOptions = { readonly terminal: Terminal; readonly json: boolean; readonly now: () => Instant }
type Level = Parameters<Log>[0]

const TONES = { info: 'dim', warn: 'yellow', error: 'red' } as const satisfies Record<Level, Tone>

const textOf = (value: unknown): string => {
  if (value instanceof Error) return JSON.stringify(messageWithCauses(value))
  if (typeof value === 'string') return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([name, field]) => `${name}=${textOf(field)}`)
      .join(' ')}}`
  return String(value)
}

const plainOf = (value: unknown): unknown => (value instanceof Error ? messageWithCauses(value) : value)

/** The log of a long-running command: one line, or one JSON document, per event on standard output. */
export const createLineLog =
  ({ terminal, json, now }: LogOptions): Log =>
  (level, event, fields = {}) => {
    const time = new Date(now()).toISOString()
    const given = Object.entries(fields).filter(([, value]) => value !== undefined)
    if (json) {
      const plain = Object.fromEntries(given.map(([name, value]) => [name, plainOf(value)]))
      return terminal.printJson({ time, level, event, ...plain })
    }
    const words = given.map(([name, value]) => `${name}=${textOf(value)}`)
    terminal.print([time.slice(11, 19), terminal.paint(TONES[level], level), event, ...words].join(' '))
  }
