import type { Status, TransferState } from '@openrfq/sdk'
import { amountText, type Catalogue, chainText } from './catalogue.ts'
import { progressText } from './code-texts.ts'
import { fields } from './table.ts'
import type { Terminal, Tone } from './terminal.ts'

const TONES = {
  AWAITING_DEPOSIT: 'dim',
  PENDING: 'yellow',
  DONE: 'green',
  REFUND_PENDING: 'yellow',
  REFUND_INITIATED: 'yellow',
  REFUNDED: 'yellow',
  FAILED: 'red',
  NOT_FOUND: 'dim',
} as const satisfies Record<TransferState | 'NOT_FOUND', Tone>

/** The details whose values are codes. */
const CODES: ReadonlySet<string> = new Set(['stage', 'reasonCode'])

/** Formats a state in its colour. */
export const stateText = ({ state }: Status, paint: Terminal['paint']): string =>
  paint(Object.entries(TONES).find(([known]) => known === state)?.[1] ?? 'dim', state)

/** Formats a status as an aligned block; omits what is not known yet. */
export const statusLines = (
  status: Status,
  catalogue: Catalogue,
  paint: Terminal['paint'],
): readonly string[] => {
  const { source, destination, output, refund, backend } = status
  const pairs: (readonly [string, string] | undefined)[] = [
    ['state', stateText(status, paint)],
    ['quote id', status.quoteId],
    backend === null ? undefined : ['backend', `${backend.type} · ${backend.name}`],
    source === null ? undefined : ['source', transactionText(source, catalogue)],
    typeof source?.messageId === 'string' ? ['message id', source.messageId] : undefined,
    destination === null ? undefined : ['destination', transactionText(destination, catalogue)],
    output === null ? undefined : ['received', amountText(catalogue, output)],
    refund === null ? undefined : ['refunded', `${amountText(catalogue, refund)} in ${refund.txHash}`],
    ...Object.entries(status.details).flatMap(([name, value]) => detailFields(name, value)),
  ]
  return fields(pairs.filter((pair) => pair !== undefined))
}

/** Summarises the details of a status on one line; empty if there are none. */
export const stageText = ({ details }: Status): string =>
  ['stage', 'reasonCode', 'overdue', 'expired', 'stale']
    .filter((name) => details[name] !== undefined && details[name] !== false)
    .map((name) => (details[name] === true ? name : namedText(name, details[name])))
    .join(', ')

const transactionText = (
  {
    chain,
    txHash,
    timestamp,
  }: { readonly chain: string; readonly txHash: string; readonly timestamp: string },
  catalogue: Catalogue,
): string => `${txHash} on ${chainText(catalogue, chain)} at ${timestamp}`

/** Formats a detail; a list takes one line per element. */
const detailFields = (name: string, value: unknown): readonly (readonly [string, string])[] =>
  Array.isArray(value)
    ? value.map((element, index) => [index === 0 ? name : '', detailText(element)] as const)
    : [[name, CODES.has(name) ? namedText(name, value) : detailText(value)]]

/** A stage or reason code in words; another detail behind its name. */
const namedText = (name: string, value: unknown): string =>
  CODES.has(name) && typeof value === 'string' ? progressText(value) : `${name} ${detailText(value)}`

/** Formats a value on one line, with the members of an object side by side. */
const detailText = (value: unknown): string => {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value)
  return Object.entries(value)
    .map(([name, member]) => `${name} ${typeof member === 'string' ? member : JSON.stringify(member)}`)
    .join(', ')
}
