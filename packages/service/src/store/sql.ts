import type { STATEMENTS } from './statements.ts'

/** The name of a statement that both dialects run. */
export type StatementName = keyof typeof STATEMENTS

/** A parameter of a statement, by position. */
export type SqlValue = string | number | Uint8Array | null

/** Runs the shared statements on either database. */
export type Sql = {
  /** Returns all rows of a reading statement, unvalidated. */
  readonly read: (statement: StatementName, values: readonly SqlValue[]) => Promise<readonly unknown[]>
  /** Returns the number of rows changed by a writing statement; durable against power loss when it resolves, a purge's excepted. */
  readonly change: (statement: StatementName, values: readonly SqlValue[]) => Promise<number>
}
