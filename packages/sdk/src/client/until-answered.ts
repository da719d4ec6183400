import { isTransient } from './request.ts'
import { sleep } from './sleep.ts'

const FIRST_PAUSE_MS = 1_000
const LAST_PAUSE_MS = 15_000

/**
 * Repeats a read until the service answers it, with growing pauses of at most 15 seconds; `onFailure` hears of each failure. Rejects
 * when the service refuses the read, and with the signal's reason when it aborts.
 * @example
 * const chainsOf = (client: Client, signal: AbortSignal) =>
 *   untilAnswered(() => client.getChains({ signal }), { signal, onFailure: () => console.log('trying again') })
 */
export const untilAnswered = async <Answer>(
  read: () => Promise<Answer>,
  {
    signal,
    onFailure,
  }: { readonly signal?: AbortSignal | undefined; readonly onFailure?: (error: unknown) => void },
): Promise<Answer> => {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LAST_PAUSE_MS)) {
    try {
      return await read()
    } catch (error) {
      if (signal?.aborted === true || !isTransient(error)) throw error
      onFailure?.(error)
    }
    await sleep(pauseMs, signal)
  }
}
