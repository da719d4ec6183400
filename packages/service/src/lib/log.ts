/** Writes one structured line about what happened; `fields` carry values, never secrets. */
export type Log = (
  level: 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void
