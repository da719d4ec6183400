import type { Log } from '../core/log.ts'
import type { Store } from './store.ts'
export const openPostgresStore = async (_options: {
  readonly url: string
  readonly log: Log
}): Promise<Store> => {
  throw new Error('later')
}
