import { createHttpClient } from '../../lib/http-client.ts'
import { AxelarError } from './axelar-error.ts'
import { fetchJson } from './fetch-json.ts'

/** Servers that answer alike: the first that answers counts. */
export type JsonServers = {
  /**
   * The JSON value that a server answers to a path: POST when there is a body, else GET. The deadline is each server's own.
   * An answer that `isUsable` refuses is returned only when no server has another. Throws AxelarError REFUSED when none answers and one refuses the request, else NO_ANSWER.
   */
  readonly ask: (request: {
    readonly path: string
    readonly body?: unknown
    readonly timeoutMs: number
    readonly maxBytes: number
    readonly isUsable: (answer: unknown) => boolean
  }) => Promise<unknown>
}

const isRefusal = (error: unknown): boolean => error instanceof AxelarError && error.code === 'REFUSED'

/** Creates a client of the servers at one or several base URLs; the last that answered usably is asked first. */
export const createJsonServers = (urls: string | readonly string[]): JsonServers => {
  const bases = [urls].flat().map((url) => url.replace(/\/+$/, ''))
  const http = createHttpClient()
  let last = 0
  return {
    ask: async ({ path, isUsable, ...request }) => {
      let failure: unknown
      let unusable: { readonly answer: unknown } | undefined
      for (let tried = 0; tried < bases.length; tried += 1) {
        const position = (last + tried) % bases.length
        try {
          const answer = await fetchJson(http, { ...request, url: `${bases[position]}${path}` })
          if (isUsable(answer)) {
            last = position
            return answer
          }
          unusable ??= { answer }
        } catch (error) {
          if (!isRefusal(failure)) failure = error
        }
      }
      if (unusable !== undefined) return unusable.answer
      throw failure
    },
  }
}
