import { setTimeout as sleep } from 'node:timers/promises'

/** A node answers properly but has not reached the block it was asked about; another one may have. */
export class NodeLags extends Error {
  constructor(where: string) {
    super(`node lags ${where}`)
    this.name = 'NodeLags'
  }
}

const ATTEMPTS = 4
const PAUSE_MS = 25

const isLag = (error: unknown): boolean => error instanceof Error && error.cause instanceof NodeLags

/** Reads again, at most three times, while every endpoint lags: the next node behind the same address may not. */
export const readPastLag = async <Value>(read: () => Promise<Value>): Promise<Value> => {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await read()
    } catch (error) {
      if (attempt >= ATTEMPTS || !isLag(error)) throw error
      await sleep(PAUSE_MS)
    }
}
