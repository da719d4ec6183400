import type pg from 'pg'
import type { SqlValue } from './sql.ts'

type Parameter = SqlValue | readonly string[] | readonly number[]
type Answered = { readonly rows: readonly unknown[]; readonly changed: number }

/** Runs a prepared statement; its name lets the connection reuse the plan. */
export type Query = (name: string, text: string, parameters: readonly Parameter[]) => Promise<Answered>

/** Runs statements on any connection of the pool. Rejects once the pool is closing. */
export const queryOf =
  (pool: pg.Pool): Query =>
  async (name, text, parameters) => {
    if (pool.ending) throw new Error('the store is closed')
    const { rows, rowCount } = await pool.query({ name, text, values: [...parameters] })
    return { rows, changed: rowCount ?? 0 }
  }

/** Works on one connection, which is not used again after a failure. */
export const onOne = async <Value>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Value>,
): Promise<Value> => {
  const client = await pool.connect()
  try {
    const value = await work(client)
    client.release()
    return value
  } catch (error) {
    client.release(true)
    throw error
  }
}
