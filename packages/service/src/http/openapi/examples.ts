import type { ErrorCode } from '@openrfq/sdk'
import type { JsonSchema } from './json-schemas.ts'
import { RECORDINGS, type Recording } from './recordings.ts'

/** Example values by their name. */
export type Examples = Readonly<Record<string, unknown>>

const OK = 200

const named = (recordings: readonly Recording[], pick: (recording: Recording) => unknown): Examples =>
  Object.fromEntries(
    recordings.flatMap((recording) => {
      const value = pick(recording)
      return value === undefined ? [] : [[recording.name, value]]
    }),
  )

const recordingsOf = (operationId: string, status: number): readonly Recording[] =>
  RECORDINGS.filter((recording) => recording.operationId === operationId && recording.status === status)

/** The bodies of an operation's requests. */
export const bodyExamples = (operationId: string): Examples =>
  named(recordingsOf(operationId, OK), ({ body }) => body)

/** The recorded values of a query parameter, in its type, under the names of their answers. */
export const queryExamples = (operationId: string, parameter: string, { type }: JsonSchema): Examples =>
  named(recordingsOf(operationId, OK), ({ query }) => {
    const text = query?.[parameter]
    return type === 'boolean' && text !== undefined ? text === 'true' : text
  })

/** The answers of an operation with an HTTP status. */
export const answerExamples = (operationId: string, status: number): Examples =>
  named(recordingsOf(operationId, status), ({ answer }) => answer)

const codeOf = ({ answer }: Recording): unknown => Object(answer).error?.code

/** The recorded errors with the code, of this operation if there are any, else one of another. */
export const errorExamples = (operationId: string, code: ErrorCode): Examples => {
  const recordings = RECORDINGS.filter((recording) => codeOf(recording) === code)
  const own = recordings.filter((recording) => recording.operationId === operationId)
  return named(own.length > 0 ? own : recordings.slice(0, 1), ({ answer }) => answer)
}
