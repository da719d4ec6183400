import { setTimeout as sleep } from 'node:timers/promises'
import { rpcErrorCode } from './rpc-error.ts'

const ATTEMPTS = 4
const PAUSE_MS = 25

/** Reads again, at most three times, while nodes are behind: the next node behind the same address may not be. */
export const readPastLag = async <Value>(read: () => Promise<Value>): Promise<Value> => {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await read()
    } catch (error) {
      if (attempt >= ATTEMPTS || rpcErrorCode(error) !== 'NODE_BEHIND') throw error
      await sleep(PAUSE_MS)
    }
}
