import pg from 'pg'
import { CONNECT_DEADLINE_MS, postgresOpenError } from './postgres-open-error.ts'

/**
 * Works on a connection of its own, which it closes afterwards. Rejects with `StoreError` if the database cannot be
 * reached.
 */
export const withPostgresClient = async <Value>(
  url: string,
  options: Pick<pg.ClientConfig, 'application_name' | 'statement_timeout' | 'query_timeout'>,
  work: (client: pg.Client) => Promise<Value>,
): Promise<Value> => {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_DEADLINE_MS,
    ...options,
  })
  // The running query rejects as well; an unhandled event would end the process.
  client.on('error', () => {})
  await client.connect().catch((cause: unknown) => {
    throw postgresOpenError(url, cause)
  })
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
