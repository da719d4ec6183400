import type { STATEMENTS } from './statements.ts'

/** The name of a statement that both dialects run. */
export type StatementName = keyof typeof STATEMENTS

/** What a statement is run with, by position. */
export type SqlValue = string | number

/** Runs the shared statements on either database. */
export type Sql = {
  /** All rows of a reading statement, unchecked. */
  readonly read: (statement: StatementName, values: readonly SqlValue[]) => Promise<readonly unknown[]>
  /** How many rows a writing statement changed; durable against power loss when it resolves. */
  readonly change: (statement: StatementName, values: readonly SqlValue[]) => Promise<number>
}
