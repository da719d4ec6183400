/**
 * Writes one structured line about an event. `event` is a stable snake_case name, listed in docs/log-events.md; `fields`
 * carry values, never secrets. An `error` among them is written by `describeError`.
 */
export type Log = (
  level: 'info' | 'warn' | 'error',
  event: string,
  fields?: Readonly<Record<string, unknown>>,
) => void

const codeOf = (error: Error): unknown => ('code' in error ? error.code : undefined)

/** Errors of databases, nodes and networks have a code; an error without one is a fault of the program. */
const isFault = (error: Error): boolean => codeOf(error) === undefined || error instanceof TypeError

/** An error's message followed by its causes' messages, without stacks. */
export const messageWithCauses = (error: Error): string =>
  error.cause instanceof Error ? `${error.message}: ${messageWithCauses(error.cause)}` : error.message

/** An error as a log field: its message and code, and the stack for a fault of the program. */
export const describeError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error
  const code = codeOf(error)
  return {
    message: messageWithCauses(error),
    ...(code === undefined ? {} : { code }),
    ...(isFault(error) ? { stack: error.stack } : {}),
  }
}
